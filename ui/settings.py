"""Settings, read once: flags, then ``MAILWEAVE_*`` variables, then ``mailweave.toml``.

This is the only module that reads the environment; everything below ``ui`` gets plain arguments. A key that nobody
knows is an error that names it, since a misspelled setting that is silently ignored costs a person an evening.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from ui.errors import SettingsError

FILE = "mailweave.toml"
PREFIX = "MAILWEAVE_"


@dataclass(frozen=True)
class Settings:
    """Everything that can be set.

    ``home``: where data lives (the embedded server, models, the fictional mailbox). ``dsn``: a Postgres server
    instead of the embedded one; may hold a password, so it is left out of every text of this object. ``chat_model``,
    ``embed_model``, ``rerank_model``, ``judge_model``: a name of the catalogue, the path of a GGUF file, or an address
    of an OpenAI-compatible server; None is the default of the catalogue, for rerank and judge none. ``judge_model``
    says whether answers tell the facts and stand in what they cite; it should be of another family than
    ``chat_model``. ``api_key`` is sent to such an address alone.
    ``gpu_layers``: layers of the chat model on the GPU, -1 for all that fit. ``context_tokens``: how much retrieved
    text goes into a prompt; None follows the speed of the machine. ``rerank``: who puts the first forty of `hybrid` in
    order once more, ``cross-encoder`` or ``chat``; None is nobody.
    """

    home: Path
    store: str = "default"
    dsn: str | None = field(default=None, repr=False)
    model_cache: Path | None = None
    chat_model: str | None = None
    embed_model: str | None = None
    rerank_model: str | None = None
    judge_model: str | None = None
    api_key: str | None = field(default=None, repr=False)
    gpu_layers: int = 0
    context_tokens: int | None = None
    rerank: str | None = None

    @property
    def models(self) -> Path:
        """The directory that holds downloaded models."""
        return self.model_cache or self.home / "models"


NAMES = tuple(f.name for f in fields(Settings))
_INTEGERS = {"gpu_layers", "context_tokens"}
_PATHS = {"home", "model_cache"}
_CHOICES = {"rerank": ("cross-encoder", "chat")}


def read_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    directory: Path | None = None,
) -> Settings:
    """The settings that hold for this run. ``flags`` with the value None were not given. ``environment`` and
    ``directory`` (where mailweave.toml is looked for, before the home directory) are the process's own by default.

    Raises :class:`SettingsError` for an unknown key, a value of the wrong kind, or a file that is not TOML.
    """
    environment = os.environ if environment is None else environment
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    from_environment = {
        name: environment[PREFIX + name.upper()] for name in NAMES if environment.get(PREFIX + name.upper())
    }
    home = Path(given.get("home") or from_environment.get("home") or default_home(environment)).expanduser()
    from_file = _read_file([(directory or Path.cwd()) / FILE, home / FILE])
    settings = Settings(home=home)
    for values, where in (
        (from_file, FILE),
        (from_environment, "the environment"),
        (given, "the command line"),
    ):
        settings = replace(settings, **{name: _typed(name, value, where) for name, value in values.items()})
    return settings


def default_home(environment: Mapping[str, str]) -> Path:
    """Where data lives unless told otherwise. Run by root, Postgres works as another user, who cannot look into
    root's own home."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/mailweave")
    base = environment.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "mailweave"


def wanted_models(settings: Settings) -> list[str]:
    """Names of the catalogue that these settings use: not paths, not addresses. The embedding model comes first, since
    it is small and more depends on it."""
    from retrieval.models import catalogue
    from retrieval.models.rerank import DEFAULT

    known = {entry.name for entry in catalogue.models()}
    chosen = [
        settings.embed_model or catalogue.default("embed").name,
        settings.chat_model or catalogue.default("chat").name,
        settings.rerank_model or (DEFAULT if settings.rerank == "cross-encoder" else ""),
        settings.judge_model or "",
    ]
    return [name for name in chosen if name in known]


def is_address(choice: str) -> bool:
    """Whether a model is named by the address of a server."""
    return choice.startswith(("http://", "https://"))


def without_password(dsn: str) -> str:
    """The connection string with its password replaced, fit for a screen."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    try:
        parts = conninfo_to_dict(dsn)
    except Exception:  # whatever is wrong with it, it may hold a secret
        return "(the given connection string)"
    shown = {key: str(value) for key, value in parts.items() if key != "password" and value is not None}
    return make_conninfo("", **shown)


def _read_file(candidates: list[Path]) -> dict[str, Any]:
    path = next((candidate for candidate in candidates if candidate.is_file()), None)
    if path is None:
        return {}
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} is not valid TOML: {error}. Mend that line or move the file away.") from error
    for key in values:
        if key not in NAMES:
            close = difflib.get_close_matches(key, NAMES, n=1)
            meant = f" Did you mean {close[0]!r}?" if close else ""
            raise SettingsError(f"{path} has the unknown key {key!r}.{meant} Known keys: {', '.join(NAMES)}.")
    return values


def _typed(name: str, value: Any, where: str) -> Any:
    if name in _INTEGERS:
        try:
            return int(value)
        except (TypeError, ValueError):
            raise SettingsError(f"{name} in {where} must be a whole number, not {value!r}.") from None
    if not isinstance(value, str | Path):
        raise SettingsError(f"{name} in {where} must be a text, not {value!r}.")
    if name in _CHOICES and value not in _CHOICES[name]:
        raise SettingsError(f"{name} in {where} must be {' or '.join(_CHOICES[name])}, not {value!r}.")
    return Path(value).expanduser() if name in _PATHS else str(value)
