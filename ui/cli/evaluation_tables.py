"""Reports as tables that can be read in a terminal: a value, its interval, and how many questions it rests on."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from retrieval.evaluation.report import main_value

SHARES = {
    "recall@5": "recall@5",
    "recall@12": "recall@12",
    "recall@40": "recall@40",
    "thread_recall@12": "thread@12",
    "mrr": "MRR",
    "ndcg@10": "nDCG@10",
    "map": "MAP",
    "value_correct": "values",
    "facts_found": "facts",
    "facts_judged": "judged",
    "refused_right": "refusals",
}


def comparison(console: Console, made: Mapping[str, Any]) -> None:
    """What ``mailweave compare`` prints: the headline, the pairs, the columns."""
    pairs = made["pairs"]
    for pair in pairs[:1]:
        console.print(headline(pair), style="bold", highlight=False)
        console.print(
            f"Mean over {made['questions']} questions; over the {pair['both_found']} for which both found something: "
            f"{pair['shared_where_both_found'] if pair['both_found'] else '-'}.",
            highlight=False,
        )
    if len(pairs) > 1:
        console.print(_overlap(made))
    for part in _behaviour(made["columns"]):
        console.print(part)
    kinds = table("Shared messages by kind of question", "kind", [f"{p['a']} · {p['b']}" for p in pairs[:6]])
    for kind in pairs[0]["by_kind"] if pairs else ():
        kinds.add_row(kind, *(f"{pair['by_kind'][kind]:.1f}" for pair in pairs[:6]))
    if pairs:
        console.print(kinds)


def headline(pair: Mapping[str, Any]) -> str:
    """The sentence that a comparison is about."""
    return f"{pair['a']} and {pair['b']} share {pair['shared']:.1f} of {pair['of']} messages."


def evaluation(console: Console, report: Mapping[str, Any]) -> None:
    """What ``mailweave evaluate`` prints."""
    columns = report["retrievers"]
    shown = {
        name: title
        for name, title in SHARES.items()
        if any(c["overall"].get(name) is not None for c in columns.values())
    }
    shown_table = table(f"{report['questions']} questions, run {report['run']}", "column", [*shown.values(), "ms"])
    for column, made in columns.items():
        cells = (share(made["overall"][name]) for name in shown)
        shown_table.add_row(column, *cells, milliseconds(made["overall"]["median_ms"]))
    console.print(shown_table)
    kinds = table("By kind (values where there is one, else recall@12)", "kind", ["n", *columns])
    for kind in next(iter(columns.values()))["by_kind"]:
        values = [main_value(made["by_kind"][kind]) for made in columns.values()]
        n = next(iter(columns.values()))["by_kind"][kind]["questions"]
        kinds.add_row(
            kind, str(n), *(share(value, interval=console.width > 20 + 14 * len(columns)) for value in values)
        )
    console.print(kinds)
    for line in (*_pairs(report["pairs"]), *_router(report["router"]), *_judge(report["judge"]), *_trouble(columns)):
        console.print(line, highlight=False)
    for one in report["excluded"]:
        console.print(f"{one['id']}: {one['why']}.", style="yellow", highlight=False)
    for warning in report["warnings"]:
        console.print(f"Warning: {warning}", style="yellow", highlight=False)
    if "against" in report:
        _against(console, report["against"])


def share(value: Mapping[str, float] | None, *, interval: bool = True) -> str:
    """``.62 .50–.73``: a value with its interval; a dash where it does not apply."""
    if value is None:
        return "–"
    if not interval:
        return _short(value["value"])
    return f"[bold]{_short(value['value'])}[/bold] [dim]{_short(value['low'])}–{_short(value['high'])}[/dim]"


def milliseconds(value: Mapping[str, float] | None) -> str:
    """A median in milliseconds, in seconds when there are many."""
    if value is None:
        return "–"
    ms = value["value"]
    return f"{ms / 1000:,.1f} s" if ms >= 2000 else f"{ms:,.0f}"


def _short(number: float) -> str:
    return f"{number:.2f}".removeprefix("0") if 0 <= number < 0.995 else f"{number:.2f}"


def _overlap(made: Mapping[str, Any]) -> Table:
    names = list(made["columns"])
    shown_table = table("Shared messages, mean", "", names)
    shared = {(p["a"], p["b"]): p for p in made["pairs"]}
    for a in names:
        cells = []
        for b in names:
            pair = shared.get((a, b)) or shared.get((b, a))
            cells.append(f"{pair['shared']:.1f}" if pair else f"[dim]{made['columns'][a]['hits']:.1f}[/dim]")
        shown_table.add_row(a, *cells)
    return shown_table


def _behaviour(columns: Mapping[str, Any]) -> Iterable[Table]:
    heads = ["found", "only here", "ms", "context", "tokens", "citations", "retries"]
    shown_table = table("Columns, per question", "column", heads)
    ended = table("How they ended, and their slowest steps in ms", "column", ["outcomes", "steps"])
    for name, made in columns.items():
        shown_table.add_row(
            name,
            f"{made['hits']:.1f}",
            f"{made['unique']:.1f}",
            f"{made['median_ms']:,.0f}",
            f"{made['context_characters']:,.0f}",
            f"{made['tokens']:,.0f}" if made["tokens"] else "–",
            f"{made['citations']:.1f}" if made["citations"] else "–",
            str(made["retries"]),
        )
        slowest = sorted(made["step_ms"].items(), key=lambda step: -step[1])[:3]
        ended.add_row(
            name,
            ", ".join(f"{outcome.replace('_', ' ')} {n}" for outcome, n in made["outcomes"].items()),
            ", ".join(f"{step} {ms:.0f}" for step, ms in slowest),
        )
    return shown_table, ended


def _pairs(pairs: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """The differences that are not chance alone, with the smallest p first."""
    told = sorted((pair for pair in pairs if pair["p"] < 0.05), key=lambda pair: pair["p"])
    for pair in told[:8]:
        yield (
            f"{pair['a']} less {pair['b']}, {pair['metric']}: {pair['difference']:+.2f} "
            f"({pair['low']:+.2f} to {pair['high']:+.2f}), p = {pair['p']:.4f}, n = {pair['n']}"
        )
    if pairs and not told:
        yield "No two columns differ by more than chance would allow (p < 0.05)."


def _router(router: Mapping[str, Any] | None) -> Iterable[str]:
    if router is None:
        return
    chosen = ", ".join(f"{column} {n}" for column, n in router["chosen"].items())
    yield f"The router chose {chosen}."
    if regret := router["regret"]:
        yield (
            f"Its regret against the best column of each question is {_plain(regret)}, over the {regret['n']:.0f} on "
            "which columns differ."
        )
    if always := router["regret_of_always_hybrid"]:
        gain = router["gain_over_always_hybrid"]
        yield (
            f"Always hybrid: {_plain(always)}; choosing gains {gain['difference']:+.2f} ({gain['low']:+.2f} to "
            f"{gain['high']:+.2f}), p = {gain['p']:.4f}."
        )


def _plain(value: Mapping[str, float]) -> str:
    return f"{value['value']:.2f} ({value['low']:.2f}–{value['high']:.2f})"


def _judge(judge: Mapping[str, Any] | None) -> Iterable[str]:
    """What ``judged`` is, and how far the judge agrees with matching strings and numbers (``facts``)."""
    if judge is None:
        return
    for column, made in judge["columns"].items():
        agreed = made["agreement"]
        yield (
            f"{column}: {judge['model']} gave {made['verdicts']} verdicts"
            + (f", {share(agreed)} as strings and numbers do." if agreed else ".")
        )
        for kind, n in made["errors"].items():
            yield f"[red]{column}: the judge failed {n} times ({kind})[/red]"


def _trouble(columns: Mapping[str, Any]) -> Iterable[str]:
    for column, made in columns.items():
        for kind, n in made["overall"]["errors"].items():
            yield f"[red]{column}: {kind} {n} times[/red]"
        if made["overall"]["unknown_citations"]:
            yield f"[yellow]{column}: {made['overall']['unknown_citations']} citations of nothing retrieved[/yellow]"


def _against(console: Console, against: Mapping[str, Any]) -> None:
    shown_table = table(
        f"Since run {against['run']}", "column", ["difference", "p", "better", "worse", "other results"]
    )
    for column, made in against["columns"].items():
        difference = made["difference"]
        if difference is None:
            other = made["answers_that_differ"]
            shown_table.add_row(column, "–", "–", "–", "–", "not in that run" if other is None else str(other))
            continue
        better = [one["id"] for one in made["changed"] if one["is"] > one["was"]]
        worse = [one["id"] for one in made["changed"] if one["is"] < one["was"]]
        shown_table.add_row(
            column,
            f"{difference['difference']:+.3f} [dim]{difference['low']:+.3f} to {difference['high']:+.3f}[/dim]",
            f"{difference['p']:.3f}",
            _few(better),
            _few(worse),
            str(made["answers_that_differ"]),
        )
    console.print(shown_table)


def _few(ids: Sequence[str]) -> str:
    if not ids:
        return "0"
    return f"{len(ids)}: {' '.join(ids[:6])}{' …' if len(ids) > 6 else ''}"


def console() -> Console:
    """Standard output. Where nobody watches there is no window to fit into."""
    return Console(width=None if sys.stdout.isatty() else 132)


def table(title: str, first: str, heads: Iterable[str]) -> Table:
    """An empty table in the manner of all reports."""
    made = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False, title_style="bold")
    made.add_column(first, no_wrap=True)
    for head in heads:
        made.add_column(head, justify="left" if head in ("outcomes", "steps", "change") else "right")
    return made
