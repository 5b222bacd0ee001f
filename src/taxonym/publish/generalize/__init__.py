"""Generalisation: values become more general, so that enough records are alike, for as little cost as is found.

recoded, costs      what a column is, what comes out, and what rising costs
ladder, local       one value per record: every record rises for itself (best_first: a few records, proved;
                    classes, improve: many, by joining classes and moving records between them)
full_domain         one value per record: whole columns rise alike
forest, topdown     sets: groups of records, from the top down (groups, moves, improve_sets: what groups cost, and
                    cheaper ones; nested: what a group publishes, exactly; shares: what must be paid at least)
cuts, items         sets: every item becomes the same everywhere, so that k records have any few of them
"""
