"""What models do for a question behind the page: slow columns are looked at, answers are written.

Both take from seconds to minutes, so they are jobs, one after the other, each with a Stop; the quick columns beside
them do not wait. An answer is written from what the page shows: nothing is looked for a second time.
"""

from __future__ import annotations

from retrieval.ask import ask
from retrieval.names import names
from retrieval.result import ColumnResult
from retrieval.writing import write_answer
from ui.answers import Job
from ui.workspace import Asked, Workspace


def look(space: Workspace, asked: Asked, name: str, state: str, *, again: bool = False) -> Job:
    """The job that looks with column ``name``, begun where it was not. ``state``: of the store, so that a job over
    other mail is another one. ``again``: also where it was stopped or failed."""
    chat = space.models.chat_or_none()

    def run(job: Job) -> None:
        result = ask(
            space.store(asked.store),
            asked.question.text,
            [name],
            as_of=asked.question.as_of,
            planner=asked.planner,
            chat=chat,
            embedder=space.models.embedder_or_none(),
            reranker=space.models.reranker(asked.rerank, stop=job.stopping),
            answer=False,
            stop=job.stopping,
        )
        job.column = result.columns[0] if result.columns else None

    key = ("look", asked, name, state, chat and chat.name)
    return (None if again else space.answers.look(key)) or space.answers.ask(key, run)


def write(space: Workspace, asked: Asked, found: ColumnResult) -> Job:
    """Puts the answer from what a column has found into the queue."""

    def run(job: Job) -> None:
        def tell(piece: str) -> None:
            job.text += piece

        store = space.store(asked.store)
        with store.reader() as conn:
            last_day = names(conn, store).last_day
        job.column = write_answer(
            found,
            asked.question.text,
            asked.question.as_of or last_day,
            space.models.chat(),
            embedder=space.models.embedder_or_none(),
            judge=space.models.judge(),
            context_tokens=space.settings.context_tokens,
            stop=job.stopping,
            on_text=tell,
        )

    return space.answers.ask((asked, found.retriever), run)
