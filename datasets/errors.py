"""What goes wrong in the datasets package, one base class."""


class DatasetError(Exception):
    """A deck, scene or recording that cannot be made; the message says what to do next."""
