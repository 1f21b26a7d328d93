"""The text of office documents: Word, Excel, PowerPoint (Office Open XML) and OpenDocument.

They are zip archives of XML. Only text is read from them, with the parser set so that nothing is fetched and no entity
is expanded, and with a bound on what they unpack to. A spreadsheet's row becomes a line, its cells parted by tabs.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime, timedelta

from lxml import etree

from ingest.attachments.limits import MAX_UNPACKED, Collected, Unread

_DIGITS = re.compile(r"\d+")
_DATE_FORMAT = re.compile(r"(?<![\\\"])[dmyhs]", re.I)
_LITERAL = re.compile(r"\"[^\"]*\"|\[[^\]]*\]|\\.")
_SPREADSHEET_EPOCH = datetime(1899, 12, 30)
_BLOCKS = ("p", "h")
# of what is held at once: a tree takes thirty times the bytes that it is made of
_MAX_ELEMENT = 8 * 1024 * 1024


def read_office(content: bytes, into: Collected) -> None:
    """Adds the text of a document. Raises Unread when it is none, is protected or broken."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if any(info.flag_bits & 1 for info in archive.infolist()):
                raise Unread("it is protected by a password")
            reader = _Parts(archive)
            if "word/document.xml" in names:
                for name in ("word/document.xml", *_sorted(names, r"word/(?:footnotes|endnotes|comments)\.xml")):
                    _paragraphs(reader, name, into)
            elif "xl/workbook.xml" in names:
                _sheets(reader, names, into)
            elif "ppt/presentation.xml" in names:
                for name in _sorted(names, r"ppt/(?:slides|notesSlides)/\w+\.xml"):
                    _paragraphs(reader, name, into)
            elif "content.xml" in names:
                _paragraphs(reader, "content.xml", into)
            else:
                raise Unread("a zip archive: its files are not read")
    except (
        zipfile.BadZipFile,
        etree.XMLSyntaxError,
        KeyError,
        EOFError,
        NotImplementedError,
        ValueError,
        OSError,
    ) as error:
        raise Unread(f"it is broken ({error})") from error


class _Parts:
    """Parts of a document as streams of XML elements, until they have unpacked to too much."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._left = MAX_UNPACKED
        self._held = 0

    def elements(self, name: str, *tags: str) -> Iterator[etree._Element]:
        """Elements of these local names, each when it ends; what came before it is forgotten."""
        with self._archive.open(name) as self._stream:
            self._held = 0
            found = etree.iterparse(
                self, tag=[f"{{*}}{tag}" for tag in tags], resolve_entities=False, no_network=True, recover=True
            )
            given = 0
            for _, element in found:
                given += 1
                self._held = 0
                yield element
                element.clear()
                while element.getprevious() is not None and element.getparent() is not None:
                    del element.getparent()[0]
        if not given and len(found.error_log):
            raise Unread(f"its XML is broken ({found.error_log[0].message})"[:300])

    def read(self, size: int) -> bytes:
        """A block of the present part, for the parser. Raises Unread where it is too much."""
        block = self._stream.read(size)
        self._left -= len(block)
        self._held += len(block)
        if self._left < 0:
            raise Unread(f"it unpacks to more than {MAX_UNPACKED // 1024 // 1024} MB")
        if self._held > _MAX_ELEMENT:
            raise Unread(f"an element of its XML is larger than {_MAX_ELEMENT // 1024 // 1024} MB")
        return block


def _sorted(names: list[str], pattern: str) -> list[str]:
    """Names that fit, "slide2" before "slide10"."""
    found = [name for name in names if re.fullmatch(pattern, name)]
    return sorted(found, key=lambda name: ([int(number) for number in _DIGITS.findall(name)], name))


def _paragraphs(parts: _Parts, name: str, into: Collected) -> None:
    for paragraph in parts.elements(name, *_BLOCKS):
        if not into.add(_text(paragraph) + "\n"):
            return
    into.add("\n")


def _text(paragraph: etree._Element) -> str:
    """The text of a paragraph: runs (Office) or the element's own text (OpenDocument), tabs and breaks as such."""
    out: list[str] = []
    office = "openxmlformats" in str(paragraph.tag)
    for element in paragraph.iter():
        if not isinstance(element.tag, str):
            continue
        tag = etree.QName(element).localname
        if tag in ("t", "delText") or not office:
            out.append(element.text or "")
        if tag == "tab":
            out.append("\t")
        elif tag in ("br", "cr", "line-break"):
            out.append("\n")
        elif tag == "s" and not office:
            out.append(" ")
        if not office and element is not paragraph:
            out.append(element.tail or "")
    return "".join(out)


def _sheets(parts: _Parts, names: list[str], into: Collected) -> None:
    shared: list[str] = []
    if "xl/sharedStrings.xml" in names:
        for item in parts.elements("xl/sharedStrings.xml", "si"):
            shared.append("".join(t.text or "" for t in item.iter("{*}t")))
    dates = _date_styles(parts) if "xl/styles.xml" in names else set()
    titles = [str(sheet.get("name") or "") for sheet in parts.elements("xl/workbook.xml", "sheet")]
    for number, name in enumerate(_sorted(names, r"xl/worksheets/sheet\d+\.xml")):
        if number < len(titles) and not into.add(f"{titles[number]}\n"):
            return
        for row in parts.elements(name, "row"):
            cells = [_cell(cell, shared, dates) for cell in row.iter("{*}c")]
            line = "\t".join(cells).rstrip("\t")
            if line.strip() and not into.add(line + "\n"):
                return
        into.add("\n")


def _cell(cell: etree._Element, shared: list[str], dates: set[int]) -> str:
    kind = cell.get("t")
    if kind == "inlineStr":
        return "".join(t.text or "" for t in cell.iter("{*}t"))
    value = next((v.text or "" for v in cell.iter("{*}v")), "")
    if kind == "s":
        return shared[int(value)] if value.isdigit() and int(value) < len(shared) else ""
    if kind == "b":
        return {"1": "TRUE", "0": "FALSE"}.get(value, value)
    style = cell.get("s") or ""
    if value and kind in (None, "n") and style.isdigit() and int(style) in dates:
        try:
            moment = _SPREADSHEET_EPOCH + timedelta(days=float(value))
        except (ValueError, OverflowError):
            return value
        return moment.strftime("%Y-%m-%d" if float(value).is_integer() else "%Y-%m-%d %H:%M")
    return value


def _date_styles(parts: _Parts) -> set[int]:
    """The numbers of the cell styles that show a number as a date."""
    formats: dict[int, str] = {}
    styles: list[int] = []
    for element in parts.elements("xl/styles.xml", "numFmt", "cellXfs"):
        if etree.QName(element).localname == "numFmt":
            formats[int(element.get("numFmtId") or 0)] = str(element.get("formatCode") or "")
        else:
            styles = [int(style.get("numFmtId") or 0) for style in element.iter("{*}xf")]
    return {
        place
        for place, number in enumerate(styles)
        if 14 <= number <= 22 or (number in formats and _DATE_FORMAT.search(_LITERAL.sub("", formats[number])))
    }
