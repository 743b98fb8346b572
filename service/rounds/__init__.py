"""The round workflow: pure values and functions; what a round is, what may be done to it, and what a person sees."""
