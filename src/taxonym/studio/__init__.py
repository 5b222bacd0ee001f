"""The page in the browser on which a person goes from a file to a verified release: `taxonym studio`.

It has no logic of its own. It shows and edits a Plan, and calls the functions that the command calls.

gate.py      who may ask: one person, in one browser, on this machine
opened.py    the folder that was opened, and what may be read and written below it
history.py   every change of a project, to be undone, redone, named and compared
project.py   what a person has decided about one file: the plan, overrides, edits of hierarchies
changes.py   a plan with one thing changed
sentences.py what a setting means, and how two plans differ, in words
jobs.py      work in processes of its own: steps, progress, cancel
tasks.py     what these processes do
terms.py     the words of a column, page by page
branches.py  the taxonomy of a column as a tree with counts
script.py    what was done, as a command and as a Python script
screens/     one file for each screen
server.py    all of it as a web server
"""
