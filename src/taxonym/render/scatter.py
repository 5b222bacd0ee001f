"""A scatter picture as a small SVG file: marks differ by shape, so that it is readable without colour; no script."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

INKS = ("#1b4f8a", "#b3541e", "#2f7d4f", "#6b4c9a", "#444444", "#8a6d00")
SHAPES = 6
_WIDTH, _HEIGHT, _LEFT, _TOP = 560, 340, 62, 44
_SIZE = 5.5  # half the size of a mark


@dataclass(frozen=True, slots=True)
class Dot:
    """One mark: where, its shape and its ink, what it says; `full` ones are filled, `ringed` ones circled, `label` is
    printed beside it."""

    x: float
    y: float
    shape: int
    ink: int
    about: str
    full: bool = False
    ringed: bool = False
    label: str = ""


def scatter(
    title: str, across: str, up: str, dots: Sequence[Dot], legend: Sequence[tuple[str, int, int]], line: Sequence[int]
) -> str:
    """Dots with axes from 0, a line through some of them (by their places), and a legend: name, shape and ink."""
    high_x, step_x = scale(max((dot.x for dot in dots), default=1.0))
    high_y, step_y = scale(max((dot.y for dot in dots), default=1.0))
    rows = ceil(len(legend) / 2)
    height = _TOP + _HEIGHT + 58 + 20 * rows

    def at(dot: Dot) -> tuple[float, float]:
        return _LEFT + _WIDTH * dot.x / high_x, _TOP + _HEIGHT * (1 - dot.y / high_y)

    made = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH + _LEFT + 28} {height}" role="img" '
        f'font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH + _LEFT + 28}" height="{height}" fill="white"/>',
        f'<text x="{_LEFT}" y="22" font-weight="bold">{escape(title)}</text>',
        *_axes(high_x, step_x, high_y, step_y, across, up),
    ]
    path = " ".join("{:.1f},{:.1f}".format(*at(dots[i])) for i in line)
    made.append(f'<polyline points="{path}" fill="none" stroke="#999" stroke-width="1.5" stroke-dasharray="5 4"/>')
    for dot in sorted(dots, key=lambda dot: dot.full):
        x, y = at(dot)
        made.append(f"<g><title>{escape(dot.about)}</title>{_mark(dot.shape, dot.ink, x, y, dot.full)}")
        if dot.ringed:
            made.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="none" stroke="#111" stroke-width="2"/>')
        if dot.label:
            away = 16 if dot.ringed else 10
            made.append(f'<text x="{x + away:.1f}" y="{y - 6:.1f}">{escape(dot.label)}</text>')
        made.append("</g>")
    for i, (name, shape, ink) in enumerate(legend):
        x, y = _LEFT + 10 + (i % 2) * _WIDTH / 2, _TOP + _HEIGHT + 62 + 20 * (i // 2)
        made += [_mark(shape, ink, x, y - 4, True), f'<text x="{x + 14:.1f}" y="{y:.1f}">{escape(name)}</text>']
    return "\n".join([*made, "</svg>"]) + "\n"


def _axes(high_x: float, step_x: float, high_y: float, step_y: float, across: str, up: str) -> list[str]:
    made = []
    for i in range(round(high_y / step_y) + 1):
        y = _TOP + _HEIGHT * (1 - i * step_y / high_y)
        made.append(f'<line x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        made.append(f'<text x="{_LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{i * step_y:g}</text>')
    for i in range(round(high_x / step_x) + 1):
        x = _LEFT + _WIDTH * i * step_x / high_x
        made.append(f'<text x="{x:.1f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{i * step_x:g}</text>')
    middle = _TOP + _HEIGHT / 2
    made.append(
        f'<text x="{_LEFT + _WIDTH / 2}" y="{_TOP + _HEIGHT + 38}" text-anchor="middle">{escape(across)}</text>'
    )
    made.append(
        f'<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">{escape(up)}</text>'
    )
    return made


def _mark(shape: int, ink: int, x: float, y: float, full: bool) -> str:
    """Circle, square, triangle, diamond, triangle on its head, or cross."""
    colour, s = INKS[ink % len(INKS)], _SIZE
    pen = f'fill="{colour if full else "white"}" stroke="{colour}" stroke-width="1.6"'
    if (shape := shape % SHAPES) == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{s}" {pen}/>'
    corners = {
        1: ((-s, -s), (s, -s), (s, s), (-s, s)),
        2: ((0, -s - 1), (s + 1, s), (-s - 1, s)),
        3: ((0, -s - 2), (s + 2, 0), (0, s + 2), (-s - 2, 0)),
        4: ((0, s + 1), (s + 1, -s), (-s - 1, -s)),
        5: ((-s, -2), (-2, -2), (-2, -s), (2, -s), (2, -2), (s, -2), (s, 2), (2, 2), (2, s), (-2, s), (-2, 2), (-s, 2)),
    }[shape]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" {pen}/>'


def scale(most: float) -> tuple[float, float]:
    """A round top of a scale, and the step between its lines."""
    if most <= 0:
        return 1.0, 0.2
    unit = 10 ** floor(log10(most))
    step = next(s * unit for s in (0.2, 0.5, 1, 2) if most / (s * unit) <= 6)
    return step * ceil(most / step - 1e-9), step
