"""Release: what is published, and what must not be (the trail)."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from taxonym.errors import BadInput
from taxonym.io.atomic import Together, whole_file
from taxonym.io.files import write_batches
from taxonym.io.forks import check_process
from taxonym.io.formulas import Formulas
from taxonym.io.frames import like
from taxonym.render.markup import data_of_page
from taxonym.shapes.codebook import Codebook, codebook_path, is_codebook

if TYPE_CHECKING:
    import polars as pl

    from taxonym.render.charts import Chart

PRIVATE = "PRIVATE: not for publication. Whoever has this file and the release can tell whose record is whose."
PRIVATE_FIGURES = (
    "PRIVATE: not for publication. Whoever has these figures and the release can compute what some persons' values are."
)


@dataclass(frozen=True, eq=False, repr=False)
class Release:
    """What a run gives.

    `table` is the release, in the kind of table that was given; `groups` are the input rows (from 0) that are
    published alike; `report` has no person's value and no figure of a single record; once the release is written, it
    names the file by its SHA-256. `write` recounts from the written file what was promised, before the file gets its
    name. The trail is private.
    """

    groups: list[list[int]]
    report: dict[str, Any]
    batches: "Callable[[], Iterator[pl.DataFrame]]"
    separators: Mapping[str, str]
    formulas: Mapping[str, str]
    check: "Callable[[Iterator[pl.DataFrame]], object]"
    trail: "Callable[[], dict[str, Any]]"
    private_report: "Callable[[], dict[str, Any]]"  # the report with exact figures, for who must sign
    original: Any = None  # what the table is made alike
    sources: Sequence[str] = ()  # files that were read because the input names them
    # how it is written where it is not a plain table, whole or not at all
    save: Callable[[Path, Together | None], None] | None = None
    make_codebook: Callable[[], Codebook | None] = lambda: None
    kind: str = "table"  # the shape of what was given

    def __repr__(self) -> str:
        rows = self.report["records"]["published_rows"]
        return f"<Release: {rows:,} rows in {len(self.groups):,} groups. {self.report['verdict']}>"

    @cached_property
    def frame(self) -> "pl.DataFrame":
        """The release as a polars table."""
        import polars as pl

        check_process()
        return pl.concat(self.batches())

    @property
    def table(self) -> Any:
        return like(self.frame, self.original)

    @cached_property
    def _codebook(self) -> Codebook | None:
        check_process()
        return self.make_codebook()

    @property
    def codebook(self) -> Any:
        """What the words of the release stand for, as a table of the kind that was given; None where there are none."""
        return None if self._codebook is None else like(self._codebook.table, self.original)

    def write(
        self,
        path: str | Path,
        *,
        reports: Sequence[str | Path] = (),
        trail: str | Path | None = None,
        private_report: str | Path | None = None,
    ) -> None:
        """Write the release, its promise recounted from the file, and beside it its codebook (PATH.codebook.csv) if it
        has words; with them reports (see write_report), the private trail (see write_trail) and the private report (see
        write_private_report), if they are named. All of these files appear, or none."""
        check_process()
        _check_paths(path, *reports, *(other for other in (trail, private_report) if other is not None))
        for report in (*reports, *([] if private_report is None else [private_report])):
            report_form(Path(report))  # complains before anything is done
        how = Formulas(self.formulas)
        with Together() as files:
            if self.save is not None:
                self.save(Path(path), files)
            else:
                write_batches(
                    self.batches(),
                    path,
                    separators=self.separators,
                    verify=self.check,
                    together=files,
                    formulas=how,
                )
            if self._codebook is not None:
                self._codebook.write(codebook_path(path), files)
            elif is_codebook(codebook_path(path)):  # of a release that is replaced
                files.remove(codebook_path(path))
            digest = files.sha256(Path(path))
            for report in reports:
                write_report(with_digest(self.report, digest, how.notes()), Path(report), files)
            if trail is not None:
                self.write_trail(trail, files, digest)
            if private_report is not None:
                exact = with_digest(self.private_report(), digest, how.notes())
                write_private_report(exact, Path(private_report), files)
        self.report.update(with_digest(self.report, digest, how.notes()))

    def written_to(self, folder: Path) -> Path:
        """The release in a folder, beside its trail; in a form that keeps what it holds."""
        logs = {"accesslog": "release.log"}
        path = folder / logs.get(self.kind, "release.csv")
        self.write(path, trail=folder / "trail")
        return path

    def write_report(self, path: str | Path) -> None:
        """Write the report: to look at where the name ends in .html, as JSON where it ends in .json. It names the file
        that was written last, if one was."""
        _check_paths(path)
        write_report(self.report, Path(path))

    def write_private_report(self, path: str | Path) -> None:
        """Write the report with exact figures, for its owner's eyes only."""
        _check_paths(path)
        digest = self.report["released"]["sha256"]
        write_private_report(with_digest(self.private_report(), digest), Path(path))

    def charts(self) -> "dict[str, Chart]":
        """The charts of the report by name, as Vega-Lite dictionaries, which notebooks draw."""
        from taxonym.render.charts import charts_of

        return charts_of(self.report)

    def _repr_html_(self) -> str:
        from taxonym.render.notebook import short_report

        return short_report(self.report)

    def write_trail(self, path: str | Path, together: Together | None = None, release: str | None = None) -> None:
        """Write the private trail, for its owner's eyes only: a line about the run, then one per input record.
        `release` is the SHA-256 of the release, by which `verify` knows it again."""
        _check_paths(path)
        trail = self.trail()
        known = {} if release is None else {"release_sha256": release}
        with whole_file(Path(path), True, together) as file:
            for line in ({"taxonym_trail": 2, "notice": PRIVATE, **trail["run"], **known}, *trail["records"]):
                file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())


def with_digest(report: dict[str, Any], digest: str | None, notes: Sequence[str] = ()) -> dict[str, Any]:
    """The report of a release that is written as a file with this SHA-256 (of a folder: io.files.fingerprint), and what
    there is to say about the file."""
    told = [*report["notes"], *(note for note in notes if note not in report["notes"])]
    return report | {"released": report["released"] | {"sha256": digest}, "notes": told}


def _check_paths(*paths: Any) -> None:
    for path in paths:
        if not isinstance(path, str | Path):
            raise BadInput(f"path: must be the name of a file, not a {type(path).__name__}.")


def report_form(path: Path) -> str:
    """How a report of this name is written: "html" or "json"."""
    form = {".html": "html", ".htm": "html", ".json": "json"}.get(path.suffix.lower())
    if form is None:
        raise BadInput(
            f"{path}: a report is a page (.html) or JSON (.json). Name it so; for a PDF, print the page from a browser."
        )
    return form


def write_report(report: dict[str, Any], path: Path, together: Together | None = None) -> None:
    """Write a report: to look at where the name ends in .html, as JSON where it ends in .json."""
    content = _written(report, path)
    with whole_file(path, together=together) as file:
        file.write(content)


def _written(report: dict[str, Any], path: Path) -> bytes:
    from taxonym.render.page import page

    form = report_form(path)
    return (page(report) if form == "html" else json.dumps(report, ensure_ascii=False, indent=2) + "\n").encode()


def write_private_report(report: dict[str, Any], path: Path, together: Together | None = None) -> None:
    """Write a report with exact figures, readable by its owner only and marked as private: to look at where the name
    ends in .html, as JSON where it ends in .json."""
    content = _written({"notice": PRIVATE_FIGURES, **report}, path)
    with whole_file(path, True, together) as file:
        file.write(content)


def read_report(path: str | Path) -> dict[str, Any]:
    """A report that was written: JSON, or a page, which holds the same."""
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        text = ""
    try:
        report = json.loads(data_of_page(text) if text.lstrip().startswith("<") else text)
        told = report["released"]
        if not {"verdict", "promise", "plan"} <= report.keys() or not isinstance(told["date"], str):
            raise ValueError("not as it was written")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadInput(f"{path}: is not a report. Give the file that 'taxonym anonymize --report' wrote.") from None
    return dict(report)
