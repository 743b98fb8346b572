"""What goes wrong in the vision package, one base class."""


class VisionError(ValueError):
    """A table file, camera, event or recording that cannot be used; the message says what to do next."""


class TableFileError(VisionError):
    """A table file that cannot be used; the message names file, place, value and remedy."""
