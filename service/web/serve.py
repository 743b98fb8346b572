"""The web server: listens where the settings say, speaks TLS by their files, logs no query and no secret."""

import logging
import socket
import ssl
from typing import Any

import uvicorn
from fastapi import FastAPI

from service.errors import SettingsError
from service.settings import Server

_GOODBYE_S = 3  # streams are cut after so long when the service stops


def serve(app: FastAPI, settings: Server) -> None:
    """Run until a signal stops it; what keeps it from listening is said before anything starts."""
    config = _config(app, settings)
    with _listen(settings) as listening:
        WebServer(config, app).run([listening])


class WebServer(uvicorn.Server):
    """Sends home who listens to tables before it waits for the rest: a stream never ends by itself."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close down."""
        for desk in self._app.state.desks.values():
            desk.subscribers.end()
        await super().shutdown(sockets)


def address(settings: Server) -> str:
    """Where a browser finds it."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"{'https' if settings.tls_certificate else 'http'}://{host}:{settings.port}"


def _config(app: FastAPI, settings: Server) -> uvicorn.Config:
    if settings.tls_certificate is not None:
        _check_tls(settings)
    return uvicorn.Config(
        app,
        ssl_certfile=settings.tls_certificate,
        ssl_keyfile=settings.tls_key,
        proxy_headers=settings.behind_tls,
        server_header=False,
        log_config=_LOGGING,
        timeout_graceful_shutdown=_GOODBYE_S,
    )


def _check_tls(settings: Server) -> None:
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.tls_certificate or "", settings.tls_key)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(
            f"server.tls_certificate {settings.tls_certificate} and server.tls_key {settings.tls_key} cannot be used "
            f"together: {error.strerror or error}",
            field="server.tls_certificate",
        ) from None


def _listen(settings: Server) -> socket.socket:
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((settings.host, settings.port), family=family, backlog=256)
    except OSError as error:
        raise SettingsError(
            f"cannot listen on {settings.host} port {settings.port}: {error.strerror}; "
            "choose another with server.port or stop what uses it",
            field="server.port",
        ) from None


class WithoutQuery(logging.Filter):
    """The access log names paths, never what stands behind a question mark."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Cut the query off."""
        if isinstance(record.args, tuple) and len(record.args) == 5:
            client, method, path, *rest = record.args
            record.args = (client, method, str(path).partition("?")[0], *rest)
        return True


_LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"without_query": {"()": WithoutQuery}},
    "formatters": {"plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "plain", "filters": ["without_query"]},
    },
    "loggers": {
        "foursight": {"handlers": ["stderr"], "level": "INFO", "propagate": False},
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
        "uvicorn.access": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}
