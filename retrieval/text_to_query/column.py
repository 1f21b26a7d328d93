"""What the columns ``cypher`` and ``sql`` share: from a question to facts, messages and the trace of all attempts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg

from graph.errors import QueryFailed
from retrieval.columns.base import Found, Tools, Trace, hits
from retrieval.errors import ColumnUnavailable, as_query_error
from retrieval.names import names
from retrieval.planning import WITHOUT_MAIL
from retrieval.text_to_query import asking, examples, results, values
from retrieval.text_to_query.asking import Language
from retrieval.text_to_query.demands import unused
from retrieval.types import FoundBy, Question, Retrieved
from sql.store import Store

Speak = Callable[[Store, psycopg.Connection[Any], values.Values], Language]


def retrieve(
    tools: Tools, question: Question, limit: int, speak: Speak, companion: Callable[[str], str | None], rule: str
) -> Retrieved:
    """Asks the model for a query in the language that ``speak`` gives, runs it, and tells what it found.

    ``companion``: a query for the messages behind one that counts. Raises ColumnUnavailable without a chat model, and
    the model's errors.
    """
    if tools.chat is None:
        raise ColumnUnavailable("This column has a chat model write the query, and none is here yet.")
    trace = Trace()
    with tools.store.reader() as conn:
        known = names(conn, tools.store)
        with trace.step("link", question.text) as notes:
            named = values.find(conn, question.text, known.index, question.as_of or known.last_day or WITHOUT_MAIL)
            notes.output = "; ".join(f"'{said}' -> '{value}'" for value, said in named.said) or "nothing"
            notes.size = len(named.said)
        language = speak(tools.store, conn, named)
    if named.demands.texts and not language.texts:
        words = ", ".join(f"'{word}'" for word in named.demands.texts)
        note = f"the question asks which texts mention {words}, and the graph holds no texts"
        return Retrieved(trace=trace.steps, outcome_note=note)
    with trace.step("examples", examples.mask(question.text, named)) as notes:
        near = examples.nearest(question.text, named, language.name, tools.embedder)
        notes.output, notes.size = " | ".join(one.question for one in near), len(near)
    asked = asking.ask(tools.chat, language, question.text, near, named, trace, tools.planner.stop)
    if asked.rows is None:
        errors = [as_query_error(error) for error in asked.failures]
        note = f"no answer: the query that the model wrote {asked.doubt}" if asked.doubt else ""
        return Retrieved(trace=trace.steps, errors=errors, outcome_note=note)
    if passed := ", ".join(f"'{word}'" for word in unused(asked.query, named)):
        rule += f" Words of the question that the query does not use: {passed}."
    with tools.store.reader() as conn:
        fact = results.fact(conn, asked.rows, asked.query, rule)
    ids = list(fact.messages)
    step = "query"
    if not ids and not asking.is_empty(asked.rows) and (behind := companion(asked.query)):
        step = "behind the fact"
        with trace.step("messages behind it", behind) as notes:
            try:
                ids = results.message_ids(language.run(behind))[: results.MOST_MESSAGES]
            except QueryFailed as error:  # the fact stands without them
                notes.output = f"{type(error).__name__}: {error}"
            else:
                notes.output, notes.size = f"{len(ids)} messages", len(ids)
    found = [Found(m, 1.0, [FoundBy(step, n)]) for n, m in enumerate(ids, 1)]
    note = "a query ran and found nothing" if asking.is_empty(asked.rows) else ""
    return Retrieved(hits(found, limit), [fact], trace.steps, outcome_note=note)
