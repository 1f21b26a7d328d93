"""The order of a blind comparison: the same at each look at a question, and not always the same one."""

from itertools import permutations

from ui.blind import mixed


def test_the_order_depends_on_the_question_and_not_on_how_columns_were_chosen() -> None:
    columns = ("vector", "graph", "lexical")
    orders = {tuple(mixed("Who wrote most?", order).items()) for order in permutations(columns)}
    assert len(orders) == 1
    assert list(mixed("Who wrote most?", columns).values()) == ["A", "B", "C"]


def test_over_many_questions_each_column_comes_first_about_as_often() -> None:
    first = [next(iter(mixed(f"question {n}", ["vector", "graph", "lexical"]))) for n in range(600)]
    assert all(150 < first.count(name) < 250 for name in ("vector", "graph", "lexical"))
