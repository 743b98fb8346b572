"""The tables of one service: each with its desk over the store, its rules in versions, and who watches it."""
