"""Decks, the table simulator, label formats and scoring."""
