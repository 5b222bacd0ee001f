"""Line charts as small SVG files: readable without colour, on white, without any script."""

from collections.abc import Mapping, Sequence
from html import escape

from taxonym.render.scatter import scale

DASHES = ("", "6 3", "2 3", "9 3 2 3", "1 4")
INKS = ("#1b4f8a", "#b3541e", "#2f7d4f", "#6b4c9a", "#444444")
Lines = Mapping[str, Sequence[tuple[float, float]]]


def charts(title: str, panels: Mapping[str, Lines], across: str) -> str:
    """Panels beside each other, all with the same lines; the scale of each starts at 0."""
    names = list(dict.fromkeys(name for lines in panels.values() for name in lines))
    width = max(60 + 320 * len(panels), 55 + 150 * len(names))  # the legend stands in one line
    legend = [part for i, name in enumerate(names) for part in _legend(i, name)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 340" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="340" fill="white"/>',
        *(part for i, (name, lines) in enumerate(panels.items()) for part in _panel(lines, 55 + 320 * i, name, names)),
        *legend,
        f'<text x="{width / 2:.0f}" y="298" text-anchor="middle">{escape(across)}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _panel(lines: Lines, left: int, title: str, names: Sequence[str]) -> list[str]:
    top, height, width = 35, 225, 250
    xs = [x for points in lines.values() for x, _ in points]
    high, step = scale(max(y for points in lines.values() for _, y in points))
    first, last = min(xs), max(xs)
    made = [f'<text x="{left}" y="20" font-weight="bold">{escape(title)}</text>']
    for i in range(round(high / step) + 1):
        y = top + height - height * i * step / high
        made.append(f'<line x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        made.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{i * step:g}</text>')
    for x in sorted(set(xs)):
        if x == first or x % (5 if last < 50 else 50) == 0 or len(set(xs)) < 8:
            at = left + width * (x - first) / (last - first)
            made.append(f'<text x="{at:.1f}" y="{top + height + 16}" text-anchor="middle">{x:g}</text>')
    for name, points in lines.items():
        i = names.index(name)
        path = " ".join(
            f"{left + width * (x - first) / (last - first):.1f},{top + height - height * y / high:.1f}"
            for x, y in points
        )
        made.append(f'<polyline points="{path}" fill="none" {_pen(i)}><title>{escape(name)}</title></polyline>')
    return made


def _legend(i: int, name: str) -> list[str]:
    x = 55 + 150 * i
    return [
        f'<line x1="{x}" x2="{x + 26}" y1="322" y2="322" {_pen(i)}/>',
        f'<text x="{x + 32}" y="326">{escape(name)}</text>',
    ]


def _pen(i: int) -> str:
    dash = f' stroke-dasharray="{DASHES[i % len(DASHES)]}"' if DASHES[i % len(DASHES)] else ""
    return f'stroke="{INKS[i % len(INKS)]}" stroke-width="2"{dash}'
