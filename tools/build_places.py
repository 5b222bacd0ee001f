"""Write the hierarchies of countries and languages that ship with the package: python tools/build_places.py CORE NAMES

CORE and NAMES are the unpacked folders of the npm packages cldr-core and cldr-localenames-full (`npm pack` fetches
them; those of version 48.2.0 ship). Containment of territories, codes and groups of languages are CLDR's, and so are
the English names. CLDR does not name groups of languages, so their names (ISO 639-5) are written here, as are names of
countries that people use and CLDR does not list. CLDR's licence must be kept beside the files.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "src" / "taxonym" / "knowledge" / "data" / "hierarchies"
WORLD = "001"
OTHER_NAMES = {
    "AE": "UAE", "BN": "Brunei Darussalam", "BO": "Plurinational State of Bolivia", "BS": "The Bahamas",
    "CD": "DRC | DR Congo | Democratic Republic of the Congo | Zaire", "CG": "Republic of the Congo | Congo",
    "CI": "Cote d'Ivoire | Côte d'Ivoire", "FM": "Federated States of Micronesia", "GB": "Great Britain | Britain",
    "GM": "The Gambia", "IR": "Islamic Republic of Iran | Persia", "KP": "Democratic People's Republic of Korea",
    "KR": "Republic of Korea | Korea", "LA": "Lao People's Democratic Republic | Lao PDR", "MD": "Republic of Moldova",
    "MK": "Macedonia", "MM": "Burma", "NL": "Holland | The Netherlands", "PH": "The Philippines",
    "PS": "State of Palestine", "RU": "Russian Federation", "SY": "Syrian Arab Republic", "TR": "Turkey | Türkiye",
    "TW": "Republic of China", "TZ": "United Republic of Tanzania", "US": "U.S. | U.S.A. | United States of America",
    "VA": "Holy See", "VE": "Bolivarian Republic of Venezuela", "VI": "US Virgin Islands", "VN": "Viet Nam",
}  # fmt: skip
PARTS = {"GB": ("England", "Scotland", "Wales", "Northern Ireland")}  # that stand where countries do
GROUPS = {
    "aav": "Austroasiatic", "afa": "Afroasiatic", "alg": "Algonquian", "alv": "Atlantic–Congo", "apa": "Apache",
    "aql": "Algic", "art": "constructed", "ath": "Athabaskan", "bat": "Baltic", "bnt": "Bantu",
    "cau": "Caucasian", "ccn": "North Caucasian", "ccs": "Kartvelian", "cdc": "Chadic", "cel": "Celtic",
    "cpe": "English-based creole",
    "cpf": "French-based creole", "cus": "Cushitic", "dmn": "Mande", "dra": "Dravidian", "esx": "Eskimo–Aleut",
    "euq": "Basque", "fiu": "Finno-Ugric", "gem": "Germanic", "gmq": "North Germanic",
    "gmw": "West Germanic", "grk": "Hellenic", "iir": "Indo-Iranian", "inc": "Indo-Aryan", "ine": "Indo-European",
    "ira": "Iranian", "itc": "Italic", "jpx": "Japonic", "map": "Austronesian", "mkh": "Mon–Khmer",
    "nai": "North American Indian", "ngb": "Ngbandi", "nic": "Niger–Congo", "poz": "Malayo-Polynesian",
    "pqe": "Eastern Malayo-Polynesian", "pqw": "Western Malayo-Polynesian", "qwe": "Quechuan",
    "roa": "Romance", "sai": "South American Indian", "sem": "Semitic", "sit": "Sino-Tibetan", "sla": "Slavic",
    "smi": "Sami", "ssa": "Nilo-Saharan", "tai": "Tai", "tbq": "Tibeto-Burman", "trk": "Turkic", "tup": "Tupian",
    "tut": "Altaic", "urj": "Uralic", "xgn": "Mongolic", "xnd": "Na-Dene", "zhx": "Sinitic", "zle": "East Slavic",
    "zls": "South Slavic", "zlw": "West Slavic",
}  # fmt: skip
MERGED = ("sh", "tw")  # into Serbian and Croatian, and into Akan
OF_GROUP = {  # that CLDR puts into no group
    "bi": "cpe", "ik": "esx", "kj": "bnt", "mt": "sem", "ng": "bnt", "pi": "inc", "rn": "bnt", "rw": "bnt", "sq": "ine",
    "tl": "pqw",
}  # fmt: skip
HEAD = """# {what}. Written by tools/build_places.py from CLDR {version}
# (Unicode licence: cldr.LICENSE). A line is: id = label | further labels; what stands below is indented.
"""


def main(core: Path, names: Path) -> None:
    version = json.loads((core / "package.json").read_text())["version"]
    for name, what, lines in (
        ("countries", "Countries, regions, continents", countries(core, names)),
        ("languages", "Languages and their families", languages(core, names)),
    ):
        text = HEAD.format(what=what, version=version) + "\n".join(lines) + "\n"
        (TARGET / f"{name}.txt").write_text(text, "utf-8")
        print(f"{name}.txt: {len(lines)} concepts")
    shutil.copy(core / "LICENSE", TARGET / "cldr.LICENSE")


def countries(core: Path, names: Path) -> list[str]:
    """The world, its continents and regions as the United Nations draw them, and the territories of ISO 3166."""
    inside = _supplemental(core, "territoryContainment")
    codes = _supplemental(core, "codeMappings")
    label = _names(names, "territories")

    def below(id: str, depth: int) -> list[str]:
        found = [label[id]]
        if id.isalpha():
            found += [text for key, text in label.items() if key.startswith(f"{id}-alt")]
            found += [id, codes.get(id, {}).get("_alpha3", ""), *OTHER_NAMES.get(id, "").split(" | ")]
            found = [text.replace(" & ", " and ") for text in found] + [text for text in found if " & " in text]
            found += [text.replace("St. ", "Saint ") for text in found if text.startswith("St. ")]
        lines = [_line(depth, id, found)]
        for part in inside.get(id, {}).get("_contains", ()) if id.isdigit() or id == "QO" else ():
            lines += below(part, depth + 1)
        return lines + [_line(depth + 1, part, [part]) for part in PARTS.get(id, ())]

    return below(WORLD, 0)


def languages(core: Path, names: Path) -> list[str]:
    """Languages that ISO 639-1 gives two letters, below their groups."""
    label = _names(names, "languages")
    longer: dict[str, list[str]] = {}
    for code, meant in _supplemental(core, "metadata", "aliases")["alias"]["languageAlias"].items():
        if len(code) == 3:
            longer.setdefault(meant["_replacement"], []).append(code)
    group = {code: g for g, codes in _supplemental(core, "languageGroups").items() for code in codes.split()} | OF_GROUP
    below: dict[str, set[str]] = {}
    for code in [code for code in label if len(code) == 2 and code not in MERGED]:
        while code != "mul":
            above = group.get(code, "mul")
            below.setdefault(above, set()).add(code)
            code = above
    for above in below:  # a group of one says no more than its only member
        while alone := [part for part in below[above] if len(below.get(part, ())) == 1]:
            below[above] = below[above] - {*alone} | {only for part in alone for only in below[part]}

    def lines(id: str, depth: int) -> list[str]:
        if id in GROUPS:
            found = [_line(depth, id, [f"{GROUPS[id]} languages"])]
        elif id == "mul":
            found = [_line(depth, id, ["language"])]
        else:
            more = [text for key, text in label.items() if key.startswith(f"{id}-alt")]
            found = [_line(depth, id, [label[id], id, *longer.get(id, ()), *more])]
        for part in sorted(below.get(id, ()), key=lambda i: (i not in GROUPS, i)):
            found += lines(part, depth + 1)
        return found

    return lines("mul", 0)


def _line(depth: int, id: str, labels: list[str]) -> str:
    kept = dict.fromkeys(text for text in labels if text)
    return f"{'  ' * depth}{id} = {' | '.join(kept)}"


def _supplemental(core: Path, table: str, file: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((core / "supplemental" / f"{file or table}.json").read_text("utf-8"))
    return found["supplemental"][table]  # type: ignore[no-any-return]


def _names(names: Path, table: str) -> dict[str, str]:
    whole = json.loads((names / "main" / "en" / f"{table}.json").read_text("utf-8"))
    found: dict[str, str] = whole["main"]["en"]["localeDisplayNames"][table]
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
