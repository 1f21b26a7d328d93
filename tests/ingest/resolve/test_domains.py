"""Which domains are organisations."""

from __future__ import annotations

import pytest

from ingest.resolve.domains import family, is_provider, organization, registrable


@pytest.mark.parametrize(
    ("domain", "found"),
    [
        ("mail.harbour.com", "harbour.com"),
        ("Harbour.CO.UK", "harbour.co.uk"),
        ("harbour", None),
        ("mail.harbour.lan", "harbour.lan"),
        ("", None),
    ],
)
def test_the_registrable_domain(domain: str, found: str | None) -> None:
    assert registrable(domain) == found


@pytest.mark.parametrize("domain", ["gmail.com", "yahoo.co.uk", "web.de", "houston.rr.com", "email.msn.com", "qq.com"])
def test_providers_are_no_organisations(domain: str) -> None:
    assert is_provider(domain)
    assert organization(domain) is None
    assert family(domain) is None


def test_domains_of_one_organisation_are_a_family() -> None:
    assert family("harbour.com") == family("mail.harbour.net") == "harbour"
    assert family("parks.state.tx.us") != family("parks.state.ny.us"), "the state is no organisation's name"
    assert family("harbour.com") != family("pier.com")
