"""The table service: workflow, store, pages and the command line."""
