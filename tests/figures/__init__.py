"""Full-size figures: `make verify` measures them, writes `figures.json` and the README's tables."""
