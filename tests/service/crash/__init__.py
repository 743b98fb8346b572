"""The service killed at random moments, and what must be true each time."""
