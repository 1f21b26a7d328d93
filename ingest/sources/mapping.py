"""From a record of JSON or CSV to a message, when it is known which field holds what (``fields_of_mail`` says it).

What exports hold is taken as it is: people as text or objects, a plain text that is HTML, a date as a number, a whole
RFC 822 message in one field, files as Base64.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from ingest.dates import parse_date
from ingest.heads import is_head
from ingest.rebuild import Fields, File, Person, rebuild
from ingest.sources.json_stream import plain_name

Record = dict[str, Any]

NAMED = ("from", "to", "cc", "bcc")
_NAME_KEYS = ("name", "displayname", "fullname", "label", "personalname")
_ADDRESS_KEYS = ("address", "email", "emailaddress", "mail", "smtp", "smtpaddress", "value")
_HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|div|p|table|span|br|meta|style|font|center|"
    r"ul|ol|h[1-6]|a|b|i|pre)\b[^>]*>",
    re.I | re.S,
)
_END_TAG = re.compile(r"</(?:html|body|div|p|table|span|font|center|ul|ol|h[1-6]|a|b|i|pre|td)>|<br ?/?>", re.I)
_BASE64 = re.compile(r"[A-Za-z0-9+/_=\s-]{40,}\Z")


@dataclass(frozen=True, slots=True)
class Mapping:
    """``fields``: for each thing that is known of a message, the fields of a record, the first filled one counts."""

    fields: dict[str, tuple[str, ...]] = field(default_factory=dict)
    date_format: str = ""

    def message(self, record: Record) -> bytes | None:
        """The RFC 822 message of a record, or None when nothing of a message is in it."""
        raw = self._raw(record)
        if raw is not None:
            return raw
        fields = self._fields(record)
        if not (fields.subject or fields.sender or fields.text.strip() or fields.html.strip()):
            # an export may keep the whole message elsewhere when it could not take it apart
            for value in record.values():
                found = _whole(value)
                if found is not None:
                    return found
        return None if fields.is_empty() else rebuild(fields)

    def key(self, record: Record) -> str:
        """The record's own id, "" where it has none."""
        value = self._value(record, "id")
        return str(value)[:500].strip() if isinstance(value, str | int) and not isinstance(value, bool) else ""

    def labels(self, record: Record) -> tuple[str, ...]:
        """The record's labels or folder."""
        value = self._value(record, "labels")
        names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        return tuple(dict.fromkeys(name.strip() for name in names if isinstance(name, str) and name.strip()))

    def fits(self, record: Record) -> bool:
        """Whether a message can be made of this record: it is there whole, or has a sender and words."""
        if self._raw(record) is not None or any(_whole(value) is not None for value in record.values()):
            return True
        named = [what for what in ("from", "from_name", "head", "headers") if self._value(record, what)]
        return bool(named and any(self._value(record, what) for what in ("subject", "text", "html")))

    def _raw(self, record: Record) -> bytes | None:
        return _whole(self._value(record, "raw"))

    def _value(self, record: Record, what: str) -> Any:
        for path in self.fields.get(what, ()):
            value = _at(record, path)
            if value not in (None, "", [], {}):
                return value
        return None

    def _text(self, record: Record, what: str) -> str:
        value = self._value(record, what)
        if isinstance(value, list):
            return " ".join(str(each) for each in value)
        return str(value) if isinstance(value, str | int | float) else ""

    def _people(self, record: Record, what: str) -> list[str | Person]:
        value = self._value(record, what)
        names = self._value(record, f"{what}_name") if what in NAMED else None
        if isinstance(names, str):
            addresses = value.split(";") if isinstance(value, str) else [""] * len(names.split(";"))
            called = names.split(";")
            if len(called) != len(addresses):
                called = called if len(addresses) == 1 and not addresses[0] else [""] * len(addresses)
                addresses = addresses if len(called) == len(addresses) else [""] * len(called)
            return [(name, address) for name, address in zip(called, addresses, strict=True) if name or address]
        return _people(value)

    def _fields(self, record: Record) -> Fields:
        fields = Fields(
            head=self._text(record, "head"),
            message_id=self._text(record, "message_id"),
            in_reply_to=self._text(record, "in_reply_to"),
            references=self._text(record, "references"),
            thread_index=self._text(record, "thread_index"),
            date=self._date(record),
            sender=self._people(record, "from"),
            to=self._people(record, "to"),
            cc=self._people(record, "cc"),
            bcc=self._people(record, "bcc"),
            reply_to=self._people(record, "reply_to"),
            subject=self._text(record, "subject"),
            files=list(_files(self._value(record, "attachments"))),
        )
        fields.text, fields.html = self._bodies(record)
        held = self._value(record, "headers")
        if isinstance(held, dict):
            held = [{"name": name, "value": value} for name, value in held.items()]
        for header in held if isinstance(held, list) else []:
            if isinstance(header, dict) and isinstance(header.get("value"), str):
                fields.head += f"{header.get('name')}: {' '.join(header['value'].split())}\n"
        if thread := self._text(record, "thread"):
            # the parser knows a provider's conversation under the name that Gmail's has
            fields.other.append(("X-GM-THRID", thread))
        if self._value(record, "draft") in (True, "true", "True", "1", 1):
            fields.other.append(("X-Unsent", "1"))
        return fields

    def _bodies(self, record: Record) -> tuple[str, str]:
        """Plain text and HTML. A plain field that holds HTML is HTML; a body may say itself what it is."""
        text, html = self._value(record, "text"), self._value(record, "html")
        for held in (text, html):
            if isinstance(held, dict):
                content = str(held.get("content") or held.get("value") or "")
                kind = str(held.get("contentType") or held.get("type") or "").lower()
                return ("", content) if "html" in kind or looks_like_html(content) else (content, "")
        text, html = str(text or ""), str(html or "")
        if html and not looks_like_html(html):
            return text or html, ""
        if looks_like_html(text):
            return "", html or text
        return text, html

    def _date(self, record: Record) -> str | datetime:
        value = self._value(record, "date")
        if isinstance(value, str):
            try:
                if self.date_format:
                    return datetime.strptime(value.strip(), self.date_format)
                found = parse_date(value)
                if found is None and re.fullmatch(r"\d{9,13}(?:\.\d+)?", value.strip()):
                    value = float(value)
                else:
                    return found or value
            except ValueError:
                return str(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > 1e11 else value
            try:
                return datetime.fromtimestamp(seconds, UTC)
            except (OverflowError, OSError, ValueError):
                return ""
        return ""


def looks_like_html(text: str) -> bool:
    """Whether a text is HTML, whatever its field is called: it begins with a tag and has ends of tags."""
    return bool(_HTML.match(text) and (_END_TAG.search(text) or re.match(r"\s*<(?:!doctype|html)", text, re.I)))


def _at(record: Any, path: str) -> Any:
    if isinstance(record, dict):
        if path in record:
            return record[path]
        first, _, rest = path.partition(".")
        return _at(record[first], rest) if rest and first in record else None
    if isinstance(record, list):
        return [found for each in record if (found := _at(each, path)) is not None]
    return None


def _people(value: Any) -> list[str | Person]:
    """People as exports write them: text, {"name", "address"}, {"emailAddress": {...}}, and lists of these."""
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    if isinstance(value, list):
        return [person for each in value for person in _people(each)]
    if not isinstance(value, dict):
        return []
    held = {plain_name(key): content for key, content in value.items()}
    nested = held.get("emailaddress")
    if isinstance(nested, dict):
        return _people(nested)
    name = next((held[key] for key in _NAME_KEYS if isinstance(held.get(key), str)), "")
    address = next((held[key] for key in _ADDRESS_KEYS if isinstance(held.get(key), str)), "")
    return [(name, address)] if name.strip() or address.strip() else []


def _files(value: Any) -> Iterable[File]:
    for each in value if isinstance(value, list) else ():
        if not isinstance(each, dict):
            continue
        held = {plain_name(key): content for key, content in each.items()}
        name = str(held.get("name") or held.get("filename") or "")
        type_ = str(held.get("contenttype") or held.get("mimetype") or held.get("type") or "")
        content = held.get("contentbytes") or held.get("content") or held.get("data") or ""
        try:
            data = base64.b64decode(content, validate=False) if isinstance(content, str) else b""
        except (binascii.Error, ValueError):
            data = b""
        content_id = held.get("contentid")
        yield File(
            name, type_.partition(";")[0].strip().lower(), data, content_id if isinstance(content_id, str) else ""
        )


def _whole(value: Any) -> bytes | None:
    """The RFC 822 message that a field holds, as text or as Base64."""
    if not isinstance(value, str) or len(value) < 20:
        return None
    data = value.lstrip("\ufeff\r\n").encode("utf-8", "replace")
    if is_head(data):
        return data
    if len(value) > 60 and ":" not in value[:200] and _BASE64.match(value[:400]):
        try:
            data = base64.b64decode(re.sub(r"\s", "", value).replace("-", "+").replace("_", "/") + "===")
        except (binascii.Error, ValueError):
            return None
        return data if is_head(data[:16384]) else None
    return None
