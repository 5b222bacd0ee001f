"""Line charts as small SVG files."""

from taxonym.render.lines import charts

__all__ = ["charts"]
