"""Conversations: by headers, and by the subject only where nothing better is known."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.resolve.threads import DAY, Node, join
from tests.ingest.resolve import measure
from tests.ingest.resolve.measure import partition


def node(
    message: int, *, refs: str = "", answers: str = "", at: float | None = None, subject: str = "pump",
    marked: bool = False, who: tuple[int, ...] = (1, 2), ids: str | None = None, index: bytes | None = None,
    gm: str | None = None,
) -> Node:  # fmt: skip
    own = tuple((ids or f"m{message}").split())
    return Node(
        message, own, message * 60.0 if at is None else at, subject, marked, tuple(answers.split()),
        tuple(refs.split()), index, gm, frozenset(who), own[0],
    )  # fmt: skip


def threads(*nodes: Node) -> set[frozenset[int]]:
    """The threads, whatever the order of the nodes."""
    results = {partition(join(order)) for order in list(permutations(nodes))[:24]}
    assert len(results) == 1, "the order matters"
    return set(next(iter(results)))


def sets(*groups: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(group) for group in groups}


def test_references_join() -> None:
    found = threads(node(1), node(2, answers="m1"), node(3, refs="m1 m2"), node(4, subject="other"))
    assert found == sets((1, 2, 3), (4,))


def test_two_answers_to_a_message_that_is_not_there_are_one_thread() -> None:
    assert threads(node(1, refs="gone"), node(2, answers="gone")) == sets((1, 2))
    assert threads(node(1, refs="a gone"), node(2, refs="a"), node(3, refs="b")) == sets((1, 2), (3,))


def test_cycles_and_references_to_oneself_do_no_harm() -> None:
    found = join([node(1, answers="m2"), node(2, answers="m1"), node(3, answers="m3", refs="m3")])
    assert partition(found) == frozenset(sets((1, 2), (3,)))
    assert found.replies == [(2, 1, "in_reply_to")], "the earlier one does not answer the later"


def test_the_copies_ids_of_a_message_all_count() -> None:
    assert threads(node(1, ids="x y"), node(2, answers="y")) == sets((1, 2))


def test_an_id_that_many_mails_bear_joins_nothing_but_its_answer() -> None:
    many = [node(n, ids="same", subject=f"report {n}") for n in (1, 2, 3)]
    assert threads(*many, node(4, answers="same", at=130.0)) == sets((1,), (2, 4), (3,))


def test_outlook_and_gmail_conversations_join() -> None:
    index = bytes(range(22))
    assert threads(node(1, index=index), node(2, index=index + b"12345"), node(3, index=bytes(22))) == sets(
        (1, 2), (3,)
    )
    assert threads(node(1, gm="17"), node(2, gm="17"), node(3, gm="18")) == sets((1, 2), (3,))


def test_a_marked_subject_follows_the_latest_earlier_message() -> None:
    found = join([node(1), node(2), node(3, marked=True)])
    assert partition(found) == frozenset(sets((1,), (2, 3)))
    assert found.rule == {1: "start", 2: "start", 3: "subject"}


def test_without_mark_or_shared_participant_or_within_a_month_no_subject_joins() -> None:
    assert threads(node(1), node(2)) == sets((1,), (2,)), "a recurring report"
    assert threads(node(1, who=(1, 2)), node(2, marked=True, who=(3, 4))) == sets((1,), (2,))
    assert threads(node(1), node(2, marked=True, at=32 * DAY)) == sets((1,), (2,))
    assert threads(node(1, subject=""), node(2, subject="", marked=True)) == sets((1,), (2,))
    assert threads(node(1), node(2, marked=True, subject="other")) == sets((1,), (2,))


def test_no_chain_of_subjects_spans_a_year() -> None:
    found = join([node(1, at=0.0), *(node(n, marked=True, at=n * 25.0 * DAY) for n in range(2, 40))])
    when = {n: 0.0 if n == 1 else n * 25.0 for n in found.thread}
    for group in partition(found):
        assert max(when[n] for n in group) - min(when[n] for n in group) <= 365


def test_what_is_placed_by_headers_or_quotes_is_not_moved_by_its_subject() -> None:
    nodes = [node(1), node(2), node(3, marked=True)]
    found = join(nodes, quotes=[(3, 1)], answered=[(3, 1)])
    assert partition(found) == frozenset(sets((1, 3), (2,)))
    assert (found.rule[3], found.replies) == ("quote", [(3, 1, "quote")])
    assert join([*nodes[:2], node(3, marked=True, answers="m2")], answered=[(3, 1)]).replies == [(3, 2, "in_reply_to")]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_order_of_messages_never_matters(data: st.DataObject) -> None:
    ids = st.sampled_from(["m1", "m2", "m3", "m4", "m5", "x", "y"])
    nodes = [
        node(
            n, refs=" ".join(data.draw(st.lists(ids, max_size=3))), marked=data.draw(st.booleans()),
            at=data.draw(st.sampled_from([0.0, 60.0, 40 * DAY])), subject=data.draw(st.sampled_from(["a", "b", ""])),
            who=tuple(data.draw(st.sets(st.integers(1, 3), max_size=2))),
        )
        for n in range(1, 6)
    ]  # fmt: skip
    first, second = join(nodes), join(data.draw(st.permutations(nodes)))
    assert partition(first) == partition(second)
    assert sorted(first.replies) == sorted(second.replies)


def test_a_real_list_is_rebuilt_without_its_headers() -> None:
    found = measure.list_without_headers()
    assert 1 - found.precision <= 0.02
    assert found.f1 >= 0.95
