"""Write the Spanish example, a small wordnet and a survey, both invented: python tools/make_spanish_example.py

The survey has 160 persons with an occupation, a basket and how they feel; groups of persons have tastes in common.
Plurals, capitals and accents are written as people write them.
"""

import csv
import io
import random
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

FOLDER = Path(__file__).parents[1] / "examples" / "spanish"
# indented by is-a; words of a synset, then its gloss
OUTLINE = """
entidad: lo que es o existe
  alimento, comida: lo que se come o se bebe para vivir
    fruta: fruto comestible de una planta
      manzana: fruta redonda de piel fina
      pera: fruta dulce más ancha por abajo
      plátano, banana: fruta alargada de piel amarilla
      uva: baya que crece en racimos
      fresa, frutilla: fruta roja y pequeña
      melocotón, durazno: fruta de hueso con piel de terciopelo
      cítrico: fruta ácida de gajos
        naranja: cítrico dulce de color naranja
        limón: cítrico amarillo y ácido
        mandarina: cítrico pequeño que se pela con la mano
    verdura, hortaliza: planta de huerta que se come
      tomate: fruto rojo de la tomatera, que se come como verdura
      lechuga: hojas que se comen en ensalada
      cebolla: bulbo de olor fuerte
      ajo: bulbo de dientes, para condimentar
      pimiento: fruto hueco, verde o rojo
      patata, papa: tubérculo comestible
      zanahoria: raíz de color naranja
      espinaca: hojas verdes que se cuecen
    legumbre: semilla seca que se cuece
      lenteja: legumbre redonda y plana
      garbanzo: legumbre redonda con pico
      judía, alubia, frijol: legumbre alargada
    lácteo, producto lácteo: alimento hecho de leche
      leche: líquido blanco de la vaca, la oveja o la cabra
      queso: leche cuajada y prensada
      yogur: leche fermentada
      mantequilla: grasa de la leche
      nata, crema de leche: parte grasa de la leche
    carne: parte de un animal que se come
      pollo: carne de gallina joven
      ternera: carne de vaca joven
      cerdo: carne de cerdo
      cordero: carne de oveja joven
      embutido: carne picada y curada
        chorizo: embutido rojo de cerdo
        salchicha: embutido delgado
      jamón: pata de cerdo curada
    pescado: pez que se come
      atún, bonito: pescado azul grande
      merluza: pescado blanco
      sardina: pescado azul pequeño
      salmón: pescado de carne rosada
    pan: masa de harina cocida al horno
      barra de pan: pan largo
      panecillo, bollo: pan pequeño
    pasta: masa seca de harina
      espagueti: pasta larga y fina
      macarrón: pasta corta y hueca
    dulce: alimento con azúcar
      galleta: dulce plano y crujiente
      chocolate: dulce de cacao
      helado: dulce frío
      pastel, tarta: dulce de horno para fiestas
    arroz: grano blanco que se cuece
    huevo: huevo de gallina
    condimento: lo que da sabor
      sal: condimento blanco del mar
      aceite: grasa líquida de la aceituna
        aceite de oliva: aceite de aceitunas
      vinagre: vino agrio
      azúcar: condimento dulce
    bebida: líquido que se bebe
      agua mineral: agua embotellada
      zumo, jugo: líquido de la fruta
        zumo de naranja: zumo de naranjas
      refresco, gaseosa: bebida dulce con gas
      café: bebida de granos tostados
      té: bebida de hojas
      bebida alcohólica: bebida con alcohol
        vino: bebida de uvas
          vino tinto: vino rojo
          vino blanco: vino de uva blanca
        cerveza: bebida de cebada
        cava: vino espumoso
  síntoma: lo que se nota de una enfermedad
    dolor: sensación que molesta
      dolor de cabeza, cefalea, jaqueca: dolor en la cabeza
      dolor de espalda, lumbalgia: dolor en la espalda
      dolor de garganta: dolor al tragar
      dolor de muelas: dolor en los dientes
      dolor de estómago: dolor en el vientre
    fiebre, calentura: temperatura alta
    tos: golpes de aire que limpian el pecho
    cansancio, fatiga: falta de fuerza
    mareo, vértigo: sensación de girar
    insomnio: falta de sueño
    náusea: ganas de vomitar
    picor, comezón: ganas de rascarse
    ansiedad: inquietud del ánimo
  persona: ser humano
    trabajador: persona que trabaja
      sanitario: trabajador de la salud
        médico, doctor: persona que cura
        enfermero, enfermera: persona que cuida a los enfermos
        farmacéutico, farmacéutica: persona que prepara medicinas
      docente: persona que enseña
        profesor: docente de instituto o universidad
        maestro, maestra: docente de niños
      artesano: trabajador manual con oficio
        carpintero, carpintera: artesano de la madera
        albañil: artesano de la obra
        fontanero, plomero: artesano de las tuberías
        electricista: artesano de la luz
      empleado de comercio: trabajador de una tienda
        dependiente, vendedor: persona que vende en una tienda
        cajero, cajera: persona que cobra
      hostelero: trabajador de bares y restaurantes
        camarero, mesero, camarera: persona que sirve las mesas
        cocinero, cocinera: persona que cocina
      conductor, chófer: persona que conduce
        taxista: conductor de taxi
        camionero: conductor de camión
    estudiante: persona que estudia
    jubilado, jubilada, pensionista: persona que ya no trabaja
"""
TASTES = (
    "manzanas peras plátanos naranjas uvas fresas mandarinas yogures",
    "tomates lechuga cebollas ajos pimientos zanahorias aceite~de~oliva",
    "lentejas garbanzos arroz chorizo Patatas cebolla pan",
    "pollo ternera cerdo jamón salchichas huevos vino~tinto",
    "atún merluza sardinas salmón limones vino~blanco espinacas",
    "galletas chocolate helados pasteles leche café refrescos zumo~de~naranja",
    "cerveza vino~tinto queso jamón pan agua~mineral panecillos",
)
FEELINGS = (
    "dolor de cabeza", "me duele la espalda, dolor de espalda", "tos y fiebre", "cansancio", "insomnio y ansiedad",
    "mareos", "dolores de cabeza y náuseas", "", "fatiga, mucho cansancio", "dolor de garganta y tos",
)  # fmt: skip
WORK = (
    "profesora", "Profesor", "maestra", "enfermera", "enfermero", "médico", "doctora", "albañil", "fontanero",
    "electricista", "carpintero", "camarera", "cocinero", "dependienta", "cajera", "taxista", "camionero",
    "estudiante", "Estudiante", "jubilado", "jubilada", "pensionista",
)  # fmt: skip
PERSONS = 160


def synsets() -> Iterator[tuple[int, list[str], str, int | None]]:
    """Number, words, gloss and the number of what stands above, from the outline."""
    above: list[int] = []
    for number, line in enumerate((line for line in OUTLINE.splitlines() if line.strip()), 1):
        words, _, gloss = line.strip().partition(": ")
        del above[(len(line) - len(line.lstrip())) // 2 :]
        yield number, words.split(", "), gloss, above[-1] if above else None
        above.append(number)


def wordnet() -> str:
    """The outline as WN-LMF."""
    every = list(synsets())
    senses: dict[str, list[int]] = {}
    for number, words, _, _ in every:
        for word in words:
            senses.setdefault(word, []).append(number)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">',
        '<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">',
        '<Lexicon id="ejemplo" label="A small Spanish wordnet, an example" language="es" email="nobody@example.org"'
        ' license="https://www.apache.org/licenses/LICENSE-2.0" version="1">',
    ]
    for n, (word, numbers) in enumerate(senses.items(), 1):
        entry = f"ejemplo-w{n}"
        lines.append(f'<LexicalEntry id="{entry}"><Lemma writtenForm={quoteattr(word)} partOfSpeech="n"/>')
        lines += [f'  <Sense id="{entry}-{one}" synset="ejemplo-{one:08d}-n"/>' for one in numbers]
        lines.append("</LexicalEntry>")
    for number, _, gloss, parent in every:
        lines.append(f'<Synset id="ejemplo-{number:08d}-n" ili="" partOfSpeech="n">')
        lines.append(f"  <Definition>{escape(gloss)}</Definition>")
        if parent is not None:
            lines.append(f'  <SynsetRelation relType="hypernym" target="ejemplo-{parent:08d}-n"/>')
        lines.append("</Synset>")
    return "\n".join([*lines, "</Lexicon>", "</LexicalResource>", ""])


def survey(seed: int = 20) -> str:
    """The persons, by lot."""
    draw = random.Random(seed)
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", "ocupación", "compra", "salud"])
    for person in range(1, PERSONS + 1):
        taste = [one.replace("~", " ") for one in draw.choice(TASTES).split()]
        other = [one.replace("~", " ") for one in draw.choice(TASTES).split()]
        basket = dict.fromkeys([*draw.sample(taste, draw.randint(2, 4)), *draw.sample(other, draw.randint(0, 2))])
        written = [_as_people_write(item, draw) for item in basket]
        rows.writerow([f"P{person:03d}", draw.choice(WORK), ";".join(written), draw.choice(FEELINGS)])
    return out.getvalue()


def _as_people_write(item: str, draw: random.Random) -> str:
    if draw.random() < 0.15:
        item = item.translate(str.maketrans("áéíóúñ", "aeioun"))
    return item.capitalize() if draw.random() < 0.1 else item


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "wordnet-es.xml").write_text(wordnet(), encoding="utf-8")
    (FOLDER / "encuesta.csv").write_text(survey(), encoding="utf-8")


if __name__ == "__main__":
    main()
