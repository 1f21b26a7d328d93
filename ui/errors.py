"""What can go wrong between the person and the program, on one page.

UiError
├── SettingsError              a flag, a MAILWEAVE_* variable or mailweave.toml holds what cannot be used
├── QuestionRefused            an empty question, or one of ten thousand characters
├── WrongColumns               a column that does not exist
├── NoSuchMessage              a number or a Message-ID that is not here
├── EmptyStore                 nothing has been ingested into this store yet
└── ReadingFailed              mail could not be read behind the page

Each message says what the person can do next. ``exit_code``: 2 for wrong use, 1 for what failed.
"""

from __future__ import annotations


class UiError(Exception):
    """Base of the errors of the command line and the page."""

    exit_code = 1


class SettingsError(UiError):
    """A setting cannot be used; the message names it and where it stands."""

    exit_code = 2


class QuestionRefused(UiError):
    """The text is no question that can be asked."""

    exit_code = 2


class WrongColumns(UiError):
    """These columns cannot be shown."""

    exit_code = 2


class EmptyStore(UiError):
    """There is no mail in the store."""


class NoSuchMessage(UiError):
    """No message of the store is meant."""


class ReadingFailed(UiError):
    """The process that reads mail for the page could not do it; the text is what it said."""
