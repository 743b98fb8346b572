"""The web server as a client meets it: TLS, ports that are taken, bodies that are too large, logs without secrets."""

import logging
import socket
import ssl
import subprocess
import sys
import time

import httpx2
import pytest

from service.errors import SettingsError
from service.settings import Server
from service.web.serve import WithoutQuery, address, serve

PROGRAM = """
from service.app import create_app
from service.settings import read_settings
from service.web.serve import serve
settings = read_settings(None)
serve(create_app(settings), settings.server)
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", folder / "key.pem", "-out", folder / "cert.pem"]
    subprocess.run([*made, *names, *files], check=True, capture_output=True)
    return folder


def test_it_speaks_tls_and_its_cookies_are_for_tls_alone(tmp_path, certificate):
    port = free_port()
    environment = {
        "FOURSIGHT_SERVER_PORT": str(port),
        "FOURSIGHT_SERVER_TLS_CERTIFICATE": str(certificate / "cert.pem"),
        "FOURSIGHT_SERVER_TLS_KEY": str(certificate / "key.pem"),
        "FOURSIGHT_STORE_FOLDER": str(tmp_path),
    }
    add = [sys.executable, "-m", "service.cli", "account", "add", "max", "--role", "manager"]
    subprocess.run(add, input="correct horse\n", text=True, env=environment, check=True, capture_output=True)
    trusting = ssl.create_default_context(cafile=certificate / "cert.pem")
    with subprocess.Popen([sys.executable, "-c", PROGRAM], env=environment, stderr=subprocess.PIPE) as server:
        try:
            with httpx2.Client(base_url=f"https://127.0.0.1:{port}", verify=trusting) as client:
                answer = patient(client, server)
                assert answer.headers["Strict-Transport-Security"]
                assert "server" not in answer.headers
                signed_in = client.post("/api/v1/sign-in", json={"name": "max", "secret": "correct horse"})
                assert all("Secure" in cookie for cookie in signed_in.headers.get_list("set-cookie"))
                large = client.post("/api/v1/sign-in", content=b'{"name":"' + b"x" * 2_000_000 + b'"}')
                assert (large.status_code, large.json()["error"]["code"]) == (413, "request_entity_too_large")
        finally:
            server.terminate()
            _, logged = server.communicate(timeout=15)
    assert b"correct horse" not in logged
    assert b"Traceback" not in logged


def patient(client, server):
    for _ in range(900):
        try:
            return client.get("/healthz")
        except httpx2.ConnectError:
            assert server.poll() is None, server.stderr.read()
            time.sleep(0.1)
    raise TimeoutError


def test_a_port_that_is_taken_is_said_in_one_sentence():
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SettingsError, match="cannot listen on"):
        serve(None, Server(port=taken.getsockname()[1]))


def test_files_that_are_no_certificate_are_named(tmp_path):
    (tmp_path / "x.pem").write_text("no certificate")
    settings = Server(port=free_port(), tls_certificate=tmp_path / "x.pem", tls_key=tmp_path / "x.pem")
    with pytest.raises(SettingsError, match=r"x\.pem .* cannot be used"):
        serve(None, settings)


def test_the_access_log_has_no_queries():
    record = logging.LogRecord(
        "uvicorn.access", 20, "", 0, "%s %s %s %s %s", ("c", "GET", "/a?pin=1", "1.1", 200), None
    )
    WithoutQuery().filter(record)
    assert record.getMessage() == "c GET /a 1.1 200"


def test_the_address_is_what_a_browser_takes():
    assert address(Server(host="::1")) == "http://[::1]:8000"
