"""Weights are what the manifest says, or a sentence says what is wrong."""

import json
import shutil

import numpy as np
import pytest

from vision.weights import MANIFEST, WEIGHTS_FOLDER, WeightsError, load_weights, open_session

NETWORKS = ("locate", "identify")


@pytest.fixture
def copied(tmp_path):
    return shutil.copytree(WEIGHTS_FOLDER, tmp_path / "weights")


@pytest.mark.parametrize("name", NETWORKS)
def test_the_committed_networks_open(name):
    weights = load_weights(name)
    assert weights.path.stat().st_size < 15_000_000
    assert open_session(weights.path).get_inputs()[0].type == "tensor(uint8)"


def test_the_locator_takes_any_size():
    session = open_session(load_weights("locate").path)
    for height, width in ((32, 32), (96, 320)):
        logits, points = session.run(None, {"picture": np.zeros((1, height, width, 3), np.uint8)})
        assert logits.shape[1] == points.shape[1] == height * width * (1 / 64 + 1 / 256 + 1 / 1024)


def changed_file(folder):
    with (folder / "locate.onnx").open("ab") as file:
        file.write(b"x")


def missing_file(folder):
    (folder / "locate.onnx").unlink()


def broken_manifest(folder):
    (folder / MANIFEST).write_text("{")


def missing_manifest(folder):
    (folder / MANIFEST).unlink()


def unnamed(folder):
    (folder / MANIFEST).write_text("{}")


def no_object(folder):
    (folder / MANIFEST).write_text("[]")


BROKEN = [
    pytest.param(changed_file, "is not the file that weights.json describes", id="changed"),
    pytest.param(missing_file, "cannot be read", id="missing"),
    pytest.param(broken_manifest, "is no JSON", id="broken manifest"),
    pytest.param(missing_manifest, "cannot be read", id="missing manifest"),
    pytest.param(unnamed, "does not name 'locate'", id="not named"),
    pytest.param(no_object, "no JSON object", id="a list"),
]


@pytest.mark.parametrize(("damage", "words"), BROKEN)
def test_weights_that_cannot_be_used_are_named(copied, damage, words):
    damage(copied)
    with pytest.raises(WeightsError, match=words):
        load_weights("locate", copied)


def test_a_file_that_is_no_network(copied):
    path = copied / "other.onnx"
    path.write_bytes(b"no network")
    with pytest.raises(WeightsError, match="cannot be opened"):
        open_session(path)


def test_the_manifest_names_every_file():
    manifest = json.loads((WEIGHTS_FOLDER / MANIFEST).read_text())
    assert {entry["file"] for entry in manifest.values()} == {path.name for path in WEIGHTS_FOLDER.glob("*.onnx")}
