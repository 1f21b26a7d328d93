"""Results without a writing model: what columns share and find, generated questions, judged queries, ablations."""

from __future__ import annotations

from pathlib import Path

from retrieval.columns.registry import COLUMNS
from retrieval.models import catalogue
from tests.bench.figures import (
    ASKING,
    DATA,
    HITS,
    ROOT,
    Box,
    Claims,
    difference,
    main_of,
    measured,
    run,
    share,
    short,
    table,
    typed,
)  # fmt: skip
from ui.settings import read_settings

COMPARED = "vector,graph,lexical,hybrid,graph_rerank"
GENERATED = 60
PLAIN_BM25 = 0.245


def overlap(box: Box, claims: Claims) -> str:
    """What columns share, by pair and by kind of question, and their time."""
    command = ["compare", box.questions, "--with", COMPARED, "--no-answer", "--planner", "rules", "--store", box.store]
    made, told = measured(command), typed(command)
    first = made["pairs"][0]
    headline = claims.add(f"{first['shared']:.1f} of 12", "messages that vector and graph share, mean", told, box.name)
    names = list(made["columns"])
    shared = {(p["a"], p["b"]): p["shared"] for p in made["pairs"]}
    matrix = [
        [a, *(f"{shared.get((a, b), shared.get((b, a), made['columns'][a]['hits'])):.1f}" for b in names)]
        for a in names
    ]
    kinds = [[kind, *(f"{pair['by_kind'][kind]:.1f}" for pair in made["pairs"][:4])] for kind in first["by_kind"]]
    behaviour = [
        [
            name, f"{one['hits']:.1f}", f"{one['unique']:.1f}", f"{one['median_ms']:,.0f}",
            f"{one['context_characters']:,.0f}",
            ", ".join(f"{step} {ms:.0f}" for step, ms in sorted(one["step_ms"].items(), key=lambda s: -s[1])[:3]),
            ", ".join(f"{outcome.replace('_', ' ')} {n}" for outcome, n in one["outcomes"].items()),
        ]
        for name, one in made["columns"].items()
    ]  # fmt: skip
    for name, one in made["columns"].items():
        claims.add(
            f"{one['median_ms']:,.0f} ms", f"median time of {name} a question, without an answer", told, box.name
        )
    return f"""## Overlap on {box.name}

**vector and graph share {headline} messages** ({box.says}; {made["questions"]} questions; over the
{first["both_found"]} for which both found something: {first["shared_where_both_found"]}). `{told}`

Shared messages of 12, mean; on the diagonal what a column found:

{table(["", *names], matrix)}

By kind of question:

{table(["kind", *(f"{p['a']} and {p['b']}" for p in made["pairs"][:4])], kinds)}

Time and text found a question (median; a prompt takes of it what the model can read in time), slowest steps in
milliseconds, outcomes:

{table(["column", "found", "only here", "ms", "characters found", "steps", "outcomes"], behaviour)}"""


def right(box: Box, claims: Claims) -> str:
    """How right columns are, by kind of question, and what the router chose."""
    command = ["evaluate", box.questions, "--with", ",".join(retrieving()), "--no-answer", "--planner", "rules"]
    command += ["--store", box.store]
    made, told = measured(command), typed(command)
    names = ("recall@5", "recall@12", "thread_recall@12", "mrr", "ndcg@10", "value_correct")
    rows = []
    for column, one in made["retrievers"].items():
        rows.append([column, *(share(one["overall"][name]) for name in names)])
        for name in ("recall@12", "value_correct"):
            if one["overall"][name] and one["overall"][name]["value"]:
                claims.add(share(one["overall"][name]), f"{name} of {column}", told, box.name)
    kinds = list(next(iter(made["retrievers"].values()))["by_kind"])
    by_kind = []
    for kind in kinds:
        cells = [one["by_kind"][kind] for one in made["retrievers"].values()]
        by_kind.append([kind, str(cells[0]["questions"]), *(short(main_of(cell)) for cell in cells)])
    weak = [row[0] for row in by_kind if max((float(c) for c in row[2:] if c != "–"), default=1.0) < 0.5]
    if weak:
        claims.badly.append(f"On {box.name} no column gets half of: {', '.join(weak)}.")
    router = made["router"]
    chosen = [
        [kind, ", ".join(f"{column} {n}" for column, n in routes.items())]
        for kind, routes in router["chosen_by_kind"].items()
    ]
    regret, always = router["regret"], router["regret_of_always_hybrid"]
    gain = router["gain_over_always_hybrid"]
    routed = (
        f"Its regret against the best column of each question is {share(regret)}; of always hybrid {share(always)}: "
        f"choosing gains {difference(gain)}."
        if regret and always
        else "No column did better than another on any question."
    )
    if regret:
        claims.add(share(regret), "regret of the router against the best column of each question", told, box.name)
    excluded = f" Excluded, or in part: {len(made['excluded'])}." if made["excluded"] else ""
    return f"""## Right on {box.name}

`{told}`: {made["questions"]} questions.{excluded}

{table(["column", "recall@5", "recall@12", "thread recall@12", "MRR", "nDCG@10", "values right"], rows)}

By kind (values where there is one to compute, else recall@12):

{table(["kind", "n", *made["retrievers"]], by_kind)}

The router's choice by kind:

{table(["kind", "chosen"], chosen)}

{routed}"""


def generated(box: Box, claims: Claims) -> str:
    """Questions with exact values that nobody wrote by hand."""
    path = Path(f"build/generated-{box.name}.jsonl")
    (ROOT / path.parent).mkdir(exist_ok=True)
    (ROOT / path).unlink(missing_ok=True)
    write = ["questions", "generate", str(path), "--structural", str(GENERATED), "--seed", "11", "--store", box.store]
    run(write)
    command = ["evaluate", str(path), "--with", "graph", "--no-answer", "--planner", "rules", "--store", box.store]
    made, told = measured(command), typed(command)
    one = made["retrievers"]["graph"]
    value = claims.add(
        share(one["overall"]["value_correct"]), "values of generated questions that graph gets right", told, box.name
    )
    rows = [[kind, str(cell["questions"]), short(cell["value_correct"])] for kind, cell in one["by_kind"].items()]
    weak = [f"{kind} {value}" for kind, _, value in rows if float(value) < 0.7]
    if weak:
        claims.badly.append(f"Of the generated questions on {box.name} the rules misread many of: {', '.join(weak)}.")
    return f"""## Generated questions on {box.name}

{made["questions"]} questions with exact values that were written by `{typed(write)}`:
graph gets {value} of the values right. What is missing are wordings that the rules do not read; they then find
nothing or say what they understood. The rules were written in view of such questions: what they make of a stranger's
wording stands in the README, under what it is bad at.

{table(["kind", "n", "right"], rows)}"""


def sara(claims: Claims) -> str:
    """Crowd queries with human judgements, beside plain systems."""
    run(["ingest", str(DATA / "sara/enron_with_categories"), "--store", "results-sara"])
    command = [
        "evaluate", "--queries", str(DATA / "sara/queries.tsv"), "--qrels", str(DATA / "sara/qrels.txt"), "--with",
        "vector,lexical,hybrid", "--deep", "--no-answer", "--planner", "rules", "--store", "results-sara",
    ]  # fmt: skip
    made, told = measured(command), typed(command)
    names = ("ndcg@10", "recall@12", "recall@40", "mrr", "map")
    rows = [[column, *(share(one["overall"][name]) for name in names)] for column, one in made["retrievers"].items()]
    for column, one in made["retrievers"].items():
        claims.add(share(one["overall"]["ndcg@10"]), f"nDCG@10 of {column}", told, "sara")
    best = max(one["overall"]["ndcg@10"]["value"] for one in made["retrievers"].values())
    if best < PLAIN_BM25:
        claims.badly.append(
            f"On sara the best column reaches nDCG@10 {best:.2f}, plain BM25 over whole messages {PLAIN_BM25}. With the "
            "quoted history left in, words find more there: its judges saw whole messages."
        )
    taken = [
        "ablate", *command[1:5], "--with", "lexical", "--only", "history", "--store", "results-sara"
    ]  # fmt: skip
    history = measured(taken)["rows"][1]
    left_in = claims.add(
        difference(history["difference"]),
        "recall@12 of lexical with the history left in",
        typed(taken),
        "sara",
    )
    return f"""## Judged queries on sara

1,702 Enron mails, 75 crowd queries with human judgements ({made["questions"]} have a relevant message here). The pool was drawn by
keyword search, which favours words. `{told}`

{table(["column", "nDCG@10", "recall@12", "recall@40", "RR", "MAP"], rows)}

For comparison, plain systems measured over 150 queries of the same collection, whole messages with subject and quoted
history: BM25 (k1 1.2, b .75, English stemmer) nDCG@10 .245, recall@12 .253, recall@40 .415, RR .482;
all-MiniLM-L6-v2 .106, .117, .213, .228; their rank fusion .208, .192, .365, .453. The sets of queries differ, so the
rows are near each other and not the same test. With the quoted history left in the chunks, recall@12 of lexical changes by
{left_in}: `{typed(taken)}`."""


def ablations(box: Box, claims: Claims) -> str:
    """What each part of a column is worth."""
    command = ["ablate", box.questions, "--with", "hybrid", "--store", box.store]
    command += [word for name in other_embedders() for word in ("--embedded-by", name)]
    made, told = measured(command), typed(command)
    rows = [
        [
            one["says"], f"{share(one['recall'])} at {one['at']}",
            difference(one["difference"]), f"{one['context_characters']['value']:,.0f}", f"{one['vectors_made']:,}",
        ]
        for one in made["rows"]
    ]  # fmt: skip
    for one in made["rows"]:
        if one["difference"]:
            claims.add(difference(one["difference"]), f"recall of hybrid with {one['says']}", told, box.name)
        if one["difference"] and one["difference"]["low"] > 0 and one["at"] == HITS:
            claims.badly.append(
                f"hybrid would find more on {box.name} with {one['says']}: {difference(one['difference'])}."
            )
    return f"""## What each part is worth, on {box.name}

Hybrid with one thing changed at a time; recall of needed messages and its paired difference. Vectors of texts that stay
as they are are not made again. `{told}`

{table(["change", "recall", "difference", "context characters", "vectors made"], rows)}"""


def retrieving() -> list[str]:
    """All columns that ask no model to write while they look, as they are offered."""
    return [name for name in COLUMNS if name not in ASKING]


def other_embedders() -> list[str]:
    """Embedding models of the catalogue, besides the default, that are on this machine."""
    cache = read_settings().models
    return [m.name for m in catalogue.models() if m.role == "embed" and not m.default and m.is_in(cache)]
