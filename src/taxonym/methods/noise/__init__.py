"""Noise as a plan asks for it: columns, cells, statistics, records that come one at a time."""
