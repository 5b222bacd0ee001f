"""Read a hierarchy from a file, look into it, and keep it as a compiled file that loads at once."""

from pathlib import Path

import taxonym
from taxonym.knowledge import compiled

Path("products.txt").write_text(
    "Food > Fruit > Apple\nFood > Fruit > Pear\nFood > Meat > Sausage\nHousehold > Soap\n", encoding="utf-8"
)
products = taxonym.load("products.txt", join_roots="all products")
print(products)

apple, pear, soap = (products.codes(word)[0] for word in ("apple", "pear", "soap"))
print("apple and pear are both", products.label(products.lcs(apple, pear)))
print("apple to pear", taxonym.concept_distance(products, apple, pear))
print("apple to soap", taxonym.concept_distance(products, apple, soap))

compiled.write(products, Path("products.taxonym"))
print("again:", taxonym.load("products.taxonym"))
