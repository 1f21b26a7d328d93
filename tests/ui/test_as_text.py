"""A comparison as text: question, plan, facts, answers, and hits numbered as the answer cites them."""

from datetime import date, datetime

from retrieval.prompt import Prompt
from retrieval.result import ColumnResult
from retrieval.types import Fact, Hit, QueryError, Question, Retrieved
from ui.as_text import as_text
from ui.messages import Headline


def headline(number: int) -> Headline:
    return Headline(
        number, f"<{number}@x>", f"**subject** {number}", "Ana Ruiz", datetime(2025, 3, 2), "", 1, False, "mail", 0
    )


def test_everything_that_the_page_shows_is_there_as_it_is() -> None:
    fact = Fact("Two people.", [{"label": "Ana", "n": 1200}, {"label": "Ben"}], "SELECT", [])
    graph = ColumnResult("graph", "answered", retrieved=Retrieved([Hit(7, 1, 1.0, ()), Hit(8, 2, 0.5, ())], [fact]))
    graph.answer, graph.prompt = "It was <b>Ana</b> [1].", Prompt([], [8], 0, 0, 0)
    failed = ColumnResult("vector", "failed", errors=[QueryError("NoVectors", "There are none.", "", "Make them.")])
    text = as_text(
        Question("Who?", date(2025, 3, 9)),
        {"text": "a rank"},
        {"A": graph, "B": failed},
        {7: headline(7), 8: headline(8)},
    )
    assert text == (
        "Who?\nasked as on 9 March 2025\nunderstood as: a rank\n"
        "\nA: answered\n-----------\nTwo people.\n    1. Ana: 1,200\n    2. Ben\n"
        "Answer:\nIt was <b>Ana</b> [1].\n\n"
        "  1. 2 Mar 2025  Ana Ruiz: **subject** 7\n"
        " [1] 2 Mar 2025  Ana Ruiz: **subject** 8\n"
        "\nB: failed\n---------\nNoVectors: There are none. Make them.\n"
    )
