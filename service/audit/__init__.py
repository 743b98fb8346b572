"""The audit log: append-only, hash-chained, one chain a site."""
