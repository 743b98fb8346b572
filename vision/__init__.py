"""From a camera to a checked deal: sources, geometry, reading cards, observing rounds."""
