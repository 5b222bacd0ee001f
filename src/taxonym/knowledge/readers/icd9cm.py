"""ICD-9-CM diagnoses, version 32 (2015), the last one: a table that ships with Taxonym (tools/build_icd9cm.py)."""

from pathlib import Path

from taxonym.knowledge.build import Draft
from taxonym.knowledge.readers.source import numbered_lines

_TABLE = Path(__file__).parents[1] / "data" / "icd9cm.tsv.gz"


def read_icd9cm() -> Draft:
    """Chapters, sections, categories and codes.

    Ids are the codes as printed (250.00, V10.0, E888.9); without their dot they are found too. The short names of codes
    (Cholera NOS) are further labels.
    """
    draft = Draft("icd9cm", declared=True)
    for line, text in numbered_lines(_TABLE):
        code, parent, *labels = text.split("\t")
        draft.add(code, labels, line=line)
        if "." in code:
            draft.alias(code.replace(".", ""), code)
        if parent:
            draft.link(code, parent, line=line)
    return draft
