"""Addresses that are nobody's own."""

from __future__ import annotations

import pytest

from ingest.resolve.roles import is_role, is_role_local_part


@pytest.mark.parametrize(
    "local",
    [
        "info", "no-reply", "noreply", "do_not_reply", "postmaster", "mailer-daemon", "sales.office", "hr", "support-4",
        "list-request", "list-owner", "owner-list", "bounce-9938", "news_041701", "no.address", "help.desk", "8005551234",
        "announcements.pier", "kontakt", "accountspayable", "reservas", "fatturazione-2",
    ],
)  # fmt: skip
def test_offices_lists_and_machines(local: str) -> None:
    assert is_role_local_part(local)


@pytest.mark.parametrize(
    "local", ["ada.quill", "aquill", "ada77", "m..quill", "ada+list", "joe1965", "newsome", "hall"]
)
def test_people(local: str) -> None:
    assert not is_role_local_part(local)


@pytest.mark.parametrize(
    "local",
    [
        "bauleitung", "einkauf.nord", "contratacion", "reservas-lisboa", "comptabilite.lyon", "amministrazione.sud",
        "klantenservice", "guestservices", "zamowienia", "ugyfelszolgalat", "kundtjanst", "dl-all_harbour",
    ],
)  # fmt: skip
def test_departments_and_purposes_in_many_languages(local: str) -> None:
    assert is_role(local, {}, 0, own=False)


def test_a_department_in_the_name_of_its_one_user_is_a_person() -> None:
    assert is_role("procurement.quill", {}, 0, own=False)
    assert not is_role("procurement.quill", {"Quill, Ada - Procurement": 3}, 1, own=True)


def test_names_of_functions_and_many_people_tell_too() -> None:
    assert is_role("pier9", {"Harbour Committee": 5}, 0, own=False)
    assert is_role("line4", {"*Ada Quill (Business Fax)": 3}, 1, own=False)
    assert is_role("desk9", {"Ada Quill": 1, "Joe Quay": 1, "Pia Storm": 1}, 3, own=False)
    assert not is_role("ada.quill", {"Ada Quill": 1, "Ada Storm": 1, "Ada Quay": 1}, 3, own=True)
    assert not is_role("aquill", {"Ada Quill": 4}, 1, own=True)
