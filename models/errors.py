"""What goes wrong in training, one base class."""


class ModelError(ValueError):
    """Data, weights or settings that no model can be trained or exported from; the message says what to do next."""
