"""Many settings on one input: what each loses, what an intruder finds, and which to take.

settings.py    what is tried, and by which distances all are judged
cell.py        one setting, tried
store.py       the folder where finished cells are kept
run.py         compare(): the whole sweep
comparison.py  Comparison: the table, the frontier, the recommendation
"""
