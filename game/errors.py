"""What goes wrong in the game package, one base class."""


class GameError(ValueError):
    """A card, table, rule or round that cannot be used; the message says what to write instead."""
