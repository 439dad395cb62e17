"""A render service that draws the same spot whatever it is asked for: in most runs it is killed in place of the real one, whose maps take
three quarters of a run's time.
"""

from __future__ import annotations

from io import BytesIO

from flask import Flask, Response
from PIL import Image


def app() -> Flask:
    """Maps and comparisons, and whether it is there."""
    spot = BytesIO()
    Image.new("RGB", (8, 8)).save(spot, "PNG")
    found = Flask("sketches")

    def drawn() -> Response:
        return Response(spot.getvalue(), mimetype="image/png")

    def healthy() -> Response:
        return Response("{}", mimetype="application/json")

    for path in ("/v1/maps", "/v1/compares"):
        found.add_url_rule(path, path, drawn, methods=["POST"])
    found.add_url_rule("/healthz", "healthz", healthy)
    return found
