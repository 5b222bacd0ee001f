"""Files and tables, in and out: opening, unpacking, commits of several files together, progress."""
