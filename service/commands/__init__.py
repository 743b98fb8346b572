"""One module a command: its options, what it prints, its exit status."""
