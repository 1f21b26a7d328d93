"""Questions become plans: the kinds of questions, in parts that combine."""

from __future__ import annotations

import random
import time
from datetime import date

import pytest

from graph.plan import Between, Labels, Mentions, Messages, Organizations, People, Period, Plan, Subject, Threads
from retrieval.errors import QuestionTooLong
from retrieval.linker import NameIndex
from retrieval.name_forms import Named
from retrieval.planner import rules
from tests.retrieval.people import ANA_R, ANA_T, LEE, MARTA, OWN, PAUL, QUAY, index

INDEX = index()
AS_OF = date(2022, 2, 28)
OCTOBER = Period(date(2021, 10, 1), date(2021, 11, 1))
NOVEMBER = Period(date(2021, 11, 1), date(2021, 12, 1))
FROM_PAUL, TO_MARTA = People("sender", (PAUL,)), People("recipient", (MARTA,))


def planned(question: str) -> rules.PlannedQuestion:
    return rules.plan(question, INDEX, AS_OF)


def ranked(role: str, *filters: object, limit: int = 1, **more: object) -> Plan:
    return Plan("people", role=role, filters=filters, order_by="count", limit=limit, **more)  # type: ignore[arg-type]


PLANS = [
    # counts
    ("How many messages did Paul Ndiaye send?", "count", Plan(filters=(FROM_PAUL,))),
    ("how many mails did paul ndiaye write to me", "count", Plan(filters=(FROM_PAUL, TO_MARTA))),
    ("How many messages did I receive from Paul?", "count", Plan(filters=(People("recipient", (MARTA,)), FROM_PAUL))),
    (
        "How many messages went back and forth between Marta and Lee Okafor in October 2021?",
        "count",
        Plan(filters=(Between((MARTA,), (LEE,), "to"), OCTOBER)),
    ),
    (
        "How many messages were sent by people at Quay Partners (quay.example)?",
        "count",
        Plan(filters=(Organizations("sender", (QUAY,)),)),
    ),
    (
        "How many messages are there in the conversation titled 'Bridge steel' (end of 2021)?",
        "count",
        Plan(filters=(Subject("Bridge steel"),)),
    ),
    ("How many messages are in the bridge money folder?", "count", Plan(filters=(Labels((22,)),))),
    ("In how many messages was Lee Okafor in cc?", "count", Plan(filters=(People("cc", (LEE,)),))),
    ("Did Paul Ndiaye ever write to Lee Okafor?", "count", Plan(filters=(FROM_PAUL, People("recipient", (LEE,))))),
    (
        "How many different people outside Keller-Werke wrote to me in October 2021?",
        "count",
        Plan("people", role="sender", filters=(TO_MARTA, OCTOBER), exclude_organizations=(OWN,), exclude_people=(MARTA,)),
    ),
    # ranks
    ("Who wrote to me most in October 2021?", "rank", ranked("sender", TO_MARTA, OCTOBER, exclude_people=(MARTA,))),
    (
        "To which two people did Marta write most often in October 2021?",
        "rank",
        ranked("recipient", People("sender", (MARTA,)), OCTOBER, limit=2, exclude_people=(MARTA,)),
    ),
    (
        "Which three outside organisations (mail domains) sent the most messages?",
        "rank",
        Plan("domains", role="sender", exclude_organizations=(OWN,), order_by="count", limit=3),
    ),
    (
        "In which month did Paul send the most messages, and how many?",
        "rank",
        Plan("months", filters=(FROM_PAUL,), order_by="count", limit=1),
    ),
    ("Which outside organisation did I write to most?", "rank",
     Plan("organizations", role="recipient", filters=(People("sender", (MARTA,)),), exclude_organizations=(OWN,),
          order_by="count", limit=1)),
    ("How many conversations are there with more than ten messages?", "count", Plan("threads", at_least=11)),
    ("Which folder holds the most messages from Paul?", "rank",
     Plan("labels", filters=(FROM_PAUL,), order_by="count", limit=1)),
    ("Who is copied (Cc) most often on Marta's messages?", "rank",
     ranked("cc", People("sender", (MARTA,)), exclude_people=(MARTA,))),
    ("Who are the five most frequent senders?", "rank", ranked("sender", limit=5)),
    ("Who, apart from Paul, wrote most often in the bridge folder?", "rank",
     ranked("sender", Labels((21,)), exclude_people=(PAUL,))),
    ("Which conversation has the most messages?", "rank", Plan("threads", order_by="count", limit=1)),
    ("Who mentions the ferry most often?", "rank", ranked("sender", Mentions(("ferry",)))),
    # lists
    (
        "Name everyone at quay.example who sent a message in October 2021.",
        "list",
        Plan("people", role="sender", filters=(OCTOBER,), only_organizations=(QUAY,)),
    ),
    ("List all the messages that Ana of Quay sent.", "list", Plan(filters=(People("sender", (ANA_T,)),))),
    ("Who are the writers of the messages filed in the bridge folder?", "list",
     Plan("people", role="sender", filters=(Labels((21,)),))),
    (
        "To which addresses outside Keller-Werke did I write in October 2021?",
        "list",
        Plan("people", role="recipient", filters=(People("sender", (MARTA,)), OCTOBER), exclude_organizations=(OWN,),
             exclude_people=(MARTA,)),
    ),
    ("Messages from Paul Ndiaye to Lee Okafor", "list", Plan(filters=(FROM_PAUL, People("recipient", (LEE,))))),
    ("Which messages from Paul mention steel or rivets?", "list",
     Plan(filters=(Mentions(("steel", "rivets"), every=False), FROM_PAUL))),
    ("Which messages mention both Steel and Rivets?", "list", Plan(filters=(Mentions(("Steel", "Rivets")),))),
    # first and last
    ("Who was the first to write about Rivets?", "first",
     Plan("people", role="sender", filters=(Mentions(("Rivets",)),), order_by="date", descending=False, limit=1)),
    ("When did Paul first write to me?", "first",
     Plan(filters=(FROM_PAUL, TO_MARTA), order_by="date", descending=False, limit=1)),
    ("When was the last message from Paul?", "last", Plan(filters=(FROM_PAUL,), order_by="date", limit=1)),
    # negations
    (
        "Which people at quay.example never got a message from Marta?",
        "list",
        Plan("people", role="participant", only_organizations=(QUAY,), exclude_people=(MARTA,),
             without=(Plan("people", role="recipient", filters=(People("sender", (MARTA,)),)),)),
    ),
    (
        "Which people got at least five messages addressed to them (To) from Marta in October 2021 but sent nothing "
        "in that month?",
        "list",
        Plan("people", role="to", filters=(People("sender", (MARTA,)), OCTOBER), exclude_people=(MARTA,), at_least=5,
             without=(Plan("people", role="sender", filters=(OCTOBER,)),)),
    ),
    (
        "Who wrote to me in October 2021 but not in November 2021?",
        "list",
        Plan("people", role="sender", filters=(TO_MARTA, OCTOBER), exclude_people=(MARTA,),
             without=(Plan("people", role="sender", filters=(People("recipient", (MARTA,)), NOVEMBER)),)),
    ),
    (
        "Who sent messages in October 2021 but none in November 2021?",
        "list",
        Plan("people", role="sender", filters=(OCTOBER,),
             without=(Plan("people", role="sender", filters=(NOVEMBER,)),)),
    ),
    ("Which messages in the bridge folder are not from Paul?", "list",
     Plan(filters=(Labels((21,)),), not_filters=(FROM_PAUL,))),
    ("How many messages mention Rivets but not Steel?", "count",
     Plan(filters=(Mentions(("Rivets",)),), not_filters=(Mentions(("Steel",)),))),
    ("Which outsiders wrote to me without ever getting an answer?", "list",
     Plan("people", role="sender", filters=(TO_MARTA,), exclude_organizations=(OWN,), exclude_people=(MARTA,),
          without=(Plan("people", role="recipient", filters=(People("sender", (MARTA,)),)),))),
    # several hops
    (
        "Which people outside Keller-Werke did the main writer in the bridge folder also write to?",
        "list",
        Plan("people", role="recipient", exclude_organizations=(OWN,),
             filters=(People("sender", ranked("sender", Labels((21,)))),)),
    ),
    (
        "In which month was the sender of the message with the most recipients most active?",
        "rank",
        Plan("months", order_by="count", limit=1, filters=(
            People("sender", Plan("people", role="sender", filters=(
                Messages(Plan(order_by="recipients", limit=1)),))),)),
    ),
    (
        "Of the people to whom both Marta and Paul wrote in October 2021, which ones sent at least 20 messages that month?",
        "list",
        Plan("people", role="sender", filters=(OCTOBER,), at_least=20, exclude_people=(MARTA, PAUL), within=(
            Plan("people", role="recipient", filters=(People("sender", (MARTA,)), OCTOBER), within=(
                Plan("people", role="recipient", filters=(FROM_PAUL, OCTOBER)),)),)),
    ),
    (
        "Which people outside Keller-Werke wrote in the same conversations as the main writer in the bridge folder?",
        "list",
        Plan("people", role="sender", exclude_organizations=(OWN,),
             filters=(Threads(Plan("threads", filters=(People("sender", ranked("sender", Labels((21,)))),))),),
             without=(ranked("sender", Labels((21,))),)),
    ),
    (
        "To whom, besides Marta, did the outsider who sent the most messages in October 2021 address his mail most often?",
        "rank",
        ranked("recipient", People("sender", ranked("sender", OCTOBER, exclude_organizations=(OWN,))), exclude_people=(MARTA,)),
    ),
    # other languages
    ("Wie viele Nachrichten hat Paul Ndiaye geschickt?", "count", Plan(filters=(FROM_PAUL,))),
    ("Wer hat mir im Oktober 2021 am meisten geschrieben?", "rank",
     ranked("sender", TO_MARTA, OCTOBER, exclude_people=(MARTA,))),
    ("Zeige mir alle Nachrichten, die Rivets erwähnen.", "list", Plan(filters=(Mentions(("Rivets",)),))),
    ("Combien de messages Paul Ndiaye a-t-il envoyés ?", "count", Plan(filters=(FROM_PAUL,))),
    ("Qui a écrit le plus de messages à Marta en octobre 2021 ?", "rank",
     ranked("sender", TO_MARTA, OCTOBER, exclude_people=(MARTA,))),
    ("¿Cuántos mensajes envió Paul Ndiaye?", "count", Plan(filters=(FROM_PAUL,))),
    ("¿Quién me escribió más en octubre de 2021?", "rank", ranked("sender", TO_MARTA, OCTOBER, exclude_people=(MARTA,))),
]  # fmt: skip


@pytest.mark.parametrize(("question", "intent", "plan"), PLANS, ids=[p[0][:60] for p in PLANS])
def test_a_question_about_structure_becomes_its_plan(question: str, intent: str, plan: Plan) -> None:
    found = planned(question)
    assert found.sure, found.reason
    assert found.intent == intent
    assert found.plan is not None
    assert unordered(found.plan) == unordered(plan)


def unordered(plan: Plan) -> object:
    """Filters hold together, whatever their order."""

    def part(value: object) -> object:
        if isinstance(value, Plan):
            return unordered(value)
        if isinstance(value, People | Threads | Messages | Organizations):
            which = getattr(value, "who", None) or getattr(value, "which", None)
            return (type(value).__name__, getattr(value, "role", ""), part(which))
        return value

    fields = {name: value for name, value in plan.__dict__.items() if name != "persons"}
    for name in ("filters", "not_filters", "within", "without"):
        fields[name] = sorted(repr(part(f)) for f in fields[name])
    return repr(sorted(fields.items(), key=lambda kv: kv[0]))


@pytest.mark.parametrize(
    "question",
    [
        "What did the town pay for the steel?",
        "How many rivets did we order in the end?",
        "Why was the opening put off?",
        "Which bank lent the money for the bridge?",
        "How much does the ferry cost?",
    ],
)
def test_a_question_about_content_that_names_nobody_has_no_plan(question: str) -> None:
    found = planned(question)
    assert found.intent == "content"
    assert found.plan is None


def test_a_question_about_content_becomes_the_messages_where_its_names_meet() -> None:
    found = planned("What did Paul Ndiaye promise Ana in October 2021?")
    assert found.intent == "content"
    assert found.plan is not None
    assert set(found.plan.filters) == {
        People("sender", (PAUL,)),
        People("participant", (ANA_T, ANA_R)),
        OCTOBER,
    }
    assert "promise" in found.terms


def test_words_taken_for_a_subject_are_marked_for_confirmation() -> None:
    found = planned("How many of the weekly steel reports came from Paul?")
    assert found.plan == Plan(filters=(Subject("weekly steel reports", contains=True), FROM_PAUL))
    assert found.subject_phrase == "weekly steel reports"


def test_a_question_of_ten_thousand_characters_is_refused() -> None:
    with pytest.raises(QuestionTooLong):
        planned("bridge " * 1500)


def test_odd_questions_never_raise() -> None:
    words = [w for q, _, _ in PLANS for w in q.split()] + ["?", "(", ")", '"', "'", ",", "and", "who", "of", "the"]
    draw = random.Random(5)
    for _ in range(800):
        planned(" ".join(draw.choices(words, k=draw.randint(0, 25))))


def test_planning_with_five_thousand_people_takes_at_most_ten_milliseconds() -> None:
    draw = random.Random(1)
    syllables = "ba be do fu ga hi ja ko lu ma ne or pa qui ra se ta ul va wi xe yo za".split()
    word = lambda: "".join(draw.choices(syllables, k=3)).title()  # noqa: E731
    people = [
        Named(i, f"{(a := word())} {(b := word())}", (f"{b}, {a}",), (f"{a}.{b}@firm{i % 90}.example".lower(),), i)
        for i in range(100, 5100)
    ]
    firms = [Named(i, f"firm{i}.example", (), (f"firm{i}.example",), 5) for i in range(90)]
    big = NameIndex([*people, *INDEX.people.values()], [*firms, *INDEX.organizations.values()],
                    list(INDEX.labels.values()), (OWN,))  # fmt: skip
    times = []
    for question, _, _ in PLANS:
        started = time.perf_counter()
        rules.plan(question, big, AS_OF)
        times.append((time.perf_counter() - started) * 1000)
    assert sorted(times)[len(times) // 2] < 10, times
