"""Whole sessions as records: what one visitor does in one visit is published as one typical session of its group."""
