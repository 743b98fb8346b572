"""The routes below `/api/v1`."""
