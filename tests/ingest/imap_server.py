"""A real mail server (Debian's dovecot-imapd) on this machine alone, with a certificate of its own authority."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

USER, PASSWORD = "ada@harbour.example", 'pier 7 lantern \\ " end'

CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/log
mail_location = maildir:{root}/mail/%u
first_valid_uid = 1
default_login_user = {login}
default_internal_user = {login}
default_internal_group = {group}
ssl = required
ssl_cert = <{root}/server.pem
ssl_key = <{root}/server.key
ssl_min_protocol = TLSv1.2
disable_plaintext_auth = yes
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
passdb {{
  driver = passwd-file
  args = scheme=plain username_format=%u {root}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={root}/mail/%u
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Weg {{
    special_use = \\Junk
    auto = create
  }}
}}
"""


@dataclass
class Server:
    """``address``: of the account; ``mail``: its Maildir++; ``ca``: the authority's certificate."""

    root: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"imaps://{USER}@localhost:{self.port}/"

    @property
    def mail(self) -> Path:
        return self.root / "mail" / USER

    @property
    def ca(self) -> Path:
        return self.root / "ca.pem"

    @property
    def other_ca(self) -> Path:
        return self.root / "other.pem"

    def start(self) -> None:
        """Waits until it answers."""
        self.process = subprocess.Popen([_dovecot(), "-F", "-c", str(self.root / "dovecot.conf")])
        _wait_for(self.port, self.process, self.root / "log")

    def stop(self) -> None:
        """Ends it with all its connections."""
        if self.process is not None and self.process.poll() is None:
            sessions = psutil.Process(self.process.pid).children(recursive=True)
            self.process.terminate()
            self.process.wait()
            for session in sessions:
                with suppress(psutil.NoSuchProcess):
                    session.kill()

    def folder(self, name: str = "") -> Path:
        """The Maildir of a folder, made when it is new."""
        path = self.mail / f".{name}" if name else self.mail
        for part in ("cur", "new", "tmp"):
            (path / part).mkdir(parents=True, exist_ok=True)
        return path

    def put(self, data: bytes, name: str, folder: str = "", flags: str = "") -> Path:
        """Delivers a message."""
        path = self.folder(folder) / "cur" / f"{name}.host:2,{flags}"
        path.write_bytes(data)
        self.owned()
        return path

    def owned(self) -> None:
        """The server's user owns all mail."""
        user = pwd.getpwnam(_user())
        for place in (self.root / "mail", *(self.root / "mail").rglob("*")):
            os.chown(place, user.pw_uid, user.pw_gid)


def installed() -> bool:
    """Whether this machine has the server."""
    return bool(_dovecot()) and os.geteuid() == 0


@contextmanager
def running() -> Iterator[Server]:
    """The server, stopped and removed at the end."""
    root = Path(tempfile.mkdtemp(prefix="mailweave-imap-"))
    root.chmod(0o755)
    port = _free_port()
    user = pwd.getpwnam(_user())
    _certificates(root)
    (root / "users").write_text(f"{USER}:{PASSWORD}\n")
    config = CONFIG.format(
        root=root, port=port, login=_user(), group=_group(user.pw_gid), uid=user.pw_uid, gid=user.pw_gid
    )
    (root / "dovecot.conf").write_text(config)
    server = Server(root, port)
    server.folder()
    server.owned()
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(root, ignore_errors=True)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if process.poll() is not None:
            break
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"dovecot did not start: {log.read_text() if log.exists() else 'it wrote nothing'}")


def _certificates(root: Path) -> None:
    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=root, check=True, capture_output=True)

    for name in ("ca", "other"):
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN=Test {name}",
                "-keyout", f"{name}.key", "-out", f"{name}.pem")  # fmt: skip
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "s.csr")
    (root / "names").write_text("subjectAltName=DNS:localhost\n")
    openssl("x509", "-req", "-in", "s.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
            "-extfile", "names", "-out", "server.pem")  # fmt: skip


def _dovecot() -> str:
    return shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") or ""


def _user() -> str:
    return "dovenull"


def _group(gid: int) -> str:
    import grp

    return grp.getgrgid(gid).gr_name


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
