"""Headers of columns as words, in any language and spelling, and what they say about whose rows these are.

A header names persons if all of its words do, or say that it is an id: AnonID, id_cliente, NHS number, Kundennummer;
but not customer_pet, whose head is the pet. Ids of things that many persons share (products, shops) name nobody; ids of
what one person does (orders, visits) hold rows of one person together, without saying who that is.
"""

import re
import unicodedata
from enum import IntEnum

from taxonym.text.tokens import word_set

_PERSONS = word_set(
    "who whom wer quien user usr patient pat pt person pers individual customer cust client member subject subj "
    "participant visitor guest employee emp staff worker student pupil learner respondent resp response panelist "
    "panellist proband interviewee beneficiary bene insured insuree policyholder holder donor voter taxpayer tenant "
    "resident citizen household hh account acct profile handle author player driver passenger traveller traveler "
    "caller reader viewer listener buyer shopper applicant candidate claimant owner subscriber borrower victim "
    "suspect offender inmate kunde kundin nutzer benutzer teilnehmer mitarbeiter schuler schueler patientin mandant "
    "versicherter versicherte burger buerger befragter konto einwohner bewohner mitglied klient cliente usuario "
    "paciente empleado alumno estudiante participante encuestado socio persona cuenta trabajador utilisateur patiente "
    "salarie employe eleve etudiant adherent sujet personne compte abonne utente paziente dipendente studente conto "
    "klant gebruiker deelnemer medewerker bruker anvandare kund pasient asiakas pacjent uzytkownik pracownik "
    "utilizador aluno hasta musteri pelanggan doente reviewer rater blogger cardholder pseudonym "
    "haushalt hogar foyer menage huishouden gospodarstwo hushall husstand hushold "
    "matricule matricola matricula matrikel dossier expediente prontuario tessera badge policy vertrag "
    "medlem lid relatie assure allocataire beneficiaire beneficiario assistito afiliado pac cli kd mitarb"
)
_IDS = word_set(
    "id ids uid guid uuid key no nr num number nummer numero numer code ident identifier identifiant identificador "
    "kennung schlussel schluessel token hash ref reference cod codigo codice kod nro"
)
_CODES = word_set("code cod codigo codice kod")  # of ids, and of much else
_SAY_WHOSE = word_set(
    "anonid userid uid mrn nhs nino ssn sin subjid usubjid pid ptid patid login username email mail nif dni svnr bsn "
    "cpf rut curp personnummer pesel empi aadhaar nickname screenname loginname accountid customerid patientid "
    "clientid memberid studentid employeeid empid custid respid responseid respondentid nhsno hospitalnumber "
    "hospitalno hospno unitnumber chi hesid cpr fnr nip nie ipp kvnr codicefiscale henkilotunnus imsi gclid pidp "
    "prolificpid lopnr ptno famid familyid familienummer"
)
_PROXIES = word_set(
    "cookie session sessionid device deviceid ip ipaddress visitor browser fingerprint imei msisdn mac phone "
    "telephone telefon telefono mobile handset gaid idfa advertising vehicle plate licence license"
)
_DEEDS = word_set(
    "order invoice basket transaction trans txn receipt ticket visit encounter admission stay booking case claim bill "
    "purchase conversation thread trip loan bestellung rechnung auftrag besuch fall pedido factura visita caso "
    "commande facture report submission"
)
_THINGS = word_set(
    "product item article artikel sku stock store shop branch movie film book song track page category department "
    "dept school hospital clinic site room course class city town country region state county zip postal postcode plz "
    "model event word topic year month provider physician doctor manager supplier vendor seller warehouse brand query "
    "drug medication variable question version sample batch lot row line index code icd loinc group team amount "
    "revenue umsatz turnover population price preis precio prix cost kosten salary income gehalt lohn total sum value "
    "balance budget views count size bytes weight height distance latitude longitude lat lon time timestamp ts date "
    "datum fecha day hour duration age rate score percent pct quantity qty "
    "filiale filial zweigstelle tienda sucursal magasin winkel sklep negozio loja station bahnhof flight flug art "
    "centre center zentrum centro teacher lehrer gemeinde gemeente gmina commune comune municipio kommune kreis "
    "bezirk provinz province provincia departamento ano anno annee jahr jaar rok betrag importe importo montant "
    "bedrag kwota cena prezzo prijs salario sueldo salaire stipendio loon step steps schritt calories glucose "
    "cholesterol pulse publisher genre cat subcategory "
    "ward depto airport ags nuts lau isbn ndc test rating votes vote likes like clicks second minute ms wage profit "
    "tax temperature pressure platelet wbc bpm heart seq sequence manufacturer npi"
)
_FILLERS = word_set(
    "anon anonymous anonymised anonymized hashed hash encrypted pseudo pseudonym pseudonymised pseudonymized unique "
    "the of de la le el del du des von der die das my our internal external original study trial global master local "
    "full primary main new old address name s n nom nome nombre naam"
)


class Whose(IntEnum):
    """What a header says: the lower, the surer it is that one value is one person."""

    PERSON = 0  # names persons, or an id that persons have
    PROXY = 1  # what one person mostly uses alone: a browser, a telephone
    UNCLEAR = 2  # says nothing of it
    DEED = 3  # what one person does, so that rows of one value are of one person
    THING = 4  # what many persons share, or what is measured


def header_words(name: str) -> tuple[str, ...]:
    """The words of a header in small letters, without accents and numbers: nativeCountry_2 is native, country."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    plain = "".join(c for c in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(c))
    return tuple(re.findall(r"[^\W\d_]+", plain.casefold()))


def whose(name: str) -> Whose:
    """What a header says about whose rows these are."""
    words = [part for word in header_words(name) for part in _parts(word)]
    joined = "".join(header_words(name))
    if joined in _SAY_WHOSE:
        return Whose.PERSON
    rest = [word for word in words if word not in _IDS and word not in _FILLERS]
    kinds = [_kind(word) for word in rest]
    if not rest or None in kinds:
        return Whose.UNCLEAR
    found = [kind for kind in kinds if kind is not None]
    if words[-1] in _IDS and found[-1] <= Whose.PROXY:
        return found[-1]  # the id of a hospital's patient is a patient's
    return max(found)  # the product of a customer is a product


def is_id(name: str) -> bool:
    """Whether a header says that it is an id, of whatever."""
    return any(part in _IDS - _CODES for word in header_words(name) for part in _parts(word))


def _kind(word: str) -> Whose | None:
    for words, kind in ((_SAY_WHOSE | _PERSONS, Whose.PERSON), (_PROXIES, Whose.PROXY), (_DEEDS, Whose.DEED)):
        if not words.isdisjoint((word, *(word.removesuffix(ending) for ending in "sna"))):  # kunden, klienta
            return kind
    return Whose.THING if word in _THINGS or word.removesuffix("s") in _THINGS else None


def _parts(word: str) -> list[str]:
    """A compound that ends in a word for an id, or begins with one, apart: kundennummer, orderid, idcliente."""
    if word in _IDS or _kind(word) is not None:
        return [word]
    for ending in ("nummer", "number", "numero", "uuid", "guid", "nr", "id", "no"):
        head = word.removesuffix(ending)
        if head != word and (
            _kind(head) is not None or (len(head) >= 3 and ending in ("nummer", "number", "uuid")) or ending == "nr"
        ):
            return [head, ending]
    for beginning in ("codigo", "numero", "num", "nro", "cod", "kod", "id", "nr", "n"):
        rest = word.removeprefix(beginning)
        if rest != word and len(rest) >= 3 and _kind(rest) is not None:
            return [beginning, rest]
    return [word]
