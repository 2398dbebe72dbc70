"""The application without background jobs: the counterpart of `without_events`."""

from litestar.types import ASGIApp

from benchmarks.control import serve
from licet_server.app import build_app, build_platform
from licet_server.kit.settings import Settings


def create(settings: Settings) -> ASGIApp:
    """Create the application, which runs no jobs by itself."""
    return build_app(build_platform(settings)).asgi


if __name__ == "__main__":
    serve(create)
