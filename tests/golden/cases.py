"""The golden runs as data: for every combination that works today one case, and some that are refused.

A case is a plan and the commands that are typed one after the other, in a folder with copies of tests/golden/data.
A .parquet that the first command names is made from the .csv of that name, and {here} is the folder. The name of a case
says its shape, its method and what is special about it.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

K = 3


@dataclass(frozen=True)
class Case:
    """Commands without the word taxonym, as they are typed ("< FILE" gives it to stdin), and the plan in plan.toml."""

    name: str
    commands: tuple[str, ...]
    plan: Mapping[str, Any] = field(default_factory=dict)
    same: str = ""  # the case whose release, report and trail it must leave behind as well

    @property
    def spark(self) -> bool:
        """Whether the case needs Spark, and so Java."""
        return self.name.startswith("spark-")


# ---------------------------------------------------------------------- plans

QUASI = {"role": "quasi-identifier"}
NARROW = {"who", "basket", "note", "job", "illness"}  # the columns of baskets.csv
COLUMNS: dict[str, dict[str, Any]] = {  # of people.csv, the same people told in full
    "who": {"role": "identifier"},
    "basket": QUASI | {"kind": "set", "taxonomy": "things.csv"},
    "note": QUASI | {"kind": "text", "taxonomy": "things.csv"},
    "job": QUASI | {"taxonomy": "jobs.csv"},
    "town": QUASI,
    "age": QUASI | {"kind": "number"},
    "since": QUASI | {"kind": "date"},
    "site": {"role": "other"},
    "illness": {"role": "confidential", "taxonomy": "illnesses.csv"},
    "pay": {"role": "confidential", "kind": "number"},
}
MISSING = {"missing": ["?"], "person": False}
PERSON = {"person": "who", "missing": ["?"]}


def table(columns: str, input: Mapping[str, Any] = MISSING, **changes: Mapping[str, Any]) -> dict[str, Any]:
    """A plan for some columns of people.csv, with changed settings of some, beside `method` and `output`."""
    tables = {key: dict(changes.pop(key)) for key in ("method", "output") if key in changes}
    named = {name: COLUMNS[name] | dict(changes.get(name, {})) for name in columns.split()}
    return {"input": dict(input), "columns": named, **tables}


def shaped(shape: str, settings: Mapping[str, Any], **tables: Mapping[str, Any]) -> dict[str, Any]:
    return {shape: dict(settings), **{name: dict(given) for name, given in tables.items()}}


# ---------------------------------------------------------------------- cases

TRAIL = "--trail trail.jsonl"
INPUTS = {"querylog": "queries.tsv", "accesslog": "access.log", "documents": "essays.csv"}
OUTPUTS = {"querylog": "release.tsv", "accesslog": "release.log", "documents": "release.csv"}


def release(name: str, plan: Mapping[str, Any], *then: str, options: str = "", source: str = "", out: str = "") -> Case:
    """A run to a release with report and trail, which is verified from the file, and whatever follows.

    IN and OUT in what follows stand for the original and the release.
    """
    shape = next((shape for shape in INPUTS if shape in plan), "")
    source = source or INPUTS.get(shape) or source_of(plan)
    out = out or OUTPUTS.get(shape, "release.csv")
    method = plan.get("method", {})
    noise = method.get("name") == "noise"
    if not noise:
        method = {"k": K, **method}
    commands = (
        f"anonymize IN --plan plan.toml -o OUT --report report.json {TRAIL} --seed 7 {options}",
        f"verify OUT --plan plan.toml --original IN {TRAIL}" + f" -k {method.get('k')}" * (not noise),
        *then,
    )
    return Case(
        name,
        tuple(c.strip().replace("IN ", f"{source} ").replace("OUT", out) for c in commands),
        {**plan, "method": method},
    )


def source_of(plan: Mapping[str, Any]) -> str:
    return "baskets.csv" if set(plan["columns"]) <= NARROW else "people.csv"


def refused(name: str, plan: Mapping[str, Any], *options: str, source: str = "", out: str = "release.csv") -> Case:
    """Runs by one plan, each with options that do not go with it; none of them writes anything."""
    run = f"anonymize {source or source_of(plan)} --plan plan.toml -o {out} --seed 7"
    return Case(f"refused-{name}", tuple(f"{run} {option}".strip() for option in options or [""]), plan)


LOSS = f"loss IN OUT --plan plan.toml {TRAIL} --seed 7 --json"
RISK = f"risk IN OUT --plan plan.toml {TRAIL} --seed 7 --knows 2 --one-to-one --json"
MIXED = "who basket job age since site illness pay"
TOPICS = {"topics": ["mind", "cold"], "topics_file": "topics.toml"}
GROUPS = ("refined", "mdav", "adaptive-mdav")
WATCHED: dict[str, dict[str, Any]] = {"refined": {}, "mdav": {"l": 2}, "adaptive-mdav": {"t": 0.6}}
BLOCKS = {"blocks": "always", "block_size": 8, "k": 2}


def tables_in_groups() -> Iterable[Case]:
    kinds = {"set": "basket", "text": "note", "nominal": "job town", "number-date": "basket age since"}
    for method in GROUPS:
        yield release(f"table-{method}-blocks", table("basket job", method={"name": method, **BLOCKS}))
        settings = {"name": method, "k": 2, **WATCHED[method]}
        yield release(f"table-{method}-mixed", table(MIXED, PERSON, method=settings), LOSS)
    for kind, columns in kinds.items():
        yield release(f"table-refined-{kind}", table(columns))
    for name, method in {
        "per-record": {"representative": "per-record"},
        "redaction": {"representative": "redaction"},
        "medoid": {"representative": "medoid"},
        "matching": {"aggregate": "matching", "threshold": 0.6},
        "consensus-max-sum-lin": {"consensus": True, "aggregate": "max-sum", "measure": "lin"},
        "equal-terms": {"measure": "equal-terms"},
        "known-items-0": {"known_items": 0},
        "passes": {"blocks": "always", "block_size": 8, "k": 2, "passes": 2},
    }.items():
        yield release(f"table-refined-{name}", table("basket", method=method))
    yield release("table-refined-l-t", table("basket illness", method={"l": 2, "t": 0.5}))
    yield release(
        "table-refined-l-entropy-t-equal",
        table("basket illness pay", method={"l": 2, "l_kind": "entropy", "t": 0.7, "t_distance": "equal", "k": 2}),
    )
    yield release("table-refined-topics", table("basket", basket=TOPICS, method={"l": 2}))
    redacted = {"name": "adaptive-mdav", "representative": "redaction", "aggregate": "matching"}
    yield release(
        "table-adaptive-mdav-topics-drop",
        table("basket", basket=TOPICS | {"other_words": "drop"}, method=redacted | {"k": 2, "topic_share": 0.5}),
    )


def tables_of_persons() -> Iterable[Case]:
    rows = "who basket job"
    yield release("table-refined-unite", table("who note job", PERSON, job={"kind": "set", "separator": "|"}))
    yield release("table-refined-keep", table(rows, PERSON | {"person_rows": "keep"}))
    yield release("table-refined-keep-blocks", table(rows, PERSON | {"person_rows": "keep"}, method=BLOCKS))
    own = {"on_unknown": "keep-as-own-concept", "on_empty": "keep-as-own-concept"}
    yield release("table-refined-own-concepts", table("basket job", basket=own, job=own))
    yield release("table-refined-other", table("basket site", method={"k": 2}))


def tables_in_files() -> Iterable[Case]:
    yield release(
        "table-refined-parquet", table("who basket age since", PERSON), source="people.parquet", out="release.parquet"
    )
    yield release(
        "table-refined-jsonl",
        table("who note", PERSON, output={"order": "sorted"}),
        LOSS.replace(TRAIL, "--keep-order"),
        options="--keep-order",
        out="release.jsonl",
    )
    yield release(
        "table-refined-wordnet",
        table("basket note", basket={"taxonomy": "wordnet"}, note={"taxonomy": ["things.csv", "wordnet"]}),
        options="--no-baselines",
        out="release.tsv",
    )


def tables_elsewhere() -> Iterable[Case]:
    """With a work folder and by other numbers of workers: what is left behind must be the same."""
    for case in (*tables_in_groups(), *tables_of_persons()):
        if case.name.endswith("-blocks"):
            for name, option in (("work", "--work work"), ("workers", "--workers 2")):
                command = f"{case.commands[0]} {option}"
                yield Case(case.name.replace("blocks", name), (command,), case.plan, same=case.name)


def generalized() -> Iterable[Case]:
    def rising(name: str, columns: str, *then: str, **method: Any) -> Case:
        return release(f"table-generalize-{name}", table(columns, method={"name": "generalize", **method}), *then)

    yield rising("nominal", "job", LOSS)
    yield rising("set", "basket", RISK)
    yield rising("mixed", "note job site illness")
    yield rising("full-domain", "job illness", recoding="full-domain", suppress=0.2, cost="content")
    yield rising("items", "basket", RISK, recoding="items")
    yield rising("ncp-suppress", "job", cost="ncp", suppress=0.1)
    yield rising("l-t", "basket illness", l=2, t=0.5)
    yield release("table-generalize-unite", table("who basket", PERSON, method={"name": "generalize"}))
    yield release(
        "table-generalize-keep", table("who job", PERSON | {"person_rows": "keep"}, method={"name": "generalize"})
    )


def noisy() -> Iterable[Case]:
    def noise(name: str, columns: str, *then: str, input: Mapping[str, Any] = MISSING, **method: Any) -> Case:
        return release(f"table-noise-{name}", table(columns, input, method={"name": "noise", **method}), *then)

    yield noise("normal", "job illness", LOSS, RISK, alpha=0.3)
    for mechanism in ("laplace", "naive", "probabilistic"):
        yield noise(mechanism, "job", noise_mechanism=mechanism)
    for mechanism in ("exponential", "geometric"):
        yield noise(mechanism, "job", noise_mechanism=mechanism, epsilon=2.0)
    yield noise("exponential-set", "basket", noise_mechanism="exponential", epsilon=4.0, budget=20.0)
    yield noise("text", "note", aim="variance")
    yield noise("keep-consistent", "who job", input=PERSON | {"person_rows": "keep"}, consistent=True)
    yield noise("unite", "who basket", input=PERSON, min_candidates=3)
    two = table("job basket", basket={"kind": "nominal"}, method={"name": "noise", "correlated": True})
    yield release("table-noise-correlated", two | {"input": MISSING})
    stats = "stats baskets.csv --column job --plan plan.toml -o stats.json --frequencies"
    stream = "stream --plan plan.toml --stats stats.json --seed 7 < events.jsonl"
    jobs = table("who job", PERSON | {"person_rows": "keep"}, method={"name": "noise"})
    yield Case("stream-normal", (stats, stream, stream.replace("--seed", "--consistent --seed")), jobs)
    # With a seed ε is not promised, so here there is none; the release, which is left to chance, is packed and so not
    # recorded.
    private = {"name": "noise", "noise_mechanism": "exponential", "epsilon": 1.0}
    unseeded = ("anonymize baskets.csv --plan plan.toml -o release.csv.gz", "stream --plan plan.toml")
    yield Case("table-noise-epsilon", unseeded, table("job", method=private))
    yield Case("stream-exponential", ("stream --plan plan.toml --seed 7 < events.jsonl",), jobs | {"method": private})


THINGS = {"taxonomy": "things.csv"}


def query_logs() -> Iterable[Case]:
    mine = f"mine IN OUT --kind querylog {TRAIL} --clusters 2,3 --top 5 --seed 7"
    for method in GROUPS:
        then = [mine] * (method == "refined")
        yield release(f"querylog-{method}", shaped("querylog", THINGS, method={"name": method}), *then)
    told = {"times": "hour", "clicks": "host"}
    yield release("querylog-times-clicks", shaped("querylog", THINGS | told, method={"k": 2}), LOSS, RISK)
    for choice in ("medoid", "redaction"):
        yield release(
            f"querylog-meaning-{choice}",
            shaped("querylog", THINGS | {"choice": "meaning"}, method={"representative": choice, "k": 2}),
        )
    yield release("querylog-syntax", shaped("querylog", THINGS | {"grouping": "syntax", "on_unknown": "suppress"}))
    topics = {"method": {"topics": ["mind", "cold"], "topic_share": 0.3, "k": 2}}
    yield release("querylog-topics", shaped("querylog", THINGS | {"topics_file": "topics.toml"}, **topics))
    yield release("querylog-blocks", shaped("querylog", THINGS, method=BLOCKS | {"block_size": 4}))


def access_logs() -> Iterable[Case]:
    looks = (f"mine IN OUT --kind accesslog {TRAIL} --seed 7", LOSS, f"{RISK} --intruder access.log", RISK)
    for method in GROUPS:
        then = looks if method == "refined" else ()
        yield release(f"accesslog-{method}", shaped("accesslog", {}, method={"name": method}), *then)
    yield release("accesslog-line", shaped("accesslog", {"visitor": "line"}))
    yield release("accesslog-user", shaped("accesslog", {"visitor": "user", "time_step": 3600}))
    yield release(
        "accesslog-address",
        shaped("accesslog", {"visitor": "address", "weights": ["path=2"]}, method={"known_items": 0}),
    )
    yield release("accesslog-sessions", shaped("accesslog", {"records": "sessions"}, method={"k": 2}))
    yield release("accesslog-session-marks", shaped("accesslog", {"session": True}, method={"k": 2}))
    yield release("accesslog-blocks", shaped("accesslog", {}, method=BLOCKS))


def documents() -> Iterable[Case]:
    author = {"person": "author"}
    mine = f"mine IN OUT --kind documents {TRAIL} --clusters 2,3 --top 5 --seed 7"
    for method in GROUPS:
        then = (mine, LOSS, f"{RISK} --intruder essays.csv", RISK) if method == "refined" else ()
        yield release(
            f"documents-{method}",
            shaped("documents", THINGS | {"classes": "field"}, input=author, method={"name": method}),
            *then,
        )
    yield release("documents-folder", shaped("documents", THINGS | {"author": "folder"}), source="essays")
    yield release("documents-each", shaped("documents", THINGS | {"terms": 3, "on_unknown": "keep-as-own-concept"}))
    yield release("documents-fold", shaped("documents", THINGS | {"centroid": "fold", "layout": "groups"}))
    yield release(
        "documents-keep",
        shaped("documents", THINGS | {"cover": 1.0, "measure": "jaccard"}, input=author | {"person_rows": "keep"}),
    )
    yield release(
        "documents-best-pair",
        shaped("documents", {"senses": "best-pair"}, method={"known_items": 1}),
        options="--no-baselines",
    )
    topics = {"method": {"topics": ["mind", "cold"], "topic_share": 0.3}}
    yield release("documents-topics", shaped("documents", THINGS | {"topics_file": "topics.toml"}, **topics))
    yield release("documents-blocks", shaped("documents", THINGS, method=BLOCKS | {"block_size": 4}))


def commands() -> Iterable[Case]:
    """Those that make no release, and those that look at one in other ways."""
    yield Case("plan", ("plan people.csv --taxonomy things.csv -o drafted.toml", "plan queries.tsv", "plan essays.csv"))
    yield Case(
        "drafted",
        (
            "anonymize baskets.csv -o release.csv -k 3 --taxonomy things.csv,jobs.csv --seed 7",
            "verify release.csv -k 3",
            "verify release.csv -k 30",
        ),
    )
    yield Case(
        "kinds",
        tuple(
            f"{command} --kind {kind}"
            for kind, source in INPUTS.items()
            for command in (
                f"anonymize {source} -o {kind}-{OUTPUTS[kind]} -k 3 --seed 7 --no-baselines",
                f"verify {kind}-{OUTPUTS[kind]} -k 3",
            )
        ),
    )
    sweep = "-o sweep -k 2,3 --method refined,mdav,generalize --seed 7 --workers 1"
    yield Case("compare", (f"compare baskets.csv --plan plan.toml {sweep}",), table("basket"))
    for shape, source in INPUTS.items():
        command = f"compare {source} --plan plan.toml -o sweep -k 2,3 --method refined,mdav --seed 7 --workers 1"
        yield Case(f"compare-{shape}", (command,), shaped(shape, {} if shape == "accesslog" else THINGS))
    yield release(
        "risk",
        table("who basket job", PERSON),
        f"risk IN OUT --plan plan.toml {TRAIL} --seed 7 --intruder people.csv --measure path --aggregate max",
        f"risk IN OUT --plan plan.toml {TRAIL} --seed 7 --intruder-taxonomy things.csv,jobs.csv --sample 10",
        f"loss IN OUT --plan plan.toml {TRAIL} --seed 7",
    )
    yield Case(
        "concepts",
        (
            "concepts 'cough drops and rye bread' --taxonomy things.csv --explain",
            "concepts 'river bank' --json",
            "concepts --file baskets.csv --column basket --taxonomy things.csv",
        ),
    )
    yield Case(
        "distance",
        (
            "distance apple pear --taxonomy things.csv --measure all",
            "distance flu pneumonia --json",
        ),
    )
    yield Case(
        "taxonomy",
        (
            "taxonomy info things.csv",
            "taxonomy check things.csv --data baskets.csv --column basket",
            "taxonomy cut --data people.csv --column age --kind number",
        ),
    )


def refusals() -> Iterable[Case]:
    sets, noise, rising = table("basket illness"), {"name": "noise"}, {"name": "generalize"}
    private = noise | {"noise_mechanism": "exponential", "epsilon": 1.0}
    yield refused("promise", sets, "-k 100", "-k 3 --l 7")
    yield refused("usage", sets, "-k 1", "--method magic", "--method papers", "--epsilon 1", "--work nowhere")
    yield refused("no-file", sets, source="nobody.csv")
    yield refused("unknown-term", table("basket", basket={"on_unknown": "error"}))
    yield refused("missing-value", table("basket", basket={"on_empty": "error"}))
    yield refused("unique", table("who basket", PERSON | {"person_rows": "unique"}))
    yield refused("repeated-ids", table("basket", {"missing": ["?"]}))
    yield refused("nothing-to-watch", table("basket"), "--l 2", "--t 0.5")
    yield refused(
        "noise",
        table("job illness", method=noise),
        "-k 3",
        "--l 2",
        "--t 0.5",
        "--measure equal-terms",
        "--work work",
        "--epsilon 1",
        "--noise-mechanism exponential",
        "--correlated",
        "--consistent",
    )
    for kind in ("age", "since", "town"):
        yield refused(f"noise-{kind}", table(kind, method=noise))
    yield refused("noise-own-concepts", table("job", job={"on_unknown": "keep-as-own-concept"}, method=noise))
    yield refused("epsilon-kept-column", table("job pay", method=private))
    yield refused("epsilon-unite", table("who job", PERSON, method=private))
    for kind in ("age", "since"):
        yield refused(f"generalize-{kind}", table(kind, method=rising))
    yield refused(
        "generalize",
        table("basket illness", method=rising),
        "--recoding items --l 2",
        "--recoding full-domain --t 0.5",
        "--recoding full-domain",
        "--measure equal-terms --recoding full-domain",
        "--work work --recoding full-domain",
        "--topics health",
    )
    everywhere = ["--method generalize", "--method noise", "--l 2", "--t 0.5", "--topics health", "--work work"]
    everywhere += [f"--representative {name}" for name in ("redaction", "medoid", "per-record")] + ["--engine spark"]
    only = {
        "querylog": ["--consensus"],
        "accesslog": ["--consensus", "--known-items 3", "--measure equal-terms", "--aggregate max"],
        "documents": ["--aggregate max", "--measure equal-terms"],
    }
    for shape, source in INPUTS.items():
        plan = shaped(shape, {} if shape == "accesslog" else THINGS)
        yield refused(shape, plan, *everywhere, *only[shape], source=source, out=OUTPUTS[shape])
    yield refused(
        "accesslog-line-sessions",
        shaped("accesslog", {"visitor": "line", "records": "sessions"}),
        source="access.log",
        out="release.log",
    )
    yield refused(
        "spark",
        table("basket illness"),
        *(
            f"--engine spark {option}"
            for option in (
                "--method generalize",
                "--method noise",
                "--l 2",
                "--t 0.5",
                "--measure equal-terms",
                "--keep-order",
                "--representative medoid",
                "--trail trail.jsonl",
                "--workers 2",
                "--max-memory 4G",
                "--work work",
            )
        ),
        source="baskets.parquet",
        out="release",
    )
    for key, value in {"blocks": "never", "passes": 2}.items():
        yield refused(
            f"spark-{key}",
            table("basket", method={key: value}),
            "--engine spark",
            source="baskets.parquet",
            out="release",
        )
    for shape, source in INPUTS.items():
        looks = (f"{look} {source} {source} --plan plan.toml" for look in ("loss", "risk"))
        sweep = f"compare {source} --plan plan.toml -o sweep -k 2 --method generalize"
        yield Case(f"refused-{shape}-commands", (*looks, sweep, "stream --plan plan.toml"), shaped(shape, {}))
    yield Case(
        "refused-commands",
        (
            "anonymize --magic",
            "verify people.csv",
            "verify people.csv -k 3 --trail nowhere",
            "distance apple",
            "mine people.csv people.csv --kind table",
            "loss people.csv baskets.csv",
            "stats baskets.csv --column nothing -o stats.json",
            "plan nobody.csv",
        ),
    )


def on_spark() -> Iterable[Case]:
    """The same on Spark, which writes no trail and cannot be verified against the original by one."""
    options = (
        "--plan plan.toml -o {here}/release.parquet --report report.json --seed 7 --engine spark --master local[2]"
    )
    plans = {
        "refined": table("basket job", method={"k": K}),
        "mdav": table("basket", method={"k": K, "name": "mdav"}),
        "adaptive-mdav": table("basket", method={"k": K, "name": "adaptive-mdav"}),
        "blocks": table("basket job", method=BLOCKS),
        "per-record": table("basket", method={"k": K, "representative": "per-record"}),
        "mixed": table(MIXED, PERSON, method={"k": 2}),
        "keep": table("who note job", PERSON | {"person_rows": "keep"}, method=BLOCKS),
        "topics": table("basket job", basket=TOPICS, method=BLOCKS | {"topic_share": 0.5}),
    }
    for name, plan in plans.items():
        source = source_of(plan).replace("csv", "parquet")
        yield Case(f"spark-{name}", (f"anonymize {{here}}/{source} {options}",), plan)


CASES: tuple[Case, ...] = tuple(
    case
    for family in (
        tables_in_groups,
        tables_of_persons,
        tables_in_files,
        tables_elsewhere,
        generalized,
        noisy,
        query_logs,
        access_logs,
        documents,
        commands,
        refusals,
        on_spark,
    )
    for case in family()
)

# A case on Spark takes as long as fifty others, so some are run by bench/matrix.py only: what they set, others set too.
SELDOM = tuple(f"spark-{name}" for name in ("refined", "blocks", "mdav", "adaptive-mdav", "per-record", "mixed"))
WHOLE = "TAXONYM_WHOLE_MATRIX"


def chosen(spark: bool) -> list[Case]:
    """The cases that the tests run, on Spark or not: all if the environment asks for the whole matrix."""
    seldom = () if os.environ.get(WHOLE) else SELDOM
    return [case for case in CASES if case.spark == spark and case.name not in seldom]
