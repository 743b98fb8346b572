"""Labelled stills, from single cards to full tables."""
