"""The committed weights, their training and their metrics."""
