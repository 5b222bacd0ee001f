"""Semantic noise and mechanisms that promise ε."""
