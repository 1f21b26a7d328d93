"""Small, valid PDF, DOCX, XLSX and CSV files out of written text, with the standard library alone.

What an attachment says stands in content/attachments.txt (`== name.ext`, then lines; `|` separates cells). The same
name always gives the same bytes, so an attachment sent twice has one checksum.
"""

import csv
import io
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

from ui.demo.people import CONTENT

OFFICE = "http://schemas.openxmlformats.org"
RELATIONS = f"{OFFICE}/officeDocument/2006/relationships"
TYPES = {
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "csv": "text/csv",
}
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def load(path: Path = CONTENT / "attachments.txt") -> dict[str, bytes]:
    """All attachments of the content file, by name, as bytes."""
    files: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            lines = files.setdefault(line[3:].strip(), [])
        elif not line.startswith("#"):
            lines.append(line)
    return {name: make(name, "\n".join(lines).strip("\n").splitlines()) for name, lines in files.items()}


def make(name: str, lines: list[str]) -> bytes:
    """The file `name` holding `lines`; its ending says which kind. KeyError for an unknown kind."""
    makers = {"pdf": _pdf, "docx": _docx, "xlsx": _xlsx, "csv": _csv}
    return makers[name.rpartition(".")[2]](lines)


def _csv(lines: list[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([cell.strip() for cell in line.split("|")] for line in lines)
    return out.getvalue().encode("utf-8")


def _pdf(lines: list[str]) -> bytes:
    """One page of Helvetica per 48 lines, with a cross-reference table (PDF 1.4)."""
    pages = [lines[start : start + 48] for start in range(0, max(len(lines), 1), 48)]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for n, page in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {5 + 2 * n} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        shown = b"".join(b"(" + _pdf_text(line.replace("|", "   ")) + b") Tj T*\n" for line in page)
        stream = b"BT /F1 11 Tf 15 TL 56 780 Td\n" + shown + b"ET"
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    places = []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def _pdf_text(line: str) -> bytes:
    encoded = line.encode("cp1252", "replace")
    return encoded.replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")


def _docx(lines: list[str]) -> bytes:
    word = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    text = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{escape(line.replace("|", "  "))}</w:t></w:r></w:p>' for line in lines
    )
    space = f"{OFFICE}/wordprocessingml/2006/main"
    return _package(
        {"/word/document.xml": f"{word}.document.main+xml"},
        "word/document.xml",
        {"word/document.xml": f'{XML}<w:document xmlns:w="{space}"><w:body>{text}</w:body></w:document>'},
    )


def _xlsx(lines: list[str]) -> bytes:
    sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    space = f"{OFFICE}/spreadsheetml/2006/main"
    rows = []
    for number, line in enumerate(lines, 1):
        cells = "".join(
            _cell(f"{chr(65 + column)}{number}", value.strip()) for column, value in enumerate(line.split("|"))
        )
        rows.append(f'<row r="{number}">{cells}</row>')
    book = '<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets>'
    links = f'<Relationship Id="rId1" Type="{RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
    return _package(
        {
            "/xl/workbook.xml": f"{sheet}.sheet.main+xml",
            "/xl/worksheets/sheet1.xml": f"{sheet}.worksheet+xml",
        },
        "xl/workbook.xml",
        {
            "xl/workbook.xml": f'{XML}<workbook xmlns="{space}" xmlns:r="{RELATIONS}">{book}</workbook>',
            "xl/_rels/workbook.xml.rels": _relationships(links),
            "xl/worksheets/sheet1.xml": (
                f'{XML}<worksheet xmlns="{space}"><sheetData>{"".join(rows)}</sheetData></worksheet>'
            ),
        },
    )


def _cell(place: str, value: str) -> str:
    try:
        return f'<c r="{place}"><v>{float(value):g}</v></c>'
    except ValueError:
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def _relationships(links: str) -> str:
    return f'{XML}<Relationships xmlns="{OFFICE}/package/2006/relationships">{links}</Relationships>'


def _package(types: dict[str, str], main: str, parts: dict[str, str]) -> bytes:
    """An Open Packaging zip; fixed time stamps, so that the bytes do not depend on the day."""
    known = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    known += "".join(f'<Override PartName="{part}" ContentType="{kind}"/>' for part, kind in types.items())
    root = f'<Relationship Id="rId1" Type="{RELATIONS}/officeDocument" Target="{main}"/>'
    space = f"{OFFICE}/package/2006/content-types"
    everything = {
        "[Content_Types].xml": f'{XML}<Types xmlns="{space}">{known}</Types>',
        "_rels/.rels": _relationships(root),
        **parts,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, text in everything.items():
            archive.writestr(zipfile.ZipInfo(name, (2025, 1, 1, 0, 0, 0)), text.encode("utf-8"))
    return out.getvalue()
