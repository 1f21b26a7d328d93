"""Invented names for the planner's tests."""

from __future__ import annotations

from retrieval.linker import NameIndex
from retrieval.name_forms import Named

MARTA, PAUL, ANA_T, ANA_R, LEE, ROBERT, DANA, BOT = range(1, 9)
OWN, QUAY, HARBOUR, FERRY = range(11, 15)
LABELS = {21: "projects.bridge", 22: "projects.bridge_money", 23: "Inbox", 24: "projects.old_bridge"}


def index() -> NameIndex:
    """Marta Keller owns the mailbox and works at keller-werke.example; there are two people called Ana."""
    people = [
        Named(MARTA, "Marta Keller", ("Keller, Marta",), ("marta@keller-werke.example",), 900, is_owner=True),
        Named(PAUL, "Paul Ndiaye", ("Ndiaye, Paul K.",), ("paul.ndiaye@keller-werke.example",), 300),
        Named(ANA_T, "Ana Torres", (), ("ana.torres@quay.example",), 80),
        Named(ANA_R, "Ana Ruiz", (), ("ana@harbour.example", "ana.ruiz@webmail.example"), 40),
        Named(LEE, "Lee Okafor", (), ("lee.okafor@keller-werke.example",), 60),
        Named(ROBERT, "Robert Milton", (), ("robert.milton@quay.example",), 50),
        Named(DANA, "Dana Price", (), ("dana.price@harbour.example",), 20),
        Named(BOT, "Harbour Notices", (), ("notices@harbour.example",), 500, is_role=True),
    ]
    organizations = [
        Named(OWN, "keller-werke.example", (), ("keller-werke.example",), 1000),
        Named(QUAY, "quay.example", (), ("quay.example",), 120),
        Named(HARBOUR, "harbour.example", (), ("harbour.example",), 550),
        Named(FERRY, "ferry-lines.example", (), ("ferry-lines.example",), 10),
    ]
    labels = [Named(id, name, (name,), (), 10) for id, name in LABELS.items()]
    return NameIndex(people, organizations, labels, owner_organizations=(OWN,))
