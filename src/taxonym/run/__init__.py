"""One run, whatever the data: the order of its steps."""
