"""Evidence: kept under the name of its content, and never outside its folder."""

import pytest

from service.errors import NotFoundError, UnavailableError
from service.store.evidence import Evidence


@pytest.fixture
def evidence(tmp_path):
    return Evidence(tmp_path / "evidence")


def test_the_same_picture_is_kept_once(evidence, tmp_path):
    assert evidence.put(b"a picture") == evidence.put(b"a picture")
    assert [path.read_bytes() for path in tmp_path.rglob("*.jpg")] == [b"a picture"]


OUTSIDE = ["../secret.jpg", "/etc/passwd", "", "a" * 64, "A" * 64 + ".jpg", "a" * 64 + ".jpg/..", "a" * 64 + ".exe"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_name_cannot_leave_the_folder(evidence, name):
    with pytest.raises(NotFoundError, match="no name of evidence"):
        evidence.get(name)


def test_what_is_not_there_is_said(evidence):
    with pytest.raises(NotFoundError, match="not kept here"):
        evidence.get("a" * 64 + ".jpg")


def test_a_picture_that_was_changed_is_not_shown(evidence, tmp_path):
    name = evidence.put(b"a picture")
    next(tmp_path.rglob("*.jpg")).write_bytes(b"another")
    with pytest.raises(NotFoundError, match="was changed"):
        evidence.get(name)


def test_a_folder_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "evidence").write_text("a file, no folder")
    with pytest.raises(UnavailableError, match="cannot be kept"):
        Evidence(tmp_path / "evidence").put(b"a picture")
