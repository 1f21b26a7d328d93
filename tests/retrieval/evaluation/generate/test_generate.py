"""Values of generated questions are those that reading the mailbox files gives, by code that knows nothing of them."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from retrieval.evaluation.facts_found import share_found
from retrieval.evaluation.generate import generate, hops, lists, mentions, numbers
from retrieval.evaluation.generate.box import MONTHS, Box, Made
from retrieval.evaluation.questions import read_questions
from retrieval.evaluation.score import value_of
from retrieval.evaluation.values import compare
from sql.store import Store
from ui.demo.gold import NOT_COUNTED, Mail, read

TRIES = 40
PEOPLE = re.compile(r"[A-Z]\w+(?: [A-Z][\w']+)+")


@pytest.fixture(scope="module")
def mails(home: Path, demo_store: Store) -> list[Mail]:
    """Counted messages as the standard library reads them."""
    return [mail for mail in read(home / "demo-mailbox") if not NOT_COUNTED & set(mail.folders)]


def some(store: Store, maker: Callable[[Box], Made | None], n: int = 3) -> list[Made]:
    """A few questions of one kind; the test fails when there are none."""
    with store.reader() as conn:
        tried = [maker(Box(conn, random.Random(seed))) for seed in range(TRIES)]
    made = [one for one in tried if one is not None][:n]
    assert made, f"{maker.__name__} made nothing of the fictional mailbox"
    return made


def month_in(text: str) -> str:
    """The first month that a question names, as YYYY-MM."""
    name, year = re.findall(rf"({'|'.join(MONTHS)}) (\d{{4}})", text)[0]
    return f"{year}-{MONTHS.index(name) + 1:02}"


def test_messages_of_a_month(demo_store: Store, mails: list[Mail]) -> None:
    for made in some(demo_store, numbers.in_month):
        assert made.value == sum(mail.month == month_in(made.text) for mail in mails)


def test_messages_of_an_organisation(demo_store: Store, mails: list[Mail]) -> None:
    for made in some(demo_store, numbers.from_organization):
        domain = re.findall(r"[\w-]+\.example", made.text)[0]
        assert made.value == sum(mail.sender.endswith(f"@{domain}") for mail in mails)


def test_messages_of_a_person_in_a_month(demo_store: Store, mails: list[Mail]) -> None:
    with demo_store.reader() as conn:
        addresses = {
            name: set(owned)
            for name, owned in conn.execute(
                "SELECT p.name, array_agg(a.address) FROM mail.person p JOIN mail.person_address pa ON pa.person = p.id "
                "JOIN mail.address a ON a.id = pa.address GROUP BY p.id, p.name"
            )
        }
    for made in some(demo_store, numbers.sent_by_person_in_month, 6):
        (name,) = [name for name in addresses if name and re.search(rf"\b{re.escape(name)}\b", made.text)]
        assert made.value == sum(m.sender in addresses[name] and m.month == month_in(made.text) for m in mails)


def test_mentions_are_counted_in_subjects_and_whole_bodies(demo_store: Store, mails: list[Mail]) -> None:
    for made in some(demo_store, mentions.mention_count, 4):
        term = _term(made.text)
        pattern = re.compile(rf"(?<![^\W_]|_){re.escape(term)}(?![^\W_]|_)", re.IGNORECASE)
        assert made.value == sum(bool(pattern.search(f"{mail.subject} {mail.text}")) for mail in mails), made.text


def test_who_wrote_before_a_month_and_never_again(demo_store: Store, mails: list[Mail]) -> None:
    for made in some(demo_store, lists.stopped_writing):
        domain, month = re.findall(r"[\w-]+\.example", made.text)[0], month_in(made.text)
        senders = {mail.sender for mail in mails if mail.sender.endswith(f"@{domain}")}
        silent = {a for a in senders if all(mail.month < month for mail in mails if mail.sender == a)}
        with demo_store.reader() as conn:
            items = Box(conn, random.Random(0)).items(made.value, "person")  # type: ignore[arg-type]
        assert {address for item in items for address in item["addresses"]} & senders == silent


# In the fictional mailbox the owner has written to everybody who wrote to her, offices apart.
MAKERS = [
    maker
    for maker in (*numbers.MAKERS, *lists.MAKERS, *mentions.MAKERS, *hops.MAKERS)
    if maker is not lists.never_answered
]


@pytest.mark.parametrize("maker", MAKERS)
def test_every_maker_finds_something_to_ask(demo_store: Store, maker: Callable[[Box], Made | None]) -> None:
    some(demo_store, maker, 1)


def test_a_generated_set_is_a_question_file_and_its_own_values_are_right(demo_store: Store, tmp_path: Path) -> None:
    with demo_store.reader() as conn:
        made = generate(conn, 40, seed=7)
        again = generate(conn, 40, seed=7)
        other = generate(conn, 40, seed=8)
    assert made == again and made != other
    assert len({one["question"] for one in made}) == len(made) == 40
    path = tmp_path / "q.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in made))
    questions = read_questions(path)
    assert {q.kind for q in questions} == {
        "aggregate_count", "aggregate_rank", "list_all", "negation", "mention_count", "mention_list", "multi_hop"
    }  # fmt: skip
    for q in questions:
        assert q.value_type is not None
        assert compare(q.value, q.value_type, q.item_type, value_of([q.value], q.value_type)).right == 1
        assert (q.path is not None) == (q.kind == "multi_hop")


def test_a_set_of_questions_fits_on_the_schema(demo_store: Store) -> None:
    fields = json.loads((Path(__file__).parents[4] / "ui/demo/questions.jsonl").read_text().splitlines()[0]).keys()
    with demo_store.reader() as conn:
        for one in generate(conn, 12):
            assert one.keys() == fields


def test_a_prose_answer_can_be_held_against_the_values(demo_store: Store) -> None:
    with demo_store.reader() as conn:
        made = generate(conn, 30, seed=3)
    for one in made:
        facts = tuple(str(fact) for fact in one["facts"])  # type: ignore[attr-defined]
        assert share_found(facts, str(one["gold_answer"])) == (1.0 if facts else None)
        assert one["value_type"] != "number" or facts == (str(one["gold_value"]),)
        assert one["value_type"] != "ranked" or all(re.search(r": \d+$", fact) for fact in facts)


def test_a_mailbox_with_little_to_ask_about_gives_few_questions(store: Store) -> None:
    with store.reader() as conn:
        assert generate(conn, 10) == []


def _term(text: str) -> str:
    quoted = re.findall(r'"([^"]+)"', text)
    return quoted[0] if quoted else text.rstrip("?").split(" mention ")[-1]
