"""How messages are cut for reading: nothing of a body is lost, history is folded."""

from ui.messages import SNIPPET, Piece, _snippet, pieces


def test_a_body_is_cut_at_its_hidden_spans_and_nothing_is_lost() -> None:
    body = "Yes, let us.\n\n> Shall we move it?\n> Thursday works.\n\nAna\n"
    start, stop, signature = body.index(">"), body.index("\n\nAna"), body.index("Ana")
    cut = pieces(body, [(start, stop, "quote"), (signature, len(body), "signature")])
    assert [piece.hidden for piece in cut] == [None, "quote", "signature"]
    assert "".join(piece.text for piece in cut) == body


def test_neighbouring_spans_of_one_kind_are_folded_once() -> None:
    body = "> one\n> two\nnew"
    assert pieces(body, [(0, 6, "quote"), (6, 12, "quote")]) == (Piece("> one\n> two\n", "quote"), Piece("new", None))


def test_a_body_without_hidden_text_is_one_piece() -> None:
    assert pieces("hello", []) == (Piece("hello", None),)
    assert pieces("", []) == ()


def test_a_snippet_is_one_line_cut_at_a_word() -> None:
    text = _snippet("The  rate\nis " + "very " * 100, False)
    assert text.startswith("The rate is very")
    assert text.endswith("very…")
    assert len(text) <= SNIPPET + 1


def test_a_snippet_from_the_middle_says_so() -> None:
    assert _snippet("rate is 90", True) == "…rate is 90"
