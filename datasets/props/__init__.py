"""Things that are no cards: hands and sleeves, chips, clutter."""
