"""Training, in small: both networks learn a handful of simulated pictures by heart, stop, and go on."""

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest
import torch

from datasets.stills.simulate import write_stills
from models.errors import ModelError
from models.export import export_identify, export_locate
from models.identify_data import NONE, STORED_PX_WH, Patches, batches, load_patches, vary
from models.identify_located import load_located
from models.identify_train import places_to_read, train_identify
from models.locate_data import batch_of, cut_example, index_square, load_scenes
from models.locate_net import LocateHead, LocateLoss, new_locate_model
from models.locate_train import start_from, train_locate
from models.schedule import Plan, Run
from models.torch_setup import _nms
from vision.identify import PATCH_MARGIN_WH, PATCH_PX_WH, UNIT
from vision.weights import MANIFEST, load_weights, open_session

pytestmark = pytest.mark.train
SEED = 7


@pytest.fixture(scope="module")
def stills(tmp_path_factory):
    """Twelve small pictures with a few large cards."""
    return write_stills(tmp_path_factory.mktemp("stills") / "set", 12, preset="count", seed=SEED)


@pytest.fixture
def losses():
    kept = []

    def report(step, steps, parts):
        kept.append(sum(parts.values()))

    report.kept = kept
    return report


def test_the_locator_learns_a_few_pictures(stills, tmp_path, losses, monkeypatch):
    monkeypatch.setattr("models.locate_train.PICTURE_PX", 256)
    monkeypatch.setattr("models.locate_train.REPORT_EVERY", 1)
    train_locate([stills], tmp_path, Plan(60, 6, 2e-3), seed=SEED, report=losses)
    assert np.mean(losses.kept[-8:]) < 0.7 * np.mean(losses.kept[:8])


def test_the_identifier_learns_a_few_patches(stills, tmp_path, losses, monkeypatch):
    monkeypatch.setattr("models.identify_train.REPORT_EVERY", 1)
    train_identify([stills], tmp_path, Plan(150, 32, 2e-3), seed=SEED, workers=1, report=losses)
    assert np.mean(losses.kept[-8:]) < 0.4 * np.mean(losses.kept[:8])


def test_training_goes_on_where_it_stopped(stills, tmp_path, losses, monkeypatch):
    monkeypatch.setattr("models.identify_train.REPORT_EVERY", 1)
    checkpoint = train_identify([stills], tmp_path, Plan(3, 8, 2e-3), workers=1, report=losses)
    train_identify([stills], tmp_path, Plan(5, 8, 2e-3), workers=1, report=losses)
    assert len(losses.kept) == 5
    assert torch.load(checkpoint, weights_only=True)["step"] == 5


def test_training_begins_with_given_weights(stills, tmp_path, losses, monkeypatch):
    monkeypatch.setattr("models.identify_train.REPORT_EVERY", 1)
    first = train_identify([stills], tmp_path / "1", Plan(120, 32, 2e-3), seed=SEED, workers=1, report=losses)
    start, end = losses.kept[0], losses.kept[-1]
    losses.kept.clear()
    train_identify([stills], tmp_path / "2", Plan(1, 32, 2e-3), seed=SEED, workers=1, init=first, report=losses)
    assert losses.kept[0] < (start + end) / 2
    model = new_locate_model()
    torch.save({"model": new_locate_model()}, tmp_path / "own.pt")
    assert start_from(model, tmp_path / "own.pt") == len(model.state_dict())


def test_training_goes_on_from_an_exported_network(stills, tmp_path, losses, monkeypatch):
    """The committed files are all that is kept of a training."""
    monkeypatch.setattr("models.identify_train.REPORT_EVERY", 1)
    first = train_identify([stills], tmp_path / "1", Plan(120, 32, 2e-3), seed=SEED, workers=1, report=losses)
    start, end = losses.kept[0], losses.kept[-1]
    losses.kept.clear()
    exported = export_identify(first, tmp_path / "weights")
    train_identify([stills], tmp_path / "2", Plan(1, 32, 2e-3), seed=SEED, workers=1, init=exported, report=losses)
    assert losses.kept[0] < (start + end) / 2


def test_a_network_in_8_bits_says_nearly_the_same_and_can_be_trained_on(stills, tmp_path, losses, monkeypatch):
    """The committed one: what a network that has learnt little says hangs by a hair."""
    monkeypatch.setattr("models.identify_train.REPORT_EVERY", 1)
    plan, committed = Plan(1, 32, 1e-6), load_weights("identify").path
    first = train_identify([stills], tmp_path / "1", plan, seed=SEED, workers=1, init=committed, report=losses)
    whole = export_identify(first, tmp_path / "whole")
    small = export_identify(first, tmp_path / "small", sets=[stills])
    assert small.stat().st_size < 0.4 * whole.stat().st_size
    patches = {"patches": next(batches(load_patches(stills, 1), 32, np.random.default_rng(3))).pictures}
    (before,), (after,) = (open_session(path).run(None, patches) for path in (whole, small))
    assert np.abs(before - after).mean() < 0.1 * before.std()
    train_identify([stills], tmp_path / "2", plan, seed=SEED, workers=1, init=small, report=losses)
    assert losses.kept[1] < 1.5 * losses.kept[0] + 0.1


def test_a_checkpoint_of_another_network_is_refused(stills, tmp_path):
    checkpoint = train_identify([stills], tmp_path, Plan(1, 8, 2e-3), workers=1)
    with pytest.raises(ModelError, match="checkpoint of another model"):
        export_locate(checkpoint, tmp_path)
    (tmp_path / "locate.pt").write_bytes(b"nothing")
    with pytest.raises(ModelError, match="no checkpoint that can be read"):
        train_locate([stills], tmp_path, Plan(1, 2, 2e-3))
    with pytest.raises(ModelError, match="cannot be read as weights"):
        start_from(new_locate_model(), tmp_path / "locate.pt")


def test_a_folder_without_labels_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"has no labels\.jsonl"):
        load_scenes([tmp_path])
    with pytest.raises(ModelError, match=r"has no labels\.jsonl"):
        load_patches(tmp_path, 1)


def test_exported_networks_say_what_the_trained_ones_say(stills, tmp_path):
    plan = Plan(2, 4, 2e-3)
    locate = export_locate(train_locate([stills], tmp_path, plan), tmp_path / "weights")
    export_identify(train_identify([stills], tmp_path, plan, workers=1), tmp_path / "weights")
    assert set(json.loads((tmp_path / "weights" / MANIFEST).read_text())) == {"locate", "identify"}
    assert load_weights("identify", tmp_path / "weights").path.name == "identify.onnx"
    picture = np.random.default_rng(SEED).integers(0, 255, (1, 96, 160, 3), np.uint8)
    logits, points = open_session(locate).run(None, {"picture": picture})
    model = new_locate_model()
    model.load_state_dict(torch.load(tmp_path / "locate.pt", weights_only=True)["mean"])
    with torch.no_grad():
        wanted, places = LocateHead(model.eval())(torch.from_numpy(picture).permute(0, 3, 1, 2).float() / 255)
    assert np.abs(logits - wanted.numpy()).max() < 1e-3
    assert np.abs(points - places.numpy()).max() < 1e-2


def test_the_head_decodes_as_the_loss_does(stills):
    """A network that is punished for one place and run at another would never be exact."""
    scene = load_scenes([stills])[0]
    model = new_locate_model().eval()
    batch = batch_of([cut_example(scene, 256, np.random.default_rng(SEED))])
    with torch.no_grad():
        _, places = LocateHead(model)(batch["img"])
        predictions = model(batch["img"])[1]
    loss = LocateLoss(model)
    from ultralytics.utils.tal import make_anchors

    anchors, strides = make_anchors(predictions["feats"], loss.stride, 0.5)
    raw = predictions["kpts"].permute(0, 2, 1).reshape(1, -1, 4, 2)
    wanted = loss.kpts_decode(anchors, raw) * strides[:, None]
    assert torch.allclose(places.reshape(1, -1, 4, 2), wanted, atol=1e-3)


def test_a_part_of_a_still_keeps_its_labels_true(stills):
    scene = load_scenes([stills])[0]
    rng = np.random.default_rng(SEED)
    example = cut_example(replace(scene, card_px=scene.card_px), 256, rng)
    assert example.picture_bgr.shape == (256, 256, 3)
    for quad, kind in zip(example.keypoints, example.kinds, strict=True):
        x, y, reach = index_square(quad, int(kind))
        assert -reach < x < 256 + reach
        assert -reach < y < 256 + reach


def test_patches_have_labels_of_every_kind(stills):
    patches = load_patches(stills, 1)
    assert {0, 1} <= set(patches.legible.tolist())
    named = patches.ranks != NONE
    assert (patches.suits[named] != NONE).all()
    batch = next(batches(patches, 64, np.random.default_rng(1)))
    assert batch.pictures.shape == (64, PATCH_PX_WH[1], PATCH_PX_WH[0], 3)
    assert 0 < np.abs(batch.corners[batch.is_index]).max() < 0.9
    middle, half_wide, half_high = batch.places[batch.is_index].reshape(-1, 3, 2).transpose(1, 0, 2)
    assert ((middle > 0) & (middle < 1)).mean() > 0.9
    assert (half_wide[:, 0] > 0).all()
    assert (half_high[:, 1] > 0).all()


def test_patches_are_the_same_once_stored(stills, tmp_path):
    patches = load_patches(stills, 1)
    patches.write(tmp_path / "a.npz")
    twice = Patches.read([tmp_path / "a.npz", tmp_path / "a.npz"])
    assert twice.pictures == patches.pictures * 2
    assert np.array_equal(twice.indices[len(patches) :], patches.indices)


def test_an_index_is_read_where_it_stands_or_refused_beside_it():
    true = torch.tensor([[0.3, 0.35, 0.2, 0.0, 0.0, 0.3]]).repeat(4000, 1)
    found = true.clone()
    found[::2] += 0.5  # the first look was wrong
    places, is_beside = places_to_read(
        found, true, torch.ones(4000, dtype=torch.bool), torch.Generator().manual_seed(1)
    )
    assert 0.04 < is_beside.float().mean() < 0.08
    assert (places - true)[~is_beside].abs().max() < 0.15
    assert ((places - true)[is_beside].abs() > 0.15).any(dim=1).all()
    assert torch.equal(places_to_read(found, true, torch.zeros(4000, dtype=torch.bool), torch.Generator())[0], found)


def test_corners_are_told_where_the_variation_moved_them():
    """A mark at each corner of a stored patch is found where the label says, in parts of the patch."""
    stored = np.full((STORED_PX_WH[1], STORED_PX_WH[0], 3), 40, np.uint8)
    width, height = (size / (1 + 2 * margin) for size, margin in zip(PATCH_PX_WH, PATCH_MARGIN_WH, strict=True))
    middle = np.array(STORED_PX_WH) / 2 - 0.5
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    cv2.circle(
        stored, (middle + (unit[2] - 0.5) * (width, height)).round().astype(int).tolist(), 3, (255, 255, 255), -1
    )
    picture, corners = vary(stored, np.random.default_rng(4), 1.0, unit.astype(np.float32))
    ys, xs = np.nonzero(picture[..., 0].astype(int) > picture.mean() + 60)
    found = (np.array([xs.mean(), ys.mean()]) - (np.array(PATCH_PX_WH) / 2 - 0.5)) / (width, height) + 0.5
    assert found == pytest.approx(corners[2], abs=0.04)


def test_patches_are_cut_as_the_committed_locator_finds_them(stills):
    patches, labelled = load_located(stills, 1), load_patches(stills, 1)
    assert patches.located.all()
    assert not labelled.located.any()
    named = patches.ranks != NONE
    assert 0.5 * (labelled.ranks != NONE).sum() < named.sum()
    assert 0.005 < np.abs(patches.corners[named] - UNIT).mean() < 0.2
    assert (patches.legible[named] != 0).all()


def test_the_rate_rises_and_falls():
    plan = Plan(1000, 1, 1e-3)
    rates = [plan.rate_at(step) for step in range(1000)]
    assert max(rates) == pytest.approx(1e-3)
    assert rates[0] < 1e-4
    assert rates[-1] == pytest.approx(2e-5, rel=0.1)


def test_the_mean_follows_the_weights():
    model = torch.nn.Linear(2, 1)
    run = Run(model, Plan(50, 1, 0.1))
    for _ in run.remaining():
        run.take_step((model(torch.ones(1, 2)) - 3).square().mean())
    assert float(run.mean(torch.ones(1, 2))) == pytest.approx(3.0, abs=0.5)


def test_nms_keeps_the_best_of_what_overlaps():
    boxes = torch.tensor([[0.0, 0, 10, 10], [1, 1, 10, 10], [20, 20, 30, 30]])
    assert _nms(boxes, torch.tensor([0.5, 0.9, 0.1]), 0.5).tolist() == [1, 2]
    assert _nms(boxes[:0], torch.zeros(0), 0.5).tolist() == []
