"""The control for coalescing: the application with a batch size of one."""

import os
from dataclasses import replace

from litestar.types import ASGIApp

from licet_server.app import build_app, build_platform
from licet_server.kit.coalesce import Batching
from licet_server.kit.logs import configure_logs
from licet_server.kit.settings import read_settings
from licet_server.serving import listen


def create() -> ASGIApp:
    """Allow as many look-ups at a time as there are connections, one item each."""
    settings = read_settings(os.environ)
    batching = Batching(max_batch=1, in_flight=settings.pool_size)
    return build_app(build_platform(settings), batching=batching).asgi


if __name__ == "__main__":
    configure_logs()
    listen(create, replace(read_settings(os.environ), workers=1))
