"""Whether the tests notice that the code was broken: one line at a time, as a tired programmer would.

    python tools/breaks.py                        all of them, a quarter of an hour
    python tools/breaks.py 3 documents-consensus  some, by number or name
    python tools/breaks.py --no-check             without first looking whether the tests pass on the sound code

Works on a copy of the files that git knows, as they are now; nothing here is touched. Each entry of BREAKS changes one
line of the copy, runs the tests that must notice, and changes it back. Ends with 1 if a break survives, or if its text
does not stand exactly once in its file any more: then mend the entry. Who finds a break that survives adds it here,
with a test that notices.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import cache_from_source
from pathlib import Path
from time import monotonic
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 300  # seconds; tests that take longer do not end because of the break
PASSED, FAILED = 0, 1  # what pytest ends with


class Break(NamedTuple):
    """`before` stands once in `file`, below src/taxonym; `tests`, below tests, must fail with `after` in its place."""

    name: str
    file: str
    before: str
    after: str
    tests: str


BREAKS = (
    # ------------------------------------------------------------------ knowledge
    Break(
        "own-parent-is-no-cycle",
        "knowledge/build.py",
        "sound = (child != parent) | own_parent",
        "sound = child != parent",
        "unit/knowledge/test_build.py",
    ),
    Break(
        "rare-sense-first",
        "knowledge/build.py",
        "np.lexsort((owner, -count, rank, key))",
        "np.lexsort((owner, count, rank, key))",
        "unit/knowledge/test_build.py unit/knowledge/readers/test_wordnet.py",
    ),
    Break(
        "concepts-with-one-child-stay",
        "knowledge/cut.py",
        "if parts[code] > 1:",
        "if parts[code] >= 1:",
        "unit/knowledge/test_cut.py",
    ),
    Break(
        "joined-ids-taken-for-aliases",
        "knowledge/combine.py",
        "        if code in ids and other not in taken:",
        "        if code in ids:",
        "unit/knowledge/test_ids.py",
    ),
    Break(
        "an-adjective-beside-a-noun-counts",
        "text/related.py",
        'return self._mode == "all" or (self._watched',
        'return True or (self._watched',
        "unit/text/test_related.py",
    ),
    Break(
        "joined-senses-mixed",
        "knowledge/combine.py",
        ", position * _ONE_AFTER_THE_OTHER, taken",
        ", 0, taken",
        "unit/knowledge/test_combine.py",
    ),
    Break(
        "ranges-overlap",
        "knowledge/ranges.py",
        "{start + size - 1:f}",
        "{start + size:f}",
        "unit/knowledge/test_cut.py",
    ),
    # ------------------------------------------------------------------ distance
    Break(
        "phrase-of-one-writer-less",
        "records/phrases.py",
        "one.writers >= k and",
        "one.writers >= k - 1 and",
        "unit/records/test_phrases.py::test_the_writers_of_a_phrase_are_persons_and_not_rows",
    ),
    Break(
        "path-over-one-too-many",
        "distance/concept.py",
        "edges / max(2 * (tax.max_depth - 1), 1)",
        "edges / max(2 * tax.max_depth, 1)",
        "properties/test_concept_distances.py::test_a_kernel_equals_its_definition_for_any_rows_and_columns[path]",
    ),
    Break(
        "an-empty-set-is-like-any",
        "distance/sets.py",
        "return float(first != second)",
        "return 0.0",
        "unit/distance/test_sets.py",
    ),
    Break(
        "short-vectors-lie-near",
        "distance/vectors.py",
        "[1] / max(len(x), len(y))",
        "[1] / min(len(x), len(y))",
        "properties/test_vectors.py",
    ),
    # ------------------------------------------------------------------ text
    Break(
        "half-a-swap-of-letters",
        "text/spelling.py",
        "if i > 1 and j > 1 and x == b[j - 2] and y == a[i - 2]:",
        "if i > 1 and j > 1 and x == b[j - 2]:",
        "unit/text/test_spelling.py",
    ),
    Break(
        "mentions-of-few-shown",
        "text/sensitive.py",
        ", hidden=c.records < minimum)",
        ")",
        "unit/text/test_sensitive.py",
    ),
    Break(
        "exceptions-of-topics-forgotten",
        "text/sensitive.py",
        ' & ~_below(tax, codes["except"])',
        "",
        "unit/text/test_sensitive.py",
    ),
    Break(
        "a-phrase-after-its-noun",
        "text/phrases.py",
        "if last == i - 1 and last >= 0:",
        "if last == i - 1 and last > 0:",
        "unit/text/test_phrases.py",
    ),
    # ------------------------------------------------------------------ data
    Break(
        "upper-median-of-a-person",
        "records/table.py",
        "(values.len() - 1) // 2",
        "values.len() // 2",
        "unit/records/test_table.py",
    ),
    Break(
        "empty-cells-published",
        "records/table.py",
        '& (column.on_empty == "suppress")',
        '& (column.on_empty != "suppress")',
        "unit/records/test_table.py",
    ),
    Break(
        "a-session-ends-too-soon",
        "shapes/access_log/sessions/find.py",
        "(np.diff(time[order]) > gap)",
        "(np.diff(time[order]) >= gap)",
        "unit/plan/test_access_log.py",
    ),
    Break(
        "zones-the-wrong-way",
        "shapes/access_log/log_lines.py",
        "+ int(second) - zone",
        "+ int(second) + zone",
        "unit/plan/test_access_log.py",
    ),
    # ------------------------------------------------------------------ measure
    Break(
        "k-itself-above-one-in-k",
        "attack/risk.py",
        "sizes[sizes < k]",
        "sizes[sizes <= k]",
        "unit/attack/test_risk.py",
    ),
    Break(
        "sums-of-squares-swapped",
        "measure/loss.py",
        "for values in (apart, from_middle))",
        "for values in (from_middle, apart))",
        "unit/measure/test_loss.py",
    ),
    Break(
        "the-harmless-value-hides-others",
        "measure/diversity.py",
        "if mine == (self.harmless,) else",
        "if self.harmless in mine else",
        "unit/measure/test_diversity.py",
    ),
    Break(
        "few-groups-beside-the-weakest",
        "measure/groups.py",
        "if len(size) < 2 * count:",
        "if len(size) <= count:",
        "unit/measure/test_groups.py",
    ),
    # ------------------------------------------------------------------ group
    Break(
        "merged-groups-forgotten",
        "group/merge.py",
        "heapq.heappush(queue, (-least, first))",
        "heapq.heappush(queue, (least, first))",
        "unit/group/test_merge.py",
    ),
    Break(
        "a-group-gives-one-too-many-away",
        "group/persons.py",
        "or whole[own] > k:",
        "or whole[own] >= k:",
        "unit/group/test_persons.py",
    ),
    Break(
        "blocks-of-less-than-2k",
        "group/blocks.py",
        "self.tree.joined(counts, 2 * k)",
        "self.tree.joined(counts, k)",
        "unit/group/test_blocks.py::test_a_block_has_at_least_twice_k_records",
    ),
    Break(
        "largest-of-2k-less-one-refused",
        "group/refine.py",
        "if largest < 2 * k - 1:",
        "if largest < 2 * k:",
        "unit/group/test_refine.py",
    ),
    # ------------------------------------------------------------------ mask
    Break(
        "records-of-a-person-paid-once",
        "publish/noise/budget.py",
        "if n * epsilon > self.left(p) + ROUNDING",
        "if epsilon > self.left(p) + ROUNDING",
        "unit/publish/noise/test_private.py",
    ),
    Break(
        "draws-off-by-one",
        "publish/noise/private.py",
        'np.searchsorted(sums[i], drawn, side="right")',
        'np.searchsorted(sums[i], drawn, side="left")',
        "unit/publish/noise/test_private.py",
    ),
    Break(
        "classes-of-one-less-than-k-hold",
        "promises/classes.py",
        "below=int(np.count_nonzero(sizes < k)),",
        "below=int(np.count_nonzero(sizes < k - 1)),",
        "unit/promises/test_classes.py",
    ),
    Break(
        "a-word-of-one-writer-passes",
        "promises/classes.py",
        "return terms.writers(term) >= k or",
        "return terms.writers(term) >= 1 or",
        "unit/promises/test_classes.py",
    ),
    Break(
        "a-range-that-misses-its-largest-value",
        "records/ranges.py",
        "inside = (self.low <= least) & (most < self.high)",
        "inside = (self.low <= least) & (least < self.high)",
        "properties/test_ranges.py",
    ),
    Break(
        "rows-of-a-person-held-together",
        "records/support.py",
        "own, whose = (sets, person) if rows is None else (rows.sets, person[rows.record])",
        "own, whose = sets, person",
        "properties/test_whole_row.py",
    ),
    Break(
        "a-query-of-k-users-is-its-words",
        "records/queries.py",
        "if n >= k and query not in withheld",
        "if n > k and query not in withheld",
        "unit/records/test_queries.py",
    ),
    Break(
        "half-is-not-enough",
        "publish/redaction.py",
        "if has(member, a)) >= times.sum()",
        "if has(member, a)) > times.sum()",
        "unit/publish/test_redaction.py",
    ),
    Break(
        "the-next-repeats-count",
        "publish/apportion.py",
        "at = first[c] + k - 1",
        "at = first[c] + k",
        "unit/publish/test_apportion.py",
    ),
    Break(
        "the-trail-for-everybody",
        "run/release.py",
        "with whole_file(Path(path), True, together) as file:",
        "with whole_file(Path(path), False, together) as file:",
        "unit/cli/test_release.py::test_the_trail_is_for_its_owner_only_and_says_so",
    ),
    # ------------------------------------------------------------------ publish/generalize
    Break(
        "combinations-of-m-not-looked-at",
        "publish/generalize/items.py",
        "for size in range(1, m + 1):",
        "for size in range(1, m):",
        "unit/publish/generalize/test_items.py",
    ),
    Break(
        "the-dearest-of-equal-nodes",
        "publish/generalize/cuts.py",
        "if (price[up], -up) < (price[best], -best):",
        "if (price[up], -up) > (price[best], -best):",
        "unit/publish/generalize/test_items.py properties/test_generalize_sets.py",
    ),
    Break(
        "anything-costs-the-wrong-share",
        "publish/generalize/costs.py",
        "return _fallen(tax, -share), 1 - share",
        "return _fallen(tax, -share), share",
        "unit/publish/generalize/test_local.py unit/publish/generalize/test_items.py",
    ),
    Break(
        "one-less-left-out-than-allowed",
        "publish/generalize/local.py",
        "if total <= spare and more",
        "if total < spare and more",
        "unit/publish/generalize/test_local.py",
    ),
    # ------------------------------------------------------------------ plan
    Break("k-of-one", "plan/method.py", "at_least(k=2, ", "at_least(k=1, ", "unit/test_plan.py"),
    Break(
        "the-seed-in-the-report",
        "plan/families.py",
        'else KEYS.keys() - of_noise - {"seed"}',
        "else KEYS.keys() - of_noise",
        "unit/test_pipeline.py::test_a_release_tells_its_verdict_and_no_seed",
    ),
    Break(
        "one-column-paid-of-all",
        "plan/noise.py",
        "return self.strength * columns",
        "return self.strength",
        "unit/test_plan_noise.py",
    ),
    Break(
        "l-kept-by-merging-where-nothing-merges",
        "plan/families.py",
        'if self.recoding != "local" and (self.l is not None or self.t is not None):',
        'if self.recoding != "local" and (self.l is not None and self.t is not None):',
        "unit/test_plan.py",
    ),
    # ------------------------------------------------------------------ promises
    Break(
        "a-seed-keeps-epsilon",
        "promises/noise.py",
        "plan.method.private and plan.method.seed is None",
        "plan.method.private",
        "unit/test_plan_noise.py",
    ),
    Break(
        "k-and-m-swapped",
        "promises/k_to_the_m.py",
        "written.combinations(self.k, self.m)",
        "written.combinations(self.m, self.k)",
        "unit/test_promises.py",
    ),
    Break(
        "known-items-not-passed-on",
        "promises/support.py",
        "written.rare_choices(self.k, self.m,",
        "written.rare_choices(self.k, 1,",
        "unit/test_promises.py",
    ),
    Break(
        "one-item-for-two-concepts-passes-the-proof",
        "promises/support.py",
        "self.m, self.plan.method.distinct_items)",
        "self.m, False)",
        "unit/methods/test_generalization.py",
    ),
    Break(
        "one-item-holds-two-nested-concepts",
        "records/distinct.py",
        "shared = shared or joint(below_start, below, single, pair, 2, 1) > 0",
        "shared = False",
        "properties/test_distinct_items.py",
    ),
    Break(
        "exact-weights-are-rounded",
        "publish/vectors.py",
        '"exact": exact}',
        '"exact": rounded}',
        "unit/shapes/documents/test_weights.py",
    ),
    # ------------------------------------------------------------------ report
    Break(
        "a-count-of-less-than-k-told",
        "report/disclosure.py",
        "if n < self.k:",
        "if n < self.k - 1:",
        "unit/test_disclosure.py",
    ),
    Break(
        "a-total-gives-one-count-away",
        "report/disclosure.py",
        "if told and all(parts.get(total, [False])):",
        "if told and not parts:",
        "unit/test_disclosure.py",
    ),
    Break(
        "a-mean-of-few-told",
        "report/disclosure.py",
        "if n < ENOUGH * k:",
        "if n < k:",
        "unit/test_disclosure.py",
    ),
    Break(
        "a-fine-grid",
        "report/disclosure.py",
        "WIDTH = 2  #",
        "WIDTH = 0.01  #",
        "properties/test_reconstruction.py",
    ),
    Break(
        "figures-cut-at-an-edge",
        "report/disclosure.py",
        "int(draw < steps - floor(steps))",
        "0",
        "unit/test_disclosure.py",
    ),
    Break(
        "the-cost-of-a-recoding-told",
        "report/builder.py",
        '{key: guard.private(value) for key, value in found.items() if key != "cost_in"}',
        '{key: guard.public(value) for key, value in found.items() if key != "cost_in"}',
        "properties/test_reconstruction.py",
    ),
    Break(
        "totals-of-the-input-told",
        "report/figures.py",
        '"persons": guard.withheld(persons, of="persons"),',
        '"persons": guard.public(persons),',
        "properties/test_reconstruction.py",
    ),
    Break(
        "branches-of-the-original-counted",
        "report/branches.py",
        "before = guard.withheld(held.before(code))",
        "before = guard.count(held.before(code))",
        "unit/report/test_figures.py",
    ),
    Break(
        "the-private-report-for-everybody",
        "run/release.py",
        "with whole_file(path, True, together) as file:\n        file.write(content",
        "with whole_file(path, together=together) as file:\n        file.write(content",
        "unit/cli/test_release.py",
    ),
    Break(
        "strict-only-warns",
        "cli/shared.py",
        "if found and options.strict:",
        "if not found and options.strict:",
        "unit/cli/test_release.py",
    ),
    # ------------------------------------------------------------------ engine: documents, logs
    Break(
        "documents-consensus",
        "shapes/documents/__init__.py",
        "within = _shared(authors, group) if method.consensus else None",
        "within = None",
        "unit/shapes/test_documents.py::test_with_consensus_nothing_is_published_that_less_than_half_of_a_group_hold",
    ),
    Break(
        "accesslog-broken-lines",
        "shapes/access_log/report.py",
        '"broken_lines": guard.count(log.broken)',
        '"broken_lines": guard.public(log.broken)',
        "unit/shapes/test_access_log.py::test_how_few_lines_were_broken_is_not_told_and_no_total_gives_it_away",
    ),
    Break(
        "a-log-is-written-unchecked",
        "shapes/access_log/reread.py",
        "for what in (*found.strange(clicks.shape), *failures(found.log, clicks, rule)):",
        "for what in found.strange(clicks.shape):",
        "unit/shapes/test_access_log.py",
    ),
    Break(
        "repeats-of-one-user-pass",
        "shapes/query_log/reread.py",
        "if np.sum(times_each >= n) < k:",
        "if np.sum(times_each >= n) < 1:",
        "unit/cli/test_querylog.py",
    ),
    Break(
        "hosts-of-k-users-not-told",
        "shapes/query_log/shared.py",
        "if n >= self.k}",
        "if n > self.k}",
        "unit/cli/test_querylog.py::test_times_and_hosts_are_told_where_k_users_of_a_group_share_them",
    ),
    Break(
        "a-habit-shows-in-a-frequency",
        "shapes/query_log/lines.py",
        "+ min(n, most[c])",
        "+ n",
        "unit/shapes/test_query_log.py",
    ),
    # ------------------------------------------------------------------ engine: noise
    Break(
        "every-member-costs-the-whole-epsilon",
        "methods/noise/records.py",
        "column.outcomes, method.strength / size)",
        "column.outcomes, method.strength)",
        "unit/methods/noise/test_records.py::test_a_set_costs_its_epsilon_as_a_whole_and_symbols_stay_apart",
    ),
    Break(
        "figures-of-few-told",
        "shapes/table/noise_report.py",
        "n = _persons(outcome, i) if bounded else 0",
        "n = 10_000",
        "unit/methods/noise/test_records.py::test_figures_of_few_persons_are_not_told",
    ),
    Break(
        "rows-told-under-epsilon",
        "shapes/table/noise_report.py",
        '"published_rows": proof.rows, "published_persons": None}',
        '"published_rows": proof.rows, "published_persons": persons}',
        "unit/methods/noise/test_records.py",
    ),
    Break(
        "a-column-too-many-passes",
        "shapes/table/noise_proof.py",
        "if set(frame.columns) != set(published):",
        "if not set(frame.columns) >= set(published):",
        "unit/methods/noise/test_records.py unit/cli/test_noise.py",
    ),
    Break(
        "two-columns-one-answer",
        "methods/noise/masker.py",
        'b"\\0".join((person, b"%d" % i, b"%d" % value))',
        'b"\\0".join((person, b"%d" % value))',
        "unit/methods/noise/test_masker.py",
    ),
    # ------------------------------------------------------------------ engine: tables, blocks, the work folder
    Break(
        "l-and-t-not-recounted",
        "shapes/table/__init__.py",
        "self._released_watch.check(counted.number, self.outcome.members[self.place])",
        "pass",
        "unit/methods/test_closeness.py::test_a_file_in_which_l_or_t_fail_never_gets_its_name",
    ),
    Break(
        "entropy-never-asked",
        "methods/closeness.py",
        'reached = found.distinct if method.l_kind == "distinct" else found.entropy',
        "reached = found.distinct",
        "unit/methods/test_closeness.py",
    ),
    Break(
        "kept-cells-not-compared",
        "shapes/table/recompute.py",
        "if mine != other and not",
        "if mine is not None and other is None and not",
        "unit/cli/test_promises.py",
    ),
    Break(
        'format-characters-stay-in-texts',
        'io/canonical.py',
        'not in ("Cc", "Cf", "Cs")',
        'not in ("Cc", "Cs")',
        'unit/io/test_canonical.py',
    ),
    Break(
        'confidential-columns-sorted-where-they-stand',
        'io/canonical.py',
        'names = [*(name for name in table.columns if name not in last), *(',
        'names = [*table.columns, *(',
        'unit/io/test_canonical.py',
    ),
    Break(
        'other-bytes-in-a-release-accepted',
        'io/rewrite.py',
        'if (line := _first_difference(plain, again)) is not None:',
        'if (line := None) is not None:',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'two-parts-in-a-packed-release-accepted',
        'io/rewrite.py',
        'if unpacker.unused_data or file.read(1):',
        'if file.read(1):',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'unsorted-rows-accepted',
        'shapes/table/form.py',
        'if (order[1:] < order[:-1]).any():',
        'if (order[1:] < 0).any():',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'numbers-written-in-two-ways-accepted',
        'shapes/table/form.py',
        'odd = sum(a != b for a, b',
        'odd = sum(a is b is None for a, b',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'words-of-another-group-accepted',
        'shapes/table/recompute.py',
        '.issuperset(codes)',
        '.union(codes).issuperset(codes)',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'topics-told-unseen',
        'shapes/table/recompute.py',
        'any(top != code for',
        'any(top is None for',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'another-release-of-a-run-accepted',
        'shapes/table/reread.py',
        'or fingerprint(Path(release)) == known',
        'or fingerprint(Path(release)) != ""',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'another-original-accepted',
        'shapes/table/reread.py',
        'if isinstance(known, str) and known != found:',
        'if isinstance(known, str) and not found:',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'more-records-than-the-trail-tells-accepted',
        'shapes/table/reread.py',
        'if self.every != [',
        'if not [',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'a-row-of-two-records-accepted',
        'shapes/table/reread.py',
        'if found[row - 1] >= 0:',
        'if found[row - 1] < -1:',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'another-plan-accepted',
        'shapes/table/reread.py',
        'if told[0] != told[1] or',
        'if told is None or',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'a-value-of-another-class-accepted',
        'shapes/access_log/reread.py',
        '                    strange += 1\n',
        '                    strange += 0\n',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'agents-written-otherwise-accepted',
        'shapes/access_log/reread.py',
        '!= (rule.agents.written(b, s) or NONE)',
        'is None',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'a-vector-of-another-group-accepted',
        'shapes/documents/reread.py',
        'wrong += len(mine) != 1 or',
        'wrong += len(mine) != 1 and',
        'unit/cli/test_tampering.py',
    ),
    Break(
        'users-in-any-order-accepted',
        'shapes/query_log/reread.py',
        'if plan.output.rows == "sorted" and order != sorted(order):',
        'if order is None:',
        'unit/cli/test_tampering.py',
    ),
    Break(
        "losses-in-the-order-of-groups",
        "measure/groups.py",
        '"groups": sorted((lost / size).round(4).tolist(), reverse=True) if means',
        '"groups": (lost / size).round(4).tolist() if means',
        "unit/report/test_figures.py",
    ),
    Break(
        "records-above-one-in-k-counted-out",
        "report/figures.py",
        'guard.count(found["records_above_1_over_k"], none=whole)',
        'guard.public(found["records_above_1_over_k"])',
        "unit/report/test_figures.py",
    ),
    Break(
        "consensus-not-passed-to-blocks",
        "methods/blockwise.py",
        "known_items=known_items, consensus=method.consensus)",
        "known_items=known_items)",
        "unit/methods/test_microaggregation.py",
    ),
    Break(
        "work-files-for-everybody",
        "executor/checkpoints.py",
        "with whole_file(self.path(name), private=True) as file:",
        "with whole_file(self.path(name)) as file:",
        "unit/executor/test_checkpoints.py::test_a_killed_run_goes_on_from_finished_blocks_and_gives_the_same_bytes",
    ),
    Break(
        "another-input-goes-on",
        "executor/checkpoints.py",
        "elif any(found.get(key) != value for key, value in mine.items()):",
        "elif all(found.get(key) != value for key, value in mine.items()):",
        "unit/executor/test_checkpoints.py::test_another_input_is_refused_and_nothing_is_lost",
    ),
    # ------------------------------------------------------------------ run, sweep
    Break(
        "memory-not-passed-on",
        "run/pipeline.py",
        "Machine.of(workers, max_memory)",
        "Machine.of(workers)",
        "unit/cli/test_release.py::test_workers_and_memory_are_asked_for_on_the_command_line",
    ),
    Break(
        "a-killed-run-draws-anew",
        "run/pipeline.py",
        "rng = context.rng if plan.method.seed is not None else np.random.default_rng(kept.entropy)",
        "rng = context.rng",
        "unit/executor/test_checkpoints.py::test_a_killed_run_without_a_seed_goes_on_to_the_same_release_each_time",
    ),
    Break(
        "equal-settings-beat-each-other",
        "sweep/comparison.py",
        "other != mine and ",
        "",
        "unit/sweep/test_comparison.py",
    ),
    Break(
        "leaving-out-costs-nothing",
        "sweep/cell.py",
        "(apart.sum() + left_out) / (len(apart) + left_out)",
        "apart.sum() / len(apart)",
        "unit/sweep/test_run.py::test_who_is_left_out_has_lost_all",
    ),
    Break(
        "comparisons-for-everybody",
        "sweep/comparison.py",
        "whole_file(Path(folder) / name, private=True)",
        "whole_file(Path(folder) / name)",
        "unit/sweep/test_run.py",
    ),
    Break(
        "the-key-of-marks-for-everybody",
        "sweep/store.py",
        "with whole_file(private, private=True) as file:",
        "with whole_file(private) as file:",
        "unit/sweep/test_run.py",
    ),
    # ------------------------------------------------------------------ render, commands
    Break(
        "quotes-leave-an-attribute",
        "render/markup.py",
        "return escape(_visible(value), quote=True)",
        "return escape(_visible(value), quote=False)",
        "unit/render/test_page.py::test_no_label_leaves_its_place",
    ),
    Break(
        "small-figures-round-to-nothing",
        "render/plainly.py",
        "if abs(value) < 10**-digits else",
        "if abs(value) < 10 ** -(digits + 1) else",
        "unit/render/test_page.py::test_figures_have_few_digits",
    ),
    Break(
        "the-trail-over-the-release",
        "cli/anonymize.py",
        "outputs = [out, options.trail, options.private_report, *options.report,",
        "outputs = [out, options.private_report, *options.report,",
        "unit/cli/test_release.py::test_two_outputs_never_share_a_file",
    ),
    Break(
        "a-value-in-an-error",
        "cli/stream.py",
        'why = f"unforeseen {type(error).__name__}; this is our fault."',
        'why = f"unforeseen {error}; this is our fault."',
        "unit/cli/test_noise.py::test_what_goes_wrong_in_a_line_stops_nothing_and_shows_no_value",
    ),
    # ------------------------------------------------------------------ atomic
    Break(
        "private-files-for-everybody",
        "io/atomic.py",
        "0o600 if private else 0o666 & ~_umask()",
        "0o666 & ~_umask()",
        "unit/io/test_atomic.py",
    ),
    Break(
        "a-second-copy-for-everybody",
        "io/atomic.py",
        "os.O_WRONLY | os.O_CREAT, 0o600)",
        "os.O_WRONLY | os.O_CREAT, 0o644)",
        "unit/io/test_atomic.py",
    ),
    Break(
        "an-error-swallowed",
        "io/atomic.py",
        "left = [str(other) for other in old if not _as_before(",
        "left = [str(other) for other in old if _as_before(",
        "unit/io/test_atomic.py",
    ),
    # ------------------------------------------------------------------ compiled functions: at most three of these
    Break(
        "kernels-open-to-the-group",
        "jit/cache.py",
        "OTHERS = 0o077",
        "OTHERS = 0o007",
        "unit/jit/test_cache.py::test_a_folder_that_is_not_the_users_alone_is_neither_read_nor_written",
    ),
    Break(
        "places-off-by-one",
        "jit/sorting.py",
        "if ascending[middle] < value:",
        "if ascending[middle] <= value:",
        "properties/test_sorting.py",
    ),
    Break(
        "k-itself-is-rare",
        "measure/km.py",
        "if support[t] < k:",
        "if support[t] <= k:",
        "unit/measure/test_km.py",
    ),
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="whether the tests notice that the code was broken")
    parser.add_argument(
        "entries", nargs="*", metavar="ENTRY", help="number (from 1) or name of a break; all unless given"
    )
    parser.add_argument("--no-check", action="store_true", help="take it that the tests pass on the sound code")
    options = parser.parse_args(arguments)
    chosen = [_chosen(entry) for entry in options.entries] or list(range(len(BREAKS)))
    began = monotonic()
    with tempfile.TemporaryDirectory(prefix="breaks-") as name:
        bench = Bench(Path(name))
        if not options.no_check and not bench.sound([BREAKS[i] for i in chosen]):
            return 1
        said = [bench.tried(i + 1, BREAKS[i]) for i in chosen]
    caught = said.count("caught")
    print(f"{caught} of {len(said)} breaks were caught, in {monotonic() - began:.0f} s.")
    return 0 if caught == len(said) else 1


def _chosen(entry: str) -> int:
    names = [one.name for one in BREAKS]
    if entry in names:
        return names.index(entry)
    if entry.isdecimal() and 1 <= int(entry) <= len(BREAKS):
        return int(entry) - 1
    raise SystemExit(f"{entry}: there is no such entry. Name one of {', '.join(names)}, or a number to {len(BREAKS)}.")


class Bench:
    """A copy of the code and its tests that may be broken."""

    def __init__(self, folder: Path) -> None:
        self.code, self.kernels = folder / "code", folder / "kernels"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        for name in filter(None, os.fsdecode(listed).split("\0")):
            if (ROOT / name).is_file():
                (self.code / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.code / name)
        where = self._run("-c", "import taxonym; print(taxonym.__file__)")[1].strip()
        if not Path(where).is_relative_to(self.code):
            raise SystemExit(f"the copy would not be tested, but {where}")

    def sound(self, breaks: Sequence[Break]) -> bool:
        """Whether every test passes that is to notice something."""
        every = list(dict.fromkeys(test for one in breaks for test in one.tests.split()))
        bad = [test for test in every if self._tests(test) != PASSED]
        for test in bad:
            print(f"tests/{test}: does not pass on the sound code, so it can notice nothing.")
        return not bad

    def tried(self, number: int, one: Break) -> str:
        """What became of a break, which is printed too."""
        path, began = self.code / "src" / "taxonym" / one.file, monotonic()
        sound = path.read_text("utf-8")
        if sound.count(one.before) != 1:
            said = f"the text was not found once but {sound.count(one.before)} times"
        else:
            try:
                self._write(path, sound.replace(one.before, one.after))
                compiled = "taxonym.jit" in sound or one.file.startswith("jit/")
                ended = self._tests(one.tests, self.kernels / str(number) if compiled else None)
            finally:
                self._write(path, sound)
            said = {PASSED: "SURVIVED", FAILED: "caught"}.get(ended, f"the tests could not run (pytest: {ended})")
        print(f"{number:3} {said:8} {one.name} ({one.file}, {monotonic() - began:.1f} s)", flush=True)
        return said

    def _write(self, path: Path, text: str) -> None:
        """Change a file, and forget what Python has compiled: it would not see a change of one letter in a second."""
        path.write_text(text, "utf-8")
        Path(cache_from_source(str(path))).unlink(missing_ok=True)

    def _tests(self, tests: str, kernels: Path | None = None) -> int:
        """What pytest ends with. `kernels` is a place for functions that are compiled from broken source."""
        named = [f"tests/{test}" for test in tests.split()]
        return self._run("-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *named, kernels=kernels)[0]

    def _run(self, *arguments: str, kernels: Path | None = None) -> tuple[int, str]:
        paths = os.pathsep.join((str(self.code / "src"), str(self.code)))
        about = os.environ | {"PYTHONPATH": paths, "HYPOTHESIS_PROFILE": "ci"}  # the same examples every time
        if kernels is not None:
            kernels.mkdir(parents=True)
            about["NUMBA_CACHE_DIR"] = str(kernels)
        try:
            done = subprocess.run(
                [sys.executable, *arguments], cwd=self.code, env=about, capture_output=True, text=True, timeout=LONGEST
            )
        except subprocess.TimeoutExpired:
            return FAILED, ""
        return done.returncode, done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
