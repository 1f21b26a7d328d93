"""Mailbox: where the mail comes from, what became of it, what of it can be asked, and with which models.

Mail is read while the page stays open; what is stopped goes on from there the next time.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from graph import current
from graph.plan import Kind, Plan
from ingest import originals
from ingest.known import missing
from ingest.samples import KINDS, samples
from ingest.sources.imap import is_address
from ingest.status import OwnerStatus, Status
from ingest.status import status as count
from retrieval.models import catalogue
from ui import lanes, mailbox, workspace
from ui.background import VECTORS, engine_present
from ui.components import column, coverage
from ui.components import mailbox as parts
from ui.components.head import head, part, tabs
from ui.components.markup import clickable, html, show
from ui.components.message_list import message_list, page_number, pager
from ui.settings import wanted_models
from ui.workspace import Workspace

TABS = {"sources": "Sources", "ledger": "Not readable", "index": "What can be asked", "kinds": "Kinds of mail",
        "models": "Models"}  # fmt: skip
SIZE = 25
POLL = 1.0
CALLED = {
    "mail": "Personal mail", "automated": "Automated", "draft": "Drafts", "spam": "Spam", "trash": "Trash",
    "chat": "Chats", "sent": "In folders of sent mail", "recovered": "Known only from quotations",
    "empty": "Without new words",
}  # fmt: skip
BUSY = "Something else goes on already. Wait for it, or stop it first."


@column.errors_shown()
def page() -> None:
    """Draws the page."""
    space = workspace.current()
    store = head(space)
    _going_on(space, store)
    tab = tabs("mailbox", TABS, "tab", store=store)
    with column.errors_shown():
        {"ledger": _ledger, "index": _index, "kinds": _kinds, "models": _models}.get(tab, _sources)(space, store)


def _status(space: Workspace, store: str) -> Status:
    with space.store(store).reader() as conn:
        key = mailbox.changed(conn)

    def read(_: object) -> Status:
        with st.spinner("Counting …", show_time=True):
            return count(space.store(store))

    return space.read(store, ("status", key), read)


def _going_on(space: Workspace, store: str) -> None:
    """What goes on behind the page, with its end; what reading did, once it has ended."""
    busy, reading = space.background.busy, _reading(space)

    @st.fragment(run_every=POLL if busy else None)
    def strip() -> None:
        given = space.background.tasks()
        if given:
            show(parts.tasks(given))
        if done := space.read_results.get(store):
            show(parts.said(done))
        if busy and space.background.here:
            words = "Stops at the end of what it is at; the next start goes on from there."
            st.button("Stop", icon=":material/stop_circle:", on_click=lanes.halt, args=(space, store), help=words)
        if (busy and not space.background.busy) or (reading and not _reading(space)):
            st.rerun()

    strip()


def _reading(space: Workspace) -> bool:
    return any(task.name == lanes.READING and task.state == "running" for task in space.background.tasks())


def _started(began: bool) -> None:
    if began:
        st.rerun()
    st.warning(BUSY)


def _sources(space: Workspace, store: str) -> None:
    with st.form("read", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Path of an export on this machine", key="path", icon=":material/folder_open:",
            placeholder="~/mail/Takeout.mbox, a Maildir, a folder, a PST …",
        )  # fmt: skip
        chosen = st.form_submit_button("Read mail", type="primary")
    if chosen:
        _read(space, store, text.strip())
    status = _status(space, store)
    if not status.sources:
        how = (
            "No mail was read yet. Give the path of an export above: an mbox file, a Maildir, a folder of .eml files, "
            "a PST, an archive. Nothing is copied, changed or sent anywhere."
        )
        show(column.empty("The first mail is being read." if space.background.busy else how))
        return
    show(coverage.strip(space.coverage(store)))
    show(parts.figures(status))
    _owner(space, store, status)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        part(f"{len(status.sources)} sources" if len(status.sources) > 1 else "1 source")
        if st.button("Look again", icon=":material/refresh:", help="Reads only what is new in the sources below."):
            _started(lanes.read(space, store, []))
    with space.store(store).reader() as conn:
        gone = set(missing(conn))
    number = min(page_number("sources"), -(-len(status.sources) // SIZE))
    show(parts.sources(status.sources[(number - 1) * SIZE : number * SIZE], gone))
    pager("sources", number, len(status.sources), SIZE)


def _read(space: Workspace, store: str, text: str) -> None:
    path = Path(text).expanduser()
    if not text:
        st.warning("Type the path of an export first.")
    elif is_address(text):
        st.warning(f"An account asks for a password, which this page does not take: mailweave ingest {text}")
    elif not path.exists():
        st.error(f"There is nothing at {path}. Check the spelling; the path is one of this machine.")
    else:
        _started(lanes.read(space, store, [path]))


def _owner(space: Workspace, store: str, status: Status) -> None:
    for one in status.owners:
        words = "confirmed" if one.confirmed else f"proposed: {one.evidence}" if one.addresses else "nobody is known"
        part("Whose mailbox it is" if len(status.owners) == 1 else f"Whose mailbox {one.mailbox} is")
        show(html('<p class="mw-lead">“I” and “me” in a question mean these addresses ({}).</p>', words))
        _addresses(space, store, one)


def _addresses(space: Workspace, store: str, one: OwnerStatus) -> None:
    with st.form(f"owner-{one.mailbox}", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        given = st.multiselect(
            "Addresses of the owner", list(one.addresses), list(one.addresses), accept_new_options=True,
            label_visibility="collapsed", placeholder="you@example.org",
        )  # fmt: skip
        if st.form_submit_button("Save" if one.confirmed else "Confirm") and given:
            _started(lanes.read(space, store, [], given, one.mailbox))


def _ledger(space: Workspace, store: str) -> None:
    with space.store(store).reader() as conn:
        counts = mailbox.ledger_counts(conn)
        if not counts:
            show(column.empty("Everything could be read: each message is in the store."))
            return
        error = st.pills(
            "Kind of error", list(counts), key="error", bind="query-params", label_visibility="collapsed",
            format_func=lambda name: f"{name} ({counts[name]:,})",
        )  # fmt: skip
        total = counts[error] if error else sum(counts.values())
        number = min(page_number("page"), -(-total // SIZE))
        entries = mailbox.ledger(conn, error, number, SIZE)
    opened = clickable(parts.ledger(entries), key="ledger")
    pager("page", number, total, SIZE)
    if opened is not None:
        _piece(space, store, int(opened.removeprefix("entry:")))


def _piece(space: Workspace, store: str, entry: int) -> None:
    @st.dialog("As it stands in the source", width="large")
    def dialog() -> None:
        with column.errors_shown():
            with space.store(store).reader() as conn:
                data = originals.ledger_piece(conn, entry)
            if not data:
                show(column.empty("There is not a single byte."))
                return
            st.caption(f"The first {len(data):,} bytes.")
            show(html('<div class="mw-raw" tabindex="0">{}</div>', data.decode("utf-8", "replace")))

    dialog()


def _index(space: Workspace, store: str) -> None:
    here, status = space.coverage(store), _status(space, store)
    with space.store(store).reader() as conn:
        graph = current.state(conn)
    built = graph is not None and not graph.stale
    words = parts.graph_words(graph.counts, graph.built_at) if graph else "There is none yet."
    hint = "" if built else "Look at the sources again: that builds it."
    show(parts.state("Graph", built, words if built or graph is None else "Made by another version.", hint))
    silent = status.messages_without_chunks
    hint = f"{silent:,} messages have no words of their own." if silent else ""
    show(parts.state("Words", bool(status.chunks), f"{status.chunks:,} pieces of text can be searched", hint))
    done = here.chunks > 0 and here.embedded >= here.chunks
    words = f"{here.embedded:,} of {here.chunks:,} different pieces have a vector of {space.models.embed_name}"
    show(parts.state("Meaning", done, words, "" if done else "What has none is not found by its meaning."))
    _vectors(space, store, done=done)
    show(parts.state("Attachments", not status.attachments.failed, parts.attachments(status.attachments)))
    if status.attachments.reasons:
        with st.expander("Why files were not read whole"):
            rows = [{"reason": why, "files": n} for why, n in status.attachments.reasons.items()]
            st.dataframe(rows, hide_index=True)


def _vectors(space: Workspace, store: str, *, done: bool) -> None:
    if done or any(task.name == VECTORS and task.state == "running" for task in space.background.tasks()):
        return
    if space.models.embedder_or_none() is None:
        show(column.empty("The model for meaning is not here yet: fetch it under Models."))
    elif st.button("Make vectors", icon=":material/play_arrow:"):
        _started(lanes.embed(space, store))


def _kinds(space: Workspace, store: str) -> None:
    status = _status(space, store)
    if not status.messages:
        show(column.empty("There is no mail here yet. Read some under Sources."))
        return
    counts = {**status.kinds, "recovered": status.recovered, "empty": len(status.empty)}
    offered = [kind for kind in KINDS if counts.get(kind) or kind == "sent"]
    kind = st.pills(
        "Kind", offered, default=offered[0], key="kind", bind="query-params", required=True,
        label_visibility="collapsed",
        format_func=lambda name: f"{CALLED[name]} {counts[name]:,}" if name in counts else CALLED[name],
    )  # fmt: skip
    found = space.read(store, ("samples", kind), lambda conn: samples(conn, str(kind)))
    st.caption(
        f"{len(found.samples)} of {found.of:,}, spread over all of them. Drafts, spam, trash and what is known only "
        "from quotations are not counted; ranks are shown with and without automated mail."
    )
    message_list(space, store, [one.id for one in found.samples], key="samples", empty="There is none of this kind.")
    if kind in status.kinds and found.of > len(found.samples) and st.toggle("Show all", key="all", bind="query-params"):
        message_list(space, store, Plan(filters=(Kind((str(kind),)),)), key="of_kind")


def _models(space: Workspace, store: str) -> None:
    if not engine_present():
        missing_now = lanes.missing(space.settings)
        show(column.empty(f"The engine for local models is not installed here. Still missing: {missing_now}."))
        if st.button("Fetch what is missing", icon=":material/download:"):
            _started(lanes.begin(space, store, fetch=True))
    present = [one.name for one in catalogue.models() if one.is_in(space.settings.models)]
    show(html('<p class="mw-lead">They run on this machine and lie in {}.</p>', str(space.settings.models)))
    opened = clickable(parts.models(catalogue.models(), present, wanted_models(space.settings)), key="models")
    if opened is not None:
        _started(lanes.fetch(space, opened.removeprefix("fetch:")))
