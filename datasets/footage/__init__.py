"""Whole rounds as recordings, with the truth beside them."""
