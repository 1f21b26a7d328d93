"""questions generate and label: one's own questions with known answers, in minutes instead of days."""

from __future__ import annotations

import textwrap
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ui.cli.common import Invocation, options
from ui.question import checked, checked_columns

if TYPE_CHECKING:
    import psycopg

    from retrieval.evaluation.drafts import Draft
    from retrieval.text import MessageText
    from sql.store import Store

POOLED = "vector,lexical,hybrid,graph,combined"
SHOWN = 700
WORDS = {"y": "needed", "r": "restates it", "n": "no", "w": "whole text", "s": "skip", "q": "quit"}


@click.group()
def questions() -> None:
    """Questions with known answers over your own mail."""


@questions.command(epilog="Example: mailweave questions generate mine.jsonl --structural 30 --content 20")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--structural", type=click.IntRange(0, 1000), default=30, show_default=True, help="Counts, ranks, lists, "
              "absences, mentions, several steps: with exact values.")  # fmt: skip
@click.option("--content", type=click.IntRange(0, 500), default=0, show_default=True,
              help="What was said: drafted by the chat model, accepted by you.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="Another number gives other questions.")
@click.option("--unreviewed", is_flag=True, help="Keep drafts without asking; they are marked.")
@options
def generate(invocation: Invocation, file: Path, structural: int, content: int, seed: int, unreviewed: bool) -> None:
    """Write questions with known answers over your mail to FILE; what stands in it is kept.

    Values are computed in SQL that answers no question, so that a fault of the program cannot hide itself. Ctrl-C
    ends; what was accepted stands in FILE.
    """
    from retrieval.evaluation.generate import generate as structural_questions
    from retrieval.evaluation.writing import append, free_id, read_lines

    known = read_lines(file)
    counts = {"structural": 0, "content": 0}
    with invocation.store() as store:
        with store.owner() as conn:  # scans for words may take longer than a reader is given
            made = structural_questions(conn, structural + len(known), seed=seed)
        texts = {str(one["question"]) for one in known}
        for one in made:
            if one["question"] not in texts and counts["structural"] < structural:
                one["id"] = free_id(known, "G")
                known.append(one)
                append(file, [one])
                counts["structural"] += 1
        if content:
            counts["content"] = _content(invocation, store, file, known, content, seed, unreviewed)
    if invocation.json:
        invocation.emit({"file": str(file), "questions": len(known), **counts})
        return
    click.echo(
        f"{counts['structural']} questions with exact values and {counts['content']} about what was said were added; "
        f"{file} has {len(known)}. Measure with: mailweave evaluate {file} --no-answer"
    )


@click.command(epilog="Example: mailweave label mine.jsonl --question 'What did the roof cost?'")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--question", "texts", multiple=True, metavar="TEXT", help="A question to label; may be repeated.")
@click.option("--with", "names", default=POOLED, show_default=True, help="Columns whose hits are pooled.")
@click.option("--depth", type=click.IntRange(1, 40), default=12, show_default=True, help="Hits of each column.")
@options
def label(invocation: Invocation, file: Path, texts: tuple[str, ...], names: str, depth: int) -> None:
    """Say which messages answer a question: the hits of all columns in one heap, without names, in a mixed order.

    Questions of FILE that have no gold yet come first, then those given, then you are asked for more (some are
    proposed). Every word is kept at once; the same command goes on.
    """
    from retrieval.evaluation.writing import free_id, read_lines, replace

    columns = checked_columns(names)
    done = 0
    with invocation.store() as store, ExitStack() as stack:
        from ui.models import Models

        models = Models(invocation.given())
        stack.callback(models.close)
        embedder = models.embedder_or_none()
        with store.reader() as conn:
            as_of = _last_day(conn)
        open_ones = [one for one in read_lines(file) if _is_open(one)]
        for one in open_ones or _asked_for(store, texts):
            if one is None:
                break
            known = read_lines(file)
            id = str(one.get("id") or free_id(known, "L"))
            made = _label(store, id, str(one["question"]), as_of, columns, depth, embedder)
            if made is None:
                break
            replace(file, one | made if one.get("id") else made)
            done += 1
    if invocation.json:
        invocation.emit({"file": str(file), "labelled": done})
    else:
        click.echo(f"{done} questions labelled; {file} has {len(read_lines(file))}.")


def _content(
    invocation: Invocation,
    store: Store,
    file: Path,
    known: list[dict[str, Any]],
    wanted: int,
    seed: int,
    unreviewed: bool,
) -> int:
    """Drafts until enough are accepted or the person ends."""
    from retrieval.evaluation.drafts import accepted, drafts
    from retrieval.evaluation.writing import append, free_id
    from ui.measuring import interrupt_sets
    from ui.models import Models

    done, stop, models = 0, threading.Event(), Models(invocation.given())
    taken = {group[0] for one in known for group in one["gold_message_ids"]}
    with ExitStack() as stack:
        stack.callback(models.close)
        if unreviewed:
            stack.enter_context(interrupt_sets(stop))
        conn = stack.enter_context(store.reader())
        as_of = _last_day(conn)
        for draft in drafts(conn, models.chat(), seed=seed, stop=stop):
            if done == wanted or stop.is_set():
                break
            if draft.message.message_id in taken:
                continue
            said = (draft.question, draft.answer) if unreviewed else _review(draft)
            if said is None:
                continue
            if not said[0]:
                break
            one = accepted(conn, draft, free_id(known, "C"), as_of, text=said[0], answer=said[1])
            if unreviewed:
                one["notes"] = "drafted by a model, reviewed by nobody"
            known.append(one)
            append(file, [one])
            done += 1
    return done


def _review(draft: Draft) -> tuple[str, str] | None:
    """What the person makes of a draft: (question, answer), None to pass it over, an empty question to end."""
    click.echo()
    _show(draft.message)
    click.secho(f"\nQuestion: {draft.question}", bold=True)
    click.echo(f"Answer:   {draft.answer}")
    chosen = click.prompt(
        "Accept (y), edit (e), next one (n), quit (q)", type=click.Choice(["y", "e", "n", "q"]), default="n",
        show_choices=False,
    )  # fmt: skip
    if chosen == "e":
        return (
            str(click.prompt("Question", default=draft.question)).strip(),
            str(click.prompt("Answer", default=draft.answer)).strip(),
        )
    return (draft.question, draft.answer) if chosen == "y" else ("", "") if chosen == "q" else None


def _label(
    store: Store, id: str, text: str, as_of: date | None, columns: Sequence[str], depth: int, embedder: Any
) -> dict[str, Any] | None:
    """Judges the pool of one question; None when the person ends."""
    from retrieval.ask import ask
    from retrieval.evaluation.pool import NEEDED, NOT, RESTATES, keep, kept, labelled, pool
    from retrieval.text import messages

    text = checked(text)
    asked = ask(store, text, columns, planner="rules", embedder=embedder, answer=False, limit=depth)
    mixed = pool(text, asked.columns, depth)
    with store.reader() as conn:
        shown, known = messages(conn, mixed), kept(conn, text)
    click.secho(f"\n{text}", bold=True)
    click.echo(f"{len(mixed)} messages were found, {sum(message in known for message in mixed)} of them judged before.")
    grades = {"y": NEEDED, "r": RESTATES, "n": NOT}
    for number, message in enumerate(mixed, 1):
        if message in known or message not in shown:
            continue
        click.secho(f"\n{number} of {len(mixed)}", dim=True)
        _show(shown[message])
        chosen = "w"
        while chosen == "w":
            chosen = click.prompt(
                "Does it answer? " + ", ".join(f"{words} ({key})" for key, words in WORDS.items()),
                type=click.Choice(list(WORDS)), default="n", show_choices=False,
            )  # fmt: skip
            if chosen == "w":
                click.echo(shown[message].new_text)
        if chosen == "q":
            return None
        if chosen == "s":
            break
        with store.owner() as conn:
            keep(conn, text, message, grades[chosen])
    answer = str(click.prompt("The answer in words (may be left empty)", default="", show_default=False)).strip()
    with store.reader() as conn:
        return dict(labelled(conn, id, text, as_of, answer, [answer] if answer else []))


def _asked_for(store: Store, texts: Sequence[str]) -> Any:
    """The questions given, else those that the person writes or takes from the proposed ones, until an empty one."""
    yield from ({"question": text} for text in texts)
    if texts:
        return
    from ui.examples import made_from

    with store.reader() as conn:
        proposed = made_from(conn)
    for number, example in enumerate(proposed, 1):
        click.echo(f"{number:>3}  {example.text}")
    while said := str(
        click.prompt("Question, or the number of one (empty: end)", default="", show_default=False)
    ).strip():
        chosen = proposed[int(said) - 1].text if said.isdigit() and 0 < int(said) <= len(proposed) else said
        yield {"question": chosen}


def _show(message: MessageText) -> None:
    click.secho(message.header, fg="cyan")
    text = message.new_text.strip()
    cut = textwrap.shorten(text, SHOWN, placeholder=" …") if len(text) > SHOWN else text
    click.echo(textwrap.indent(cut, "  "))


def _is_open(one: dict[str, Any]) -> bool:
    """Whether a question has neither gold messages nor a value, and is not known to have no answer."""
    has_gold = one.get("gold_message_ids") or one.get("gold_value") is not None
    return not has_gold and one["kind"] != "unanswerable"


def _last_day(conn: psycopg.Connection) -> date | None:
    row = conn.execute("SELECT max(local_at)::date FROM mail.message WHERE counted").fetchone()
    return row[0] if row else None


COMMANDS: tuple[click.Command, ...] = (questions, label)
