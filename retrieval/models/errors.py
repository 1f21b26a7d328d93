"""What can go wrong with models, on one page.

ModelError
├── UnknownModel               no model of that name in the catalogue, no such file, no address
├── ModelMissing               known, but its file is not in the cache
├── ModelEngineMissing         llama-cpp-python is not installed
├── ModelUnreadable            the file is no model that the engine can run in this role
├── PromptTooLong              the prompt and the answer do not fit the model's context
├── BadSchema                  the schema of a structured answer cannot be made into a grammar
├── ModelCrashed               the worker process died during this request; the next one starts a new worker
├── ModelTimeout               nothing came from the model for too long
├── ModelCancelled             the person pressed Stop
├── DownloadError
│   ├── DownloadFailed         no source gave the whole file; what was fetched is kept
│   ├── ChecksumMismatch       a file came, but it is not the one the catalogue names
│   └── Unverified             the catalogue knows no checksum and the person did not accept that
└── AddressError
    ├── AddressUnreachable     nothing answers at the configured address
    └── AddressRefused         the server answered with an error, or with something that is no answer

Each message says what the person can do next. None of them holds an API key.
"""

from __future__ import annotations


class ModelError(Exception):
    """Base of all errors of models."""


class UnknownModel(ModelError):
    """The choice names nothing: no catalogue entry, no file, no address."""


class ModelMissing(ModelError):
    """The model's file is not in the cache."""

    def __init__(self, name: str) -> None:
        super().__init__(f"The model {name} is not on this machine yet. Run: mailweave models pull {name}")
        self.name = name


class ModelEngineMissing(ModelError):
    """The engine that runs GGUF files is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "The engine for local models (llama-cpp-python) is not installed yet. Install it with "
            "pip install 'mailweave[models]' (it compiles for about five minutes and needs a C++ compiler), "
            "or set an OpenAI-compatible address as the model."
        )


class ModelUnreadable(ModelError):
    """The file is no model that can be run in this role."""


class PromptTooLong(ModelError):
    """Prompt and answer do not fit into the model's context."""


class BadSchema(ModelError):
    """A JSON schema that cannot be made into a grammar."""


class ModelCrashed(ModelError):
    """The worker process died while it worked on this request."""


class ModelTimeout(ModelError):
    """Nothing came from the model for too long."""


class ModelCancelled(ModelError):
    """The request was stopped by the person."""

    def __init__(self) -> None:
        super().__init__("Stopped. Ask again to start over.")


class DownloadError(ModelError):
    """A model could not be brought into the cache."""


class DownloadFailed(DownloadError):
    """No source gave the whole file."""


class ChecksumMismatch(DownloadError):
    """The bytes are not those that the catalogue names; they were removed."""


class Unverified(DownloadError):
    """The catalogue knows no checksum for this file."""


class AddressError(ModelError):
    """The configured address gave no usable answer."""


class AddressUnreachable(AddressError):
    """Nothing answers at the configured address."""


class AddressRefused(AddressError):
    """The server at the configured address answered with an error."""
