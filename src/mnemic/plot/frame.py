"""The frame of every picture: what draws it, how its text is written, how it becomes a file.

Text from outside is drawn as it is: never as mathematics, never with a line end or a sign that
cannot be seen. Nothing of the machine goes into the file: no date, no version, no user settings of
matplotlib. Text in SVG stays text, so that it can be searched and read aloud.
"""

from __future__ import annotations

import io
import unicodedata
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mnemic.model.errors import InvalidInput, MnemicError, StorageError
from mnemic.model.text import without_invisible
from mnemic.model.times import to_ms

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

ENDINGS = (".svg", ".png")
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#AA3377", "#8A6D00", "#4477AA", "#882255", "#444444")
"""Told apart by most people who see few colours (after Okabe & Ito 2008), dark enough for lines."""

INK, QUIET, GRID, FUTURE, WARNING = "#222222", "#666666", "#E3E3E3", "#F6F6F6", "#B00020"

SPACE = "\u2003"
"""Between parts of a line: unlike plain spaces, several are not drawn as one in SVG."""

_SALT = "mnemic"
_DPI = 150
_DAY = 86_400_000
_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
}
_SCRIPTS = (
    "Noto Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "Noto Sans Arabic",
    "Noto Sans Hebrew",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Arial Unicode MS",
    "PingFang SC",
    "Hiragino Sans",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Noto Emoji",
)
"""Fonts for what DejaVu Sans, which comes with matplotlib, has no letters for."""


def checked_path(path: str | Path) -> Path:
    """Where a picture is to be written.

    Raises:
        InvalidInput: it does not end as a picture does that can be made.
    """
    found = Path(path)
    if found.suffix.lower() not in ENDINGS:
        raise InvalidInput(f"{str(path)!r} must end in {' or '.join(ENDINGS)}")
    return found


def words(text: str, most: int) -> str:
    """Text from outside on one line, at most so many characters, without what cannot be seen."""
    line = " ".join(without_invisible(text).split())
    shown = "".join(char if unicodedata.category(char)[0] != "C" else "\ufffd" for char in line)
    return shown if len(shown) <= most else shown[: most - 1].rstrip() + "…"


@contextmanager
def picture(path: str | Path, width: float, height: float) -> Iterator[Figure]:
    """A figure to draw on; at the end it is written to `path`, in place of what is there.

    Args:
        path: of the file, which ends in ``.svg`` or ``.png``.
        width, height: in inches.

    Raises:
        InvalidInput: the path ends otherwise.
        MnemicError: matplotlib is not installed.
        StorageError: the file cannot be written.
    """
    target = checked_path(path)
    try:
        import matplotlib as mpl
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MnemicError("pictures need matplotlib: pip install 'mnemic[plot]'") from None
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # drawn as a box
        mpl.rcdefaults()
        ours: Any = _settings()
        mpl.rcParams.update(ours)
        figure = Figure(figsize=(width, height), layout=None)
        FigureCanvasAgg(figure)
        yield figure
        _write(figure, target)


def _settings() -> dict[str, Any]:
    from matplotlib import font_manager

    there = set(font_manager.get_font_names())
    return {
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans", *(name for name in _SCRIPTS if name in there)],
        "font.size": 9,
        "text.parse_math": False,
        "text.usetex": False,
        "text.color": INK,
        "axes.edgecolor": QUIET,
        "axes.labelcolor": QUIET,
        "xtick.color": QUIET,
        "ytick.color": QUIET,
        "timezone": "UTC",
        "svg.fonttype": "none",
        "svg.hashsalt": _SALT,
    }


def _write(figure: Figure, target: Path) -> None:
    ending = target.suffix.lower()
    held = io.BytesIO()
    figure.savefig(held, format=ending[1:], dpi=_DPI, metadata=_METADATA[ending])
    try:
        target.write_bytes(held.getvalue())
    except OSError as error:
        raise StorageError(f"{str(target)!r} cannot be written: {error}") from error


def size_of(figure: Figure, text: Text) -> tuple[float, float]:
    """Width and height of a text with the box around it, in points."""
    canvas: Any = figure.canvas
    renderer = canvas.get_renderer()
    text.update_bbox_position_size(renderer)
    extent = (text.get_bbox_patch() or text).get_window_extent(renderer)
    return extent.width * 72 / figure.dpi, extent.height * 72 / figure.dpi


def title(axes: Axes, text: str, pad: float = 12) -> None:
    """The head of a picture, so many points above it."""
    axes.set_title(text, loc="left", fontsize=12, color=INK, pad=pad)


def bare(axes: Axes) -> None:
    """Axes with no more lines than are needed."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(visible=True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)


def dated(axes: Axes) -> None:
    """A time axis whose labels do not run into each other."""
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter

    locator = AutoDateLocator(minticks=4, maxticks=9)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    formatter = ConciseDateFormatter(locator)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_formatter(formatter)


def on_axis(moment: datetime) -> float:
    """Where an instant stands on a time axis: days since 1970, as matplotlib counts them."""
    return to_ms(moment) / _DAY


def spread(places: list[float], gap: float, least: float) -> list[float]:
    """Places moved apart until each two are `gap` from each other, in their order, from `least`."""
    order = sorted(range(len(places)), key=lambda at: (places[at], at))
    found = list(places)
    groups: list[tuple[float, list[int]]] = []
    for at in order:
        groups.append((places[at], [at]))
        while len(groups) > 1 and _touch(groups[-2], groups[-1], gap):
            (one, first), (other, second) = groups[-2:]
            several = [*first, *second]
            middle = (one * len(first) + other * len(second)) / len(several)
            groups[-2:] = [(middle, several)]
    for middle, several in groups:
        for number, at in enumerate(several):
            found[at] = middle + (number - (len(several) - 1) / 2) * gap
    for at in order:
        found[at] = max(found[at], least)
        least = found[at] + gap
    return found


def _touch(one: tuple[float, list[int]], other: tuple[float, list[int]], gap: float) -> bool:
    return other[0] - one[0] < (len(one[1]) + len(other[1])) / 2 * gap
