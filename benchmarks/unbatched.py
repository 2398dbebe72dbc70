"""The control for coalescing: the application with a batch size of one."""

from litestar.types import ASGIApp

from benchmarks.control import serve
from licet_server.app import build_app, build_platform
from licet_server.kit.batching import Batching
from licet_server.kit.settings import Settings


def create(settings: Settings) -> ASGIApp:
    """Allow as many look-ups at a time as there are connections, one item each."""
    batching = Batching(max_batch=1, in_flight=settings.pool_size)
    return build_app(build_platform(settings), batching=batching).asgi


if __name__ == "__main__":
    serve(create)
