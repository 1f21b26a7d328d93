"""The jobs that are killed, each as a program of its own: python -m tests.chaos.jobs JOB STORE HOME MAIL

Each does what a person's command does and can be run again after it was cut short anywhere; ``PREPARE`` says which jobs
have to be done before. ``state`` is what must be equal afterwards, by natural keys.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from graph.check import check as check_graph
from ingest import people, pipeline
from ingest.check import check
from ingest.embed import embed as embed_store
from ingest.known_people import find, known
from retrieval.evaluation.questions import read_questions
from retrieval.evaluation.run import run
from retrieval.models.embed import open_embedder
from sql import backup as backups
from sql.errors import StoreError, StoreNotEmpty
from sql.store import Store, open_store
from tests.ingest.mailboxes import rows, snapshot
from ui.decisions import carry_out
from ui.reading import build_graph, read_mail

PREPARE: dict[str, tuple[str, ...]] = {
    "ingest": (), "graph": ("ingest",), "embed": ("ingest",), "evaluate": ("ingest",), "people": ("ingest",),
    "backup": ("ingest",), "restore": ("original",),
}  # fmt: skip
COLUMNS = ("lexical", "graph")


def ingest(store: Store, mail: Path) -> None:
    """Reading, people, threads, chunks and the graph."""
    pipeline.BATCH_MESSAGES = 40
    read_mail(store, [mail], owner=["p3@org3.example"], jobs=2)


def graph(store: Store, mail: Path) -> None:
    """The graph anew, as after a change of its version."""
    with store.owner() as conn:
        conn.execute("UPDATE mail.index_state SET fingerprint = 'of another version' WHERE name = 'graph'")
    build_graph(store)


def embed(store: Store, mail: Path) -> None:
    """Vectors, by the real model."""
    embedder = open_embedder(
        "all-minilm-l6-v2", cache=Path(os.environ.get("MAILWEAVE_TEST_MODELS", "/var/cache/mailweave-models"))
    )
    try:
        embed_store(store, embedder)
    finally:
        embedder.close()


def evaluate(store: Store, mail: Path) -> None:
    """A run over questions with known gold."""
    path = mail.parent / "questions.jsonl"
    lines = [
        {
            "id": f"q{n}",
            "question": f"Who wrote report {n} on the quay?",
            "kind": "lookup",
            "gold_message_ids": [[f"<{n}@x>"]],
        }
        for n in range(12)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    with store.reader() as conn:
        if conn.execute("SELECT 1 FROM mail.evaluation_run WHERE finished IS NOT NULL").fetchone():
            return
    run(store, read_questions(path), COLUMNS, name="chaos")


def people_(store: Store, mail: Path) -> None:
    """Merges, a split and a merge that is taken back; what is decided already is not decided twice."""
    wanted = [("merge", "p1@org1.example", "p2@org2.example"), ("merge", "p1@org1.example", "p5@org1.example"),
              ("split", "p2@org2.example", ""), ("merge", "p7@org3.example", "p8@org0.example")]  # fmt: skip
    for number, (how, a, b) in enumerate(wanted, 1):

        def decide(conn: Any, number: int = number, how: str = how, a: str = a, b: str = b) -> people.Decision:
            for taken in people.decisions(conn):
                if taken.number == number:
                    return taken
            everybody = known(conn)
            if how == "merge":
                return people.merge(conn, find(everybody, a), find(everybody, b))
            return people.split(conn, find(everybody, a), a)

        carry_out(store, decide)


def backup(store: Store, mail: Path) -> None:
    """A backup beside the mail; one that is there, whoever wrote it and was killed, has to be whole."""
    path = mail.parent / "made.mailweave"
    if path.exists():
        backups.check(path, backups.read_manifest(path))
    made = backups.backup(store, path)
    assert backups.read_manifest(path) == made
    backups.check(path, made)
    assert not path.with_name(path.name + ".partial").exists()


def original(store: Store, mail: Path) -> None:
    """The backup that is restored, of another store with that mail and what people decided in it."""
    assert store._own_server is not None
    if (mail.parent / "original.mailweave").exists():
        return
    with open_store("original", home=store._own_server.home) as other:
        ingest(other, mail)
        people_(other, mail)
        backups.backup(other, mail.parent / "original.mailweave")


def restore(store: Store, mail: Path) -> None:
    """The backup, and its graph; a store in which both are there is not restored into once more."""
    with suppress(StoreNotEmpty):
        backups.restore(store, mail.parent / "original.mailweave")
        build_graph(store)


JOBS: dict[str, Callable[[Store, Path], None]] = {
    "ingest": ingest, "graph": graph, "embed": embed, "evaluate": evaluate, "people": people_, "backup": backup,
    "restore": restore,
}  # fmt: skip


def state(store: Store) -> dict[str, Any]:
    """Everything that must be as in an undisturbed run. Raises AssertionError where the store contradicts itself."""
    found: dict[str, Any] = dict(snapshot(store))
    with store.owner() as conn:
        wrong = [str(each) for each in [*check(conn), *check_graph(conn)]]
        assert not wrong, wrong
        found["graph"] = conn.execute("SELECT counts FROM mail.index_state WHERE name = 'graph'").fetchall()
        vectors = conn.execute("SELECT to_regclass('mail.vector_all_minilm_l6_v2') IS NOT NULL").fetchone() == (True,)
    if vectors:
        found["vectors"] = rows(store, "SELECT encode(sha256, 'hex') FROM mail.vector_all_minilm_l6_v2 ORDER BY 1")
    found["records"] = rows(
        store,
        "SELECT question, retriever, record ->> 'outcome', (SELECT array_agg(m.message_id ORDER BY n) FROM"
        " jsonb_array_elements_text(record -> 'messages') WITH ORDINALITY AS h (id, n)"
        " JOIN mail.message m ON m.id = h.id::bigint) FROM mail.evaluation_record ORDER BY 1, 2",
    )
    found["runs"] = rows(store, "SELECT questions, sha256, columns, finished IS NOT NULL FROM mail.evaluation_run")
    return found


if __name__ == "__main__":
    job, name, home, mail = sys.argv[1:]
    try:
        with open_store(name, home=Path(home)) as opened:
            print("begins", flush=True)
            {**JOBS, "original": original}[job](opened, Path(mail))
    except StoreError as error:
        print(f"{type(error).__name__}: {error}")
        sys.exit(1)
