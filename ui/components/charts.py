"""Charts of a run: overlap, combinations, recall by kind, recall against time. A column keeps its colour in all.

The library of charts takes seconds to load, so it is loaded with the first chart and not with the first page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair as alt

# The colours of style.css that can be told apart on light and on dark ground.
COLOURS = {
    "vector": "#7a5ae0",
    "lexical": "#c06a14",
    "hybrid": "#2f7fc4",
    "graph": "#138d81",
    "graph_rerank": "#5f9231",
    "vector_graph": "#a14fc0",
    "combined": "#9a7a10",
    "cypher": "#4b9645",
    "sql": "#6586bb",
    "agent": "#c75f3f",
    "themes": "#8f7c2b",
    "auto": "#c23a70",
}
OTHER = "#857e73"
SOFT = "#8c8578"


def scale(columns: Sequence[str]) -> alt.Scale:
    """Each column its colour."""
    import altair as alt

    return alt.Scale(domain=list(columns), range=[COLOURS.get(column, OTHER) for column in columns])


def overlap(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> alt.LayerChart:
    """Every pair of columns: mean messages in both, of twelve."""
    import altair as alt
    import pandas as pd

    base = alt.Chart(pd.DataFrame(rows)).encode(
        x=alt.X("b:N", sort=list(columns), title=None, axis=alt.Axis(orient="top", labelAngle=0)),
        y=alt.Y("a:N", sort=list(columns), title=None),
        tooltip=[
            alt.Tooltip("a:N", title="column"),
            alt.Tooltip("b:N", title="and"),
            alt.Tooltip("shared:Q", format=".2f"),
        ],
    )
    cells = base.mark_rect(cornerRadius=3).encode(
        color=alt.Color("shared:Q", scale=alt.Scale(domain=[0, 12], scheme="tealblues"), legend=None)
    )
    numbers = base.mark_text(fontSize=13).encode(
        text=alt.Text("shared:Q", format=".1f"),
        color=alt.condition("datum.shared > 7", alt.value("white"), alt.value("#24211d")),
    )
    chart: alt.LayerChart = (cells + numbers).properties(height=44 * len(columns) + 30)
    return chart


def combinations(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> alt.VConcatChart:
    """UpSet: how many messages a question exactly these columns found, and which these are."""
    import altair as alt
    import pandas as pd

    bars = pd.DataFrame([{key: row[key] for key in ("place", "combination", "messages")} for row in rows])
    dots = pd.DataFrame(
        [
            {"place": row["place"], "column": column, "in": column in row["columns"], "combination": row["combination"]}
            for row in rows
            for column in columns
        ]
    )
    place = alt.X("place:O", axis=None)
    top = (
        alt.Chart(bars)
        .mark_bar(color=SOFT, cornerRadiusTopLeft=2, cornerRadiusTopRight=2)
        .encode(
            x=place,
            y=alt.Y("messages:Q", title="messages a question"),
            tooltip=["combination:N", alt.Tooltip("messages:Q", format=".2f")],
        )
        .properties(height=170, width=34 * len(rows))
    )
    matrix = (
        alt.Chart(dots)
        .mark_circle(size=110)
        .encode(
            x=place,
            y=alt.Y("column:N", sort=list(columns), title=None),
            color=alt.Color("column:N", scale=scale(columns), legend=None),
            opacity=alt.condition("datum.in", alt.value(1.0), alt.value(0.12)),
            tooltip=["combination:N"],
        )
        .properties(height=24 * len(columns), width=34 * len(rows))
    )
    both: alt.VConcatChart = alt.vconcat(top, matrix, spacing=6).resolve_scale(x="shared").configure_view(stroke=None)
    return both


def by_kind(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> alt.LayerChart:
    """The main number of each kind with its 95 % interval."""
    import altair as alt
    import pandas as pd

    base = alt.Chart(pd.DataFrame(rows)).encode(
        y=alt.Y("label:N", title=None, sort=None, axis=alt.Axis(labelOverlap=False, labelLimit=220)),
        yOffset=alt.YOffset("column:N", sort=list(columns)),
        color=alt.Color(
            "column:N", scale=scale(columns), sort=list(columns), legend=alt.Legend(orient="top", title=None)
        ),
        tooltip=[
            "column:N",
            "kind:N",
            *(alt.Tooltip(f"{name}:Q", format=".2f") for name in ("value", "low", "high")),
            "n:Q",
        ],
    )
    lines = base.mark_rule(strokeWidth=1.6, opacity=0.55).encode(
        x=alt.X("low:Q", title="right, or recall@12", scale=alt.Scale(domain=[0, 1])), x2="high:Q"
    )
    kinds = len({row["kind"] for row in rows})
    points = base.mark_point(filled=True, size=55).encode(x="value:Q")
    chart: alt.LayerChart = (lines + points).properties(height=kinds * (13 * len(columns) + 12))
    return chart


def against_time(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> alt.LayerChart:
    """Recall@12 against the median time a question, in milliseconds on a logarithmic scale."""
    import altair as alt
    import pandas as pd

    base = alt.Chart(pd.DataFrame(rows)).encode(
        x=alt.X("ms:Q", title="median milliseconds", scale=alt.Scale(type="log", nice=True)),
        color=alt.Color("column:N", scale=scale(columns), legend=None),
        tooltip=[
            "column:N",
            *(alt.Tooltip(f"{name}:Q", format=".2f") for name in ("value", "low", "high")),
            "ms:Q",
            "n:Q",
        ],
    )
    lines = base.mark_rule(strokeWidth=1.6, opacity=0.55).encode(
        y=alt.Y("low:Q", title="recall@12", scale=alt.Scale(domain=[0, 1])), y2="high:Q"
    )
    points = base.mark_point(filled=True, size=90).encode(y="value:Q")
    names = base.mark_text(align="left", dx=9, dy=-7, fontSize=12).encode(y="value:Q", text="column:N")
    chart: alt.LayerChart = (lines + points + names).properties(height=300)
    return chart
