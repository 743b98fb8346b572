"""Picture files of every kind: read right, or refused in one sentence."""

import io

import numpy as np
import pytest
from PIL import Image

from vision.pictures import MOST_PIXELS, PictureError, read_picture


def scene(width=64, height=48):
    """Left half red, right half blue, as RGB."""
    rgb = np.zeros((height, width, 3), np.uint8)
    rgb[:, : width // 2, 0] = 204
    rgb[:, width // 2 :, 2] = 204
    return rgb


def stored(folder, name, image, **options):
    path = folder / name
    image.save(path, **options)
    return path


def sides(picture):
    """The colours, as BGR, in the middle of the left and the right half."""
    height, width = picture.shape[:2]
    return picture[height // 2, width // 4].tolist(), picture[height // 2, 3 * width // 4].tolist()


KINDS = [
    pytest.param("a.png", "RGB", {}, id="png"),
    pytest.param("a.jpg", "RGB", {"quality": 95, "subsampling": 0}, id="jpeg"),
    pytest.param("a.jpg", "CMYK", {"quality": 95}, id="cmyk jpeg"),
    pytest.param("a.webp", "RGB", {"lossless": True}, id="webp"),
    pytest.param("a.bmp", "RGB", {}, id="bmp"),
    pytest.param("a.tif", "RGB", {}, id="tiff"),
    pytest.param("a.png", "RGBA", {}, id="alpha"),
    pytest.param("a.png", "P", {}, id="palette"),
]


@pytest.mark.parametrize(("name", "mode", "options"), KINDS)
def test_every_kind_of_file_shows_the_same(tmp_path, name, mode, options):
    path = stored(tmp_path, name, Image.fromarray(scene()).convert(mode), **options)
    picture = read_picture(path)
    assert picture.shape == (48, 64, 3)
    assert picture.dtype == np.uint8
    left, right = sides(picture)
    assert np.abs(np.array(left) - (0, 0, 204)).max() <= 40
    assert np.abs(np.array(right) - (204, 0, 0)).max() <= 40


def test_exif_turns_the_picture_upright(tmp_path):
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was held so that the picture must be turned clockwise
    turned = Image.fromarray(np.ascontiguousarray(np.rot90(scene(), 1)))
    picture = read_picture(stored(tmp_path, "a.jpg", turned, quality=95, exif=exif))
    assert picture.shape == (48, 64, 3)
    left, right = sides(picture)
    assert left[2] > 150 > left[0]
    assert right[0] > 150 > right[2]


def test_sixteen_bits_keep_their_tones(tmp_path):
    deep = np.linspace(0, 65535, 64 * 48).reshape(48, 64).astype(np.uint16)
    picture = read_picture(stored(tmp_path, "a.png", Image.fromarray(deep)))
    assert picture.shape == (48, 64, 3)
    assert picture.min() <= 1
    assert picture.max() >= 254
    assert abs(int(picture[24, 32, 1]) - 128) <= 4


def test_what_is_transparent_is_neither_card_nor_ink(tmp_path):
    layer = np.zeros((48, 64, 4), np.uint8)
    assert read_picture(stored(tmp_path, "a.png", Image.fromarray(layer)))[24, 32].tolist() == [128, 128, 128]


def truncated_jpeg():
    store = io.BytesIO()
    noise = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    Image.fromarray(noise).save(store, "JPEG", quality=90)
    return store.getvalue()[: len(store.getvalue()) // 2]


def huge_png():
    """A header that claims 20,000 by 20,000 pixels."""
    store = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(store, "PNG")
    return store.getvalue()


def tiny_png():
    store = io.BytesIO()
    Image.new("RGB", (1, 1)).save(store, "PNG")
    return store.getvalue()


REFUSED = [
    pytest.param(lambda: b"", "no picture", id="empty file"),
    pytest.param(lambda: b"As Td 9c\n" * 50, "no picture", id="not an image"),
    pytest.param(truncated_jpeg, "damaged", id="truncated jpeg"),
    pytest.param(lambda: b"\xff\xd8\xff\xe0" + bytes(200), "no picture|damaged", id="a jpeg's first bytes only"),
    pytest.param(tiny_png, "1×1", id="one pixel"),
    pytest.param(huge_png, "too many pixels", id="too large"),
]


@pytest.mark.parametrize(("content", "words"), REFUSED)
def test_what_cannot_be_read_is_refused_in_a_sentence(tmp_path, content, words):
    path = tmp_path / "picture.jpg"
    path.write_bytes(content())
    with pytest.raises(PictureError, match=words) as caught:
        read_picture(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(PictureError, match="cannot be opened: No such file"):
        read_picture(tmp_path / "none.jpg")


def test_the_limit_lets_a_large_still_pass():
    assert 6000 * 4000 < MOST_PIXELS < 20_000 * 20_000
