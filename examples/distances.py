"""How far apart words are, in WordNet and in a hierarchy of your own."""

import taxonym

wordnet = taxonym.load("wordnet")
flu, pneumonia = wordnet.codes("flu")[0], wordnet.codes("pneumonia")[0]
for measure in ("jaccard", "wu-palmer", "lin"):
    print(f"{measure:10} {taxonym.concept_distance(wordnet, flu, pneumonia, measure):.3f}")

sports = taxonym.Taxonomy.from_edges(
    [("swimming", "water sports"), ("windsurfing", "water sports"), ("water sports", "sports")]
)
codes = [sports.code(word) for word in ("swimming", "windsurfing", "sports")]
print(taxonym.concept_distances(sports, codes, codes))
