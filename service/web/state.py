"""What the application carries for its routes, with types."""

from fastapi import Request

from service.foundation import Foundation

__all__ = ["Foundation", "foundation"]


def foundation(request: Request) -> Foundation:
    """The application's foundation; use it as `Annotated[Foundation, Depends(foundation)]`."""
    found = request.app.state.foundation
    assert isinstance(found, Foundation)
    return found
