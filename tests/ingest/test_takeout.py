"""Gmail's export: labels in any language and encoding, the conversation, in a zip as it is downloaded."""

import base64
import zipfile
from pathlib import Path

import pytest

from ingest import sources
from ingest.parse import parse
from ingest.types import Message, RawMessage


def takeout(path: Path, labels: str) -> Message:
    mail = (
        "From 1794@xxx Tue Mar 12 08:15:20 +0000 2024\nX-GM-THRID: 1793320440163458041\n"
        f"X-Gmail-Labels: {labels}\nFrom: ada@quill.example\nSubject: Pier\n\nHello.\n\n"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("Takeout/Mail/All mail Including Spam and Trash.mbox", mail)
        out.writestr("Takeout/archive_browser.html", "<html></html>")
    (source,) = sources.find(path).files
    (message,) = (parse(piece) for piece in sources.read(source) if isinstance(piece, RawMessage))
    return message


def word(text: str, encoding: str = "q") -> str:
    data = text.encode()
    if encoding == "b":
        return f"=?UTF-8?B?{base64.b64encode(data).decode()}?="
    return "=?UTF-8?Q?" + "".join(f"={byte:02X}" for byte in data) + "?="


@pytest.mark.parametrize(
    ("labels", "names", "kind"),
    [
        ("Inbox,Work", ("Inbox", "Work"), "mail"),
        ('Inbox,"Work, urgent",Opened', ("Inbox", "Work, urgent", "Opened"), "mail"),
        (word("Gesendet,Geöffnet,Arbeit"), ("Gesendet", "Geöffnet", "Arbeit"), "mail"),
        (word("受信トレイ,重要", "b"), ("受信トレイ", "重要"), "mail"),
        (word("受信トレ", "b") + "\n " + word("イ,重要", "b"), ("受信トレイ", "重要"), "mail"),
        (word("Входящие,Спам"), ("Входящие", "Спам"), "spam"),
        (word("Papierkorb,Ungelesen"), ("Papierkorb", "Ungelesen"), "trash"),
        (word("Brouillons"), ("Brouillons",), "draft"),
        ("Chat", ("Chat",), "chat"),
        ("Work/Piers/Nine", ("Work/Piers/Nine",), "mail"),
    ],
)
def test_labels_take_the_place_of_the_files_name(
    tmp_path: Path, labels: str, names: tuple[str, ...], kind: str
) -> None:
    message = takeout(tmp_path / "takeout-20240312.zip", labels)
    assert (message.labels, message.kind, message.gm_thread) == (names, kind, "1793320440163458041")
