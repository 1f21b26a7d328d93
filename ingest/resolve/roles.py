"""Addresses that are nobody's own: offices, lists, machines, placeholders. They are never merged with a person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ingest.resolve.names import fold

# Any of these as a word of the local part.
_ANYWHERE = frozenset(
    """
    noreply donotreply nepasrepondre postmaster mailerdaemon daemon webmaster hostmaster newsletter newsletters
    announce announcement announcements notification notifications notify alert alerts bounce bounces autoreply
    autoresponder helpdesk undisclosed unsubscribe subscribe subscription subscriptions listserv majordomo owner request
    mailman mailing maillist digest list lists support customerservice customercare webinfo feedback survey surveys
    promotions promo offers offer moderator moderators reply replies confirm confirmation communications
    """.split()
)  # fmt: skip
# These only as the whole local part, or as its first or last word beside another role word.
_ALONE = frozenset(
    """
    info contact contacts office admin administrator administration sales service services marketing press media news
    help jobs job careers career recruiting recruitment hr humanresources team staff everyone all members billing
    accounts accounting accountspayable accountsreceivable ap ar orders order invoice invoices payments booking bookings
    reservations reception frontdesk enquiries enquiry inquiries inquiry mail email webmail mailbox root system security
    abuse privacy legal compliance events event editor editors editorial letters customer customers client clients
    membership registration registrar secretary secretariat president chairman ceo cfo board committee council dept
    department research analyst training travel fax pager scanner printer calendar conference room test user users
    guest anonymous nobody noone unknown noaddress kontakt buero vertrieb verwaltung bewerbung rechnung service
    contacto ventas facturacion comptabilite accueil ufficio amministrazione vendite group groups community program
    programs it eng engineering operations ops desk trading finance corporate public relations publicrelations
    investor investorrelations benefits payroll
    """.split()
)  # fmt: skip
_NAME_WORDS = frozenset(
    """
    team group list department administrator office committee council board center centre helpdesk desk newsletter
    announcement announcements subscribers members undisclosed recipients mailing daemon system distribution everyone
    services support customer notification notifications alert alerts digest
    """.split()
)  # fmt: skip
_SERIAL = re.compile(r"[._+=-]\d{5,}(?:$|[._+=-])|\d{9,}")
_DEVICE = re.compile(r"\(.*\bfax\b.*\)|\bpager\b", re.I)


@cache
def is_role_local_part(local: str) -> bool:
    """Whether a local part names a function and not a person."""
    local = local.partition("+")[0] or local
    words = [fold(word) for word in re.split(r"[._=-]+", local) if word]
    joined = "".join(words)
    if any(word in _ANYWHERE for word in words) or joined in _ANYWHERE or joined in _ALONE:
        return True
    if _SERIAL.search(local):
        return True
    return all(word in _ALONE or len(word) <= 1 or word.isdigit() for word in words)


def is_role(local: str, names: Mapping[str, int], surnames: int, own: bool) -> bool:
    """Whether an address is nobody's own.

    ``names``: display names with how often they were seen. ``surnames``: how many last names are among them; three or
    more mean that several people share the address, unless the local part says whose it is (``own``).
    """
    if is_role_local_part(local):
        return True
    total = sum(names.values())
    if total and not own:
        functions = sum(n for name, n in names.items() if set(fold(name).split()) & _NAME_WORDS or _DEVICE.search(name))
        if 2 * functions > total:
            return True
    return surnames >= 3 and not own
