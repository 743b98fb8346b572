"""What every request passes: who asks, errors in one shape, headers."""
