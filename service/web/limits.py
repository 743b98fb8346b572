"""How much a request may bring: commands are small, and nothing here is uploaded by the megabyte."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 1_000_000


class BodyLimit:
    """Refuses a body that is too large while it comes in, whatever its header says."""

    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what comes in, counted."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._largest:
                # The frame passes this kind on from within the reading of a body; any other becomes "bad request".
                raise HTTPException(413, f"a request has at most {self._largest:,} bytes; send less at once")
            return message

        await self._app(scope, counted, send)
