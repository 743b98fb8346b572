"""Pictures out of a package's files: SVG, PDF and PNG to BGRA.

In: a file of an unpacked package. Out: BGRA at about the height asked for. SVG is rendered by resvg and PDF by PDFium,
both installed by pip with `foursight[decks]`, so that no system package and no root is needed.
"""

import gzip
import re
from pathlib import Path
from xml.etree import ElementTree

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.art import Art
from datasets.errors import DatasetError

_NAMESPACES = {
    "": "http://www.w3.org/2000/svg",
    "xlink": "http://www.w3.org/1999/xlink",
}
_SVG = "{http://www.w3.org/2000/svg}"
_REFERENCE = re.compile(r"""(?:url\(|href=")#([^)"]+)""")
_DPI = 96.0  # for sizes given in inches
_PROBE_PX = 350  # height of the small rendering that shows where an element lies


def render_svg(svg: str, height_px: int) -> Art:
    """A whole SVG document at this height."""
    try:
        import resvg_py
    except ImportError as error:
        raise DatasetError("SVG decks need resvg: pip install 'foursight[decks]'") from error
    try:
        png = resvg_py.svg_to_bytes(svg_string=svg, height=height_px, dpi=_DPI, skip_system_fonts=True)
    except ValueError as error:
        raise DatasetError(f"the SVG cannot be rendered: {error}") from error
    return _decoded(bytes(png), "the rendered SVG")


def _decoded(packed: bytes, name: str) -> Art:
    picture = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise DatasetError(f"{name} is no picture that can be read")
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGRA)
    if picture.shape[2] == 3:
        picture = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA)
    return np.asarray(picture, np.uint8)


def read_svg(path: Path) -> str:
    """The text of an SVG file, packed or not."""
    packed = path.read_bytes()
    return (gzip.decompress(packed) if packed[:2] == b"\x1f\x8b" else packed).decode("utf-8")


def _render_pdf(path: Path, height_px: int) -> Art:
    try:
        import pypdfium2  # type: ignore[import-untyped]
    except ImportError as error:
        raise DatasetError("PDF decks need PDFium: pip install 'foursight[decks]'") from error
    document = pypdfium2.PdfDocument(path)
    try:
        page = document[0]
        bitmap = page.render(scale=height_px / page.get_height(), fill_color=(255, 255, 255, 0), rev_byteorder=False)
        picture: NDArray[np.uint8] = bitmap.to_numpy().copy()
    finally:
        document.close()
    return picture if picture.shape[2] == 4 else _with_alpha(picture)


def _with_alpha(picture: NDArray[np.uint8]) -> Art:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)


def render_file(path: Path, height_px: int) -> Art:
    """One file as BGRA; a PNG keeps its own size."""
    if not path.is_file():
        raise DatasetError(f"{path.name} is not in the package; has the package changed?")
    if path.suffix in (".svg", ".svgz"):
        return render_svg(read_svg(path), height_px)
    return _render_pdf(path, height_px) if path.suffix == ".pdf" else _decoded(path.read_bytes(), path.name)


class SvgElements:
    """Single elements of one SVG document, each rendered alone by its id."""

    def __init__(self, path: Path) -> None:
        for prefix, address in _NAMESPACES.items():
            ElementTree.register_namespace(prefix, address)
        self._root = ElementTree.fromstring(read_svg(path))
        self._parents = {child: parent for parent in self._root.iter() for child in parent}
        self._named = {element.get("id"): element for element in self._root.iter() if element.get("id")}

    def _needed(self, name: str) -> str:
        """The element and all that it refers to, as definitions: a page of 60 cards is not parsed for each of them."""
        texts: dict[str, str] = {}
        waiting = {name}
        while waiting:
            wanted = waiting.pop()
            if wanted in self._named and wanted not in texts:
                texts[wanted] = ElementTree.tostring(self._named[wanted], encoding="unicode")
                waiting.update(_REFERENCE.findall(texts[wanted]))
        return "<defs>" + "".join(texts.values()) + "</defs>"

    def _drawn(self, name: str, view: tuple[float, float, float, float]) -> str:
        transforms = []
        element = self._named[name]
        while (parent := self._parents.get(element)) is not None:
            transforms.append(parent.get("transform", "") if parent is not self._root else "")
            element = parent
        opened = "".join(f'<g transform="{transform}">' for transform in reversed(transforms) if transform)
        closed = "</g>" * sum(map(bool, transforms))
        box = " ".join(f"{value:.6f}" for value in view)
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'width="{view[2]}" height="{view[3]}" viewBox="{box}">{self._needed(name)}'
            f'{opened}<use xlink:href="#{name}"/>{closed}</svg>'
        )

    def _page(self) -> tuple[float, float, float, float]:
        """The page and as much again on every side: some decks keep their back outside."""
        box = self._root.get("viewBox")
        if box:
            left, top, width, height = map(float, re.split(r"[ ,]+", box.strip()))
        else:
            left, top = 0.0, 0.0
            width, height = (_user_units(self._root.get(side, "")) for side in ("width", "height"))
        return left - width, top - height, 3 * width, 3 * height

    def render(self, name: str, height_px: int) -> Art:
        """One element, cut to its ink."""
        if name not in self._named:
            raise DatasetError(f"the SVG has no element {name!r}; has the package changed?")
        view = self._page()
        for height in (2 * _PROBE_PX, _PROBE_PX):  # twice, because a card is small on the page
            picture = render_svg(self._drawn(name, view), height)
            rows, columns = np.flatnonzero(picture[..., 3].any(axis=1)), np.flatnonzero(picture[..., 3].any(axis=0))
            if not len(rows):
                raise DatasetError(f"the SVG's element {name!r} is empty")
            step = view[3] / picture.shape[0]
            left, top = view[0] + (columns[0] - 1) * step, view[1] + (rows[0] - 1) * step
            view = (left, top, (columns[-1] - columns[0] + 3) * step, (rows[-1] - rows[0] + 3) * step)
        return render_svg(self._drawn(name, view), height_px)


def _user_units(length: str) -> float:
    match = re.fullmatch(r"([\d.]+)(pt|px|)", length)
    if not match:
        raise DatasetError(f"the SVG's size {length!r} is not understood")
    return float(match[1]) * (1.25 if match[2] == "pt" else 1)
