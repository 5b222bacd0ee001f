"""Shapes of data: how tables, query logs, access logs and documents are read, written and read again."""
