"""What may be told about a run, and the guard through which all of it goes."""
