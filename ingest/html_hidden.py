"""Which elements of an HTML mail a reader does not see, though their text stands in the source.

Newsletters hide a line for the preview, trackers hide marks, and who wants a program to read what a person does not
see writes white on white. Mail programs apply inline styles, old attributes and simple rules of style sheets, so these
are read here: not shown at all, no size, no opacity, moved out of the window, or in the colour of the ground. A colour
that cannot be told (a picture behind it, a rule with a complicated selector) hides nothing: what is in doubt is text.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from bs4 import BeautifulSoup
from bs4.element import Tag

_DECLARATION: Final = re.compile(r"([\w-]+)\s*:\s*([^;{}]*)")
_SIMPLE: Final = re.compile(r"[a-z][a-z0-9]*|[a-z0-9]*[.#][\w-]+", re.IGNORECASE)
_LENGTH: Final = re.compile(r"(-?\d*\.?\d+)\s*(px|pt|em|rem|%|cm|mm|in|vw|vh)?$")
_HEX: Final = re.compile(r"#?([0-9a-f]{3}|[0-9a-f]{6})$")
_RGB: Final = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})\s*(?:[,/]\s*(\d*\.?\d+)(%?)\s*)?\)$")
_COLOURS: Final = {"white": (255, 255, 255), "snow": (255, 250, 250), "black": (0, 0, 0), "whitesmoke": (245, 245, 245),
                   "ivory": (255, 255, 240), "ghostwhite": (248, 248, 255), "floralwhite": (255, 250, 240)}  # fmt: skip
_PIXELS: Final = {None: 1.0, "px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 0.16, "cm": 38, "mm": 3.8, "in": 96,
                  "vw": 10, "vh": 10}  # fmt: skip
_SMALLEST: Final = 2.0  # pixels that can be made out
_AWAY: Final = -400.0  # pixels: further out than any indent or overlap of a layout
_NEAR: Final = 12  # of 255, by which a colour has to differ from its ground in red, green or blue
_MOST_RULES: Final = 2000

_NO_GROUND: Final = ("transparent", "none", "inherit", "initial", "unset")

Style = dict[str, str]
Colour = tuple[int, int, int]


class Shade(NamedTuple):
    """How text stands in an element: what it inherits unless it says otherwise. None where a colour cannot be told."""

    text: Colour | None = (0, 0, 0)
    ground: Colour | None = (255, 255, 255)
    tiny: bool = False

    @property
    def unseen(self) -> bool:
        """Text that stands right in the element is not seen."""
        return self.tiny or (self.text is not None and self.ground is not None and _near(self.text, self.ground))


class Styles:
    """The styles of one document."""

    def __init__(self, soup: BeautifulSoup) -> None:
        self._rules: dict[str, Style] = {}
        for sheet in soup.find_all("style"):
            self._read(sheet.get_text())

    def shade(self, node: Tag, around: Shade) -> Shade | None:
        """The shade of ``node``, which stands in ``around``; None when it is hidden with all that stands in it."""
        if "hidden" in node.attrs:
            return None
        style = self._style(node)
        if not style:
            return around
        if _gone(style):
            return None
        text, ground, tiny = around
        if (size := style.get("font-size")) is not None:
            length = _pixels(size)
            tiny = length < _SMALLEST if length is not None else tiny and size.endswith(("%", "em"))
        if (behind := style.get("background-color") or style.get("background")) and behind not in _NO_GROUND:
            ground = _colour(behind)
        if style.get("background-image", "none") != "none":
            ground = None
        if (colour := style.get("color", "inherit")) != "inherit":
            text = ground if colour.startswith(("transparent", "rgba(0,0,0,0)")) else _colour(colour)
        return Shade(text, ground, tiny)

    def _read(self, sheet: str) -> None:
        """Takes in the rules with simple selectors, up to those that hold for some windows only."""
        plain = "".join(piece.partition("*/")[2] if nth else piece for nth, piece in enumerate(sheet.split("/*")))
        for block in plain.partition("@media")[0].split("}"):
            selectors, _, body = block.partition("{")
            if len(self._rules) > _MOST_RULES:
                return
            for selector in selectors.split(","):
                if _SIMPLE.fullmatch(selector.strip()):
                    self._rules.setdefault(selector.strip().lower(), {}).update(_declarations(body))

    def _style(self, node: Tag) -> Style:
        style: Style = {}
        if self._rules:
            name = (node.name or "").lower()
            marks = [f".{one}" for one in _words(node, "class")] + [f"#{one}" for one in _words(node, "id")]
            for selector in (name, *marks, *(name + mark for mark in marks)):
                style.update(self._rules.get(selector.lower(), {}))
        if node.attrs:
            for attribute, called in (
                ("color", "color"),
                ("bgcolor", "background-color"),
                ("background", "background"),
            ):
                if value := _text(node, attribute):
                    style[called] = value.strip().lower()
            style.update(_declarations(_text(node, "style")))
        return style


def _gone(style: Style) -> bool:
    """Hidden by itself, whatever its colours."""
    if style.get("display", "").startswith("none") or style.get("visibility", "").startswith(("hidden", "collapse")):
        return True
    if style.get("mso-hide", "").startswith("all"):
        return True
    if (opacity := _pixels(style.get("opacity"))) is not None and opacity < 0.05:
        return True
    cut = style.get("overflow", style.get("overflow-y", "")).startswith(("hidden", "clip"))
    if cut and any(
        (length := _pixels(style.get(name))) is not None and length < _SMALLEST
        for name in ("height", "max-height", "width", "max-width")
    ):
        return True
    if "position" in style and re.match(r"rect\(0|inset\((?:50|100)%", style.get("clip", style.get("clip-path", ""))):
        return True
    out = ("text-indent", "left", "top", "margin-left", "margin-top")
    return any((length := _pixels(style.get(name))) is not None and length < _AWAY for name in out)


def _declarations(body: str) -> Style:
    return {
        name.lower(): value.strip().lower().removesuffix("!important").strip()
        for name, value in _DECLARATION.findall(body)
    }


def _pixels(value: str | None) -> float | None:
    found = _LENGTH.match(value) if value else None
    return float(found[1]) * _PIXELS[found[2]] if found else None


def _colour(value: str) -> Colour | None:
    """Red, green and blue of a colour that is written in numbers or called white."""
    value = value.strip()
    if value in _COLOURS:
        return _COLOURS[value]
    if found := _HEX.match(value):
        digits = found[1] if len(found[1]) == 6 else "".join(2 * digit for digit in found[1])
        return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)
    if found := _RGB.match(value):
        return int(found[1]), int(found[2]), int(found[3])
    return None


def _near(text: Colour, ground: Colour | None) -> bool:
    return ground is not None and max(abs(a - b) for a, b in zip(text, ground, strict=True)) < _NEAR


def _text(node: Tag, name: str) -> str:
    value = node.attrs.get(name)
    return "" if value is None else value if isinstance(value, str) else " ".join(value)


def _words(node: Tag, name: str) -> list[str]:
    return _text(node, name).split()
