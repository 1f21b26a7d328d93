"""What can go wrong between a question and its answer, on one page.

    RetrievalError
      PlanError               the question could not be turned into a plan
        QuestionTooLong         more text than a question may have
        BadModelPlan            the model's plan was not valid after the allowed attempts
      IndexMissing            a column's index is not there yet
        NoVectors               no vectors of this embedding model
      IndexStale              an index was made by another version of cleaning, chunker or model
      ColumnUnavailable       the column needs something this installation has not (a model)
      UnknownColumn           there is no column of that name
      QuestionFileError       a file of labelled questions cannot be read; names the line
      NoVerdict               the judge model wrote something else than a verdict
      NoSummary               the chat model wrote something else than a summary of a community, or a part of an answer
      BadStep                 the agent's model wrote something else than a step that can be taken

Failures of the graph are in graph/errors.py, those of models in retrieval/models/errors.py.
Each carries ``hint``: what the person can do next. A column's failure becomes a :class:`retrieval.types.QueryError`
in that column (see :func:`as_query_error`) and never touches another column.
"""

from __future__ import annotations

from retrieval.types import QueryError


class RetrievalError(Exception):
    """Base of all failures here. ``hint`` says what the person can do; ``query`` is the text that ran, if any."""

    hint = ""

    def __init__(self, message: str, *, hint: str = "", query: str = "") -> None:
        super().__init__(message)
        self.hint = hint or type(self).hint
        self.query = query


class PlanError(RetrievalError):
    """The question could not be turned into a plan."""

    hint = "Say it in other words, or name people by their full name or address."


class QuestionTooLong(PlanError):
    """The question is longer than a question may be."""

    hint = "Ask in fewer words; a question may have up to 2,000 characters."


class BadModelPlan(PlanError):
    """The chat model did not give a valid plan."""

    hint = "Use --planner rules, or a larger chat model."


class IndexMissing(RetrievalError):
    """An index that a column needs does not exist yet."""


class NoVectors(IndexMissing):
    """There are no vectors of this embedding model."""

    hint = "Run: mailweave embed"


class IndexStale(RetrievalError):
    """An index was made by another cleaning version, chunker or model, so that its answers would mix two worlds."""

    hint = "Run: mailweave ingest and mailweave embed again; only what changed is done anew."


class ColumnUnavailable(RetrievalError):
    """The column needs something that is not there, such as a model."""

    hint = "Where a download is under way (top of the page, mailweave status) wait for it; else: mailweave models pull"


class UnknownColumn(RetrievalError):
    """There is no column of that name."""


class QuestionFileError(RetrievalError):
    """A file of labelled questions cannot be read, or holds none. The message names the line."""


class NoVerdict(RetrievalError):
    """The judge model wrote something else than a verdict."""

    hint = "Set another judge_model; small models sometimes fail at it."


class NoSummary(RetrievalError):
    """The chat model wrote something else than a summary of a community, or than a part of an answer from one."""

    hint = "Run it again with another chat model; small models sometimes fail at it."


class BadStep(RetrievalError):
    """The agent's model wrote something else than a step that can be taken. Its words are for the model."""


def as_query_error(error: BaseException, query: str = "") -> QueryError:
    """An exception as the data that stands in a column: its class, its words, the query that ran, the next step."""
    return QueryError(
        kind=type(error).__name__,
        message=str(error).strip() or type(error).__name__,
        query=query or str(getattr(error, "query", "") or ""),
        hint=str(getattr(error, "hint", "") or ""),
    )
