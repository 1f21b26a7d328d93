"""What may be asked: the same limits at the command line and in the page, said before anything runs."""

from __future__ import annotations

from ui.errors import QuestionRefused, WrongColumns


def checked(question: str) -> str:
    """The question on one line. Raises :class:`QuestionRefused` for an empty one or one that no model could read."""
    from retrieval.planner.rules import LONGEST_QUESTION

    text = " ".join(question.replace("\0", " ").split())
    if not text:
        raise QuestionRefused("There is no question. Ask in words, such as: Who wrote to me most in March?")
    if len(text) > LONGEST_QUESTION:
        raise QuestionRefused(
            f"The question has {len(text):,} characters and may have {LONGEST_QUESTION:,}. Ask in fewer words; "
            "mail itself need not be pasted, it is searched."
        )
    return text


def checked_columns(names: str) -> list[str]:
    """Names of columns out of a list with commas, each once. Raises :class:`WrongColumns`, which lists all."""
    from retrieval.columns.registry import COLUMNS

    chosen = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    unknown = [name for name in chosen if name not in COLUMNS]
    if unknown or not chosen:
        said = f"There is no column {unknown[0]!r}" if unknown else "No column was named"
        raise WrongColumns(f"{said}. Columns: {', '.join(COLUMNS)}.")
    return chosen
