"""Every route of the application, whoever wrote it: who may, in which shape it refuses, and how it is described."""

import pytest
from fastapi.testclient import TestClient

from service.accounts.roles import PERMISSIONS, SCOPES, Role, system
from service.api.sign_in import PUBLIC
from service.app import create_app
from service.settings import Settings, StoreSettings
from service.web.describe import doors
from tests.service.conftest import QUICK_HASHER, SECRETS, sign_in

STATIC = ("/static",)
NO_JSON = "the body is no JSON; send one object, in UTF-8"


def calls(app):
    for door in doors(app):
        for method in sorted(door.methods - {"HEAD"}):
            path = door.path
            while "{" in path:
                path = path[: path.index("{")] + "1" + path[path.index("}") + 1 :]
            yield door, method, path


def ask(client, method, path, **headers):
    return client.request(method, path, json={} if method != "GET" else None, headers=headers, follow_redirects=False)


def test_every_route_asks_for_a_permission_or_is_listed_public(app):
    for door in doors(app):
        assert (door.permission is None) == (door.path in PUBLIC or door.path in STATIC), door


def test_nobody_gets_in_without_signing_in(app, client):
    for door, method, path in calls(app):
        if door.permission is not None:
            answer = ask(client, method, path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "not_signed_in"), door


@pytest.mark.parametrize("role", list(Role))
def test_each_role_gets_to_its_routes_and_no_others(app, client, role):
    sign_in(client, role)
    for door, method, path in calls(app):
        if door.permission is None or path.endswith("/sign-out"):
            continue
        answer = ask(client, method, path)
        refused = answer.status_code == 403
        assert refused == (door.permission not in PERMISSIONS[role]), (door, answer.text)
        assert answer.status_code != 401, door


def test_each_token_gets_to_the_routes_of_its_scopes(app, client):
    tokens = app.state.foundation.tokens
    for scope in sorted(SCOPES):
        key, _ = tokens.add(system("test"), scope, [scope])
        for door, method, path in calls(app):
            if door.permission is not None:
                answer = ask(client, method, path, Authorization=f"Bearer {key}")
                assert (answer.status_code == 403) == (door.permission != scope), (door, scope, answer.text)


def test_every_error_has_the_one_shape(app, client):
    sign_in(client, Role.MANAGER)
    for _, method, path in calls(app):
        answer = ask(client, method, path)
        if answer.status_code >= 400 and not path.startswith("/healthz"):
            assert answer.json()["error"].keys() == {"code", "message", "field"}, path
            assert answer.json()["error"]["message"], path


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/nowhere", 404, "not_found"),
        ("DELETE", "/api/v1/me", 405, "method_not_allowed"),
        ("POST", "/api/v1/sign-in", 422, "invalid"),
    ],
)
def test_errors_of_the_frame_have_it_too(client, method, path, status, code):
    answer = ask(client, method, path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_a_body_that_is_no_json_is_said_to_be_none(client):
    answer = client.post("/api/v1/sign-in", content=b"hello", headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["error"] == {"code": "invalid", "message": NO_JSON, "field": None}


def test_a_fault_of_the_program_says_nothing_of_it(app, client, monkeypatch):
    def fail():
        raise RuntimeError("secret inside")

    monkeypatch.setattr(app.state.foundation.accounts, "all", fail)
    sign_in(client, Role.MANAGER)
    client._transport.raise_server_exceptions = False
    answer = client.get("/api/v1/accounts")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "internal")
    assert "secret" not in answer.text


def test_a_change_needs_the_csrf_token_and_the_own_origin(client):
    sign_in(client, Role.MANAGER)
    token = client.headers.pop("X-CSRF-Token")
    body = {"name": "zoe", "secret": "730915", "role": "dealer"}
    refused = [{}, {"X-CSRF-Token": "x"}, {"X-CSRF-Token": token, "Origin": "https://evil.example"}]
    for headers in refused:
        answer = client.post("/api/v1/accounts", json=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf"), headers
    good = {"X-CSRF-Token": token, "Origin": "http://testserver"}
    assert client.post("/api/v1/accounts", json=body, headers=good).status_code == 201


def test_another_site_cannot_sign_anybody_in(client):
    body = {"name": "dealer", "secret": SECRETS[Role.DEALER]}
    answer = client.post("/api/v1/sign-in", json=body, headers={"Origin": "https://evil.example"})
    assert answer.json()["error"]["code"] == "csrf"


def test_cookies_cannot_be_read_by_scripts_nor_sent_by_other_sites(client):
    session, csrf = sign_in(client, Role.DEALER).headers.get_list("set-cookie")
    assert session.startswith("foursight_session=")
    assert "HttpOnly" in session
    assert "HttpOnly" not in csrf
    assert all("SameSite=strict" in cookie for cookie in (session, csrf))


def test_dealers_relieve_each_other_at_one_tablet(app, client):
    sign_in(client, Role.DEALER)
    before = client.cookies["foursight_session"]
    sign_in(client, Role.SUPERVISOR)
    assert client.get("/api/v1/me").json()["name"] == "supervisor"
    assert app.state.foundation.sessions.find(before) is None


def test_signing_out_ends_the_session(app, client):
    sign_in(client, Role.DEALER)
    cookie = client.cookies["foursight_session"]
    assert client.post("/api/v1/sign-out").status_code == 204
    assert client.get("/api/v1/me").status_code == 401
    assert app.state.foundation.sessions.find(cookie) is None


def test_the_first_manager_is_made_with_the_code(tmp_path):
    app = create_app(Settings(store=StoreSettings(folder=tmp_path)), hasher=QUICK_HASHER)
    code = app.state.foundation.accounts.make_setup_code()
    body = {"name": "max", "secret": "correct horse"}
    with TestClient(app) as client:
        assert client.post("/api/v1/set-up", json=body | {"code": "AAAA"}).status_code == 401
        assert client.post("/api/v1/set-up", json=body | {"code": code}).status_code == 201
        assert client.post("/api/v1/sign-in", json=body).json()["me"]["role"] == "manager"


def test_accounts_and_tokens_through_the_api(client):
    sign_in(client, Role.MANAGER)
    body = {"name": "zoe", "secret": "730915", "role": "dealer", "shown_name": "Zoe  B."}
    assert client.post("/api/v1/accounts", json=body).json()["shown_name"] == "Zoe B."
    assert client.post("/api/v1/accounts/zoe/disable").json()["disabled"] is True
    assert client.post("/api/v1/accounts/zoe/enable").json()["disabled"] is False
    assert client.post("/api/v1/accounts/zoe/reset", json={"secret": "481516"}).status_code == 200
    made = client.post("/api/v1/tokens", json={"name": "chips", "scopes": ["wagers:write"]}).json()
    assert made["key"].startswith("fs_")
    listed = client.get("/api/v1/tokens").text
    assert made["key"] not in listed
    assert client.post("/api/v1/tokens/chips/revoke").json()["revoked"] is True


def test_the_audit_log_and_the_settings_are_seen(client):
    sign_in(client, Role.MANAGER)
    entries = client.get("/api/v1/audit", params={"after": 1, "limit": 2}).json()
    assert [entry["sequence"] for entry in entries] == [2, 3]
    newest = client.get("/api/v1/audit", params={"newest_first": True, "before": 5, "limit": 2}).json()
    assert [entry["sequence"] for entry in newest] == [4, 3]
    of_one = client.get("/api/v1/audit", params={"newest_first": True, "subject": entries[0]["subject"]}).json()
    assert {entry["subject"] for entry in of_one} == {entries[0]["subject"]}
    assert client.get("/api/v1/audit/verify").json() == {"entries": 5, "faults": []}
    assert len(client.get("/api/v1/audit/export").text.splitlines()) == 5
    assert client.get("/api/v1/settings").json()["server"]["host"] == "127.0.0.1"


def test_health_says_what_is_wrong(app, client):
    assert client.get("/healthz").json()["status"] == "ok"
    app.state.health["table 12"] = lambda: "the camera is away"
    app.state.foundation.store.audit_fault = "a secret path"
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["parts"] == {"store": "ok", "audit": "fault", "table 12": "the camera is away"}


def test_every_answer_has_the_security_headers(client):
    for path in ("/healthz", "/nowhere", "/api/v1/me"):
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "default-src 'self'" in headers["Content-Security-Policy"]
        assert headers["Cache-Control"] == "no-store"


def test_openapi_describes_every_route_with_tags_examples_and_one_error(app, client):
    document = client.get("/api/v1/openapi.json").json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            where = f"{method} {path}"
            assert operation["tags"], where
            assert operation["summary"], where
            assert "Who may:" in operation["description"], where
            if path.startswith("/api/"):
                schema = operation["responses"]["4XX"]["content"]["application/json"]["schema"]
                assert schema == {"$ref": "#/components/schemas/ErrorBody"}, where
    assert "HTTPValidationError" not in document["components"]["schemas"]


def has_example(schemas, content):
    schema = content.get("schema", content)
    if {"example", "examples"} & (content.keys() | schema.keys()):
        return True
    named = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
    inner = [
        named.get("items", {}),
        *named.get("anyOf", []),
        *named.get("oneOf", []),
        *named.get("properties", {}).values(),
    ]
    return any(
        {"example", "examples"} & part.keys() or ("$ref" in part and has_example(schemas, part)) for part in inner
    )


def test_requests_and_answers_have_examples(client):
    document = client.get("/api/v1/openapi.json").json()
    schemas = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts = [operation.get("requestBody", {})]
            parts += [answer for status, answer in operation["responses"].items() if status.startswith("2")]
            for part in parts:
                content = part.get("content", {}).get("application/json")
                assert content is None or content.get("schema") == {} or has_example(schemas, content), (
                    f"{method} {path}"
                )
