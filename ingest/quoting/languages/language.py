"""One row of the language data."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """Words of one language.

    ``opens`` stand before the date ("On"), ``wrote`` end an attribution ("wrote"), ``wrote_then`` stand in the middle
    of one ("schrieb NAME:"). ``original`` and ``forwarded`` are banners without their dashes. The rest are header
    labels without the colon. ``months`` are the twelve names with their short forms, in order, twelve groups.
    """

    code: str
    opens: str
    wrote: str
    wrote_then: str
    sender: str
    sent: str
    to: str
    cc: str
    subject: str
    original: str
    forwarded: str
    months: str
    weekdays: str
