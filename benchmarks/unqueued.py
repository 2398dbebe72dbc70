"""The control for fair queues: the application that takes every request as it comes."""

from litestar.types import ASGIApp

from benchmarks.control import serve
from licet_server.app import build_app, build_platform
from licet_server.kit.fair_queue import FairQueue
from licet_server.kit.settings import Settings


def create(settings: Settings) -> ASGIApp:
    """Allow each institution more requests at a time than there are."""
    return build_app(build_platform(settings), queue=FairQueue(in_progress=10**9)).asgi


if __name__ == "__main__":
    serve(create)
