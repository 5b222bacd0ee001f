"""From the report of a run, a dictionary, to something to look at: one HTML file, short HTML for notebooks, charts.

This room knows dictionaries only, so that every other may use it. What a report does not hold is not shown.
"""
