"""Evaluation of the disclosure risk of masking methods dealing with textual attributes [Martinez2012]: its experiment.

survey.py       answers of visitors of a nature park, of our making in the shape of the paper's, and two hierarchies
experiment.py   generalisation by these, linkage with WordNet and without, loss: Figures 4 to 6
"""
