"""Identifiers in the shape of each mail program's own, as checksums of an entry's key.

They depend on nothing but the key, the sender and the date, so that labelled questions can name messages.
"""

import base64
import hashlib

from ui.demo.script import Entry


def message_id(entry: Entry) -> str:
    """The entry's Message-ID: stable, and in the shape its mail program would give it."""
    d, domain = digest(entry.key, 40), entry.sender.domain
    seconds = int(entry.date.timestamp())
    client = entry.client
    if client == "gmail":
        return f"<CA{_letters(entry.key, 30)}=_{_letters(entry.key + 'b', 12)}@mail.{domain}>"
    if client == "apple":
        return f"<{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:32]}@{domain}>".upper().replace(domain.upper(), domain)
    if client == "thunderbird":
        return f"<{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:32]}@{domain}>"
    if client in ("notes", "notes7"):
        u = d.upper()
        return f"<OF{u[:8]}.{u[8:16]}-ON80258{u[16:19]}.{u[19:27]}-80258{u[27:30]}.{u[30:38]}@{domain}>"
    if client == "poor":
        return f"<{seconds}.{int(d[:5], 16)}@mobil.{domain}>"
    if client == "machine":
        return f"<{seconds}.{d[:16]}@{domain}>"
    u = d.upper()
    return f"<{u[:12]}{u[12:20]}.{u[20:28]}.{u[28:32]}@mbx.{domain}>"


def references(entry: Entry) -> list[str]:
    """Message-IDs of the conversation so far, oldest first; empty where the program keeps none."""
    if entry.parent is None:
        return []
    kept = [] if entry.parent.client == "poor" else references(entry.parent)
    return [*kept, message_id(entry.parent)]


def thread_index(entry: Entry) -> str:
    """Outlook's Thread-Index: a time and a GUID for the first message, five bytes more for each answer."""
    if entry.parent is None or entry.parent.client not in ("outlook", "htmlonly", "oldoutlook"):
        ticks = int((entry.date.timestamp() + 11644473600) * 10**7)
        guid = hashlib.sha256(entry.key.encode()).digest()[:16]
        return base64.b64encode(ticks.to_bytes(8, "big")[:6] + guid).decode()
    block = hashlib.sha256(entry.key.encode()).digest()[:5]
    return base64.b64encode(base64.b64decode(thread_index(entry.parent)) + block).decode()


def digest(text: str, length: int) -> str:
    """The first `length` hexadecimal digits of a checksum."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:length]


def _letters(text: str, length: int) -> str:
    return base64.b64encode(hashlib.sha512(text.encode("utf-8")).digest()).decode().replace("/", "-")[:length]
