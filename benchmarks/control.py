"""Serves another application in the service's place: bound and served as the service is."""

import os
from collections.abc import Callable
from dataclasses import replace

from litestar.types import ASGIApp

from licet_server.kit.logs import configure_logs
from licet_server.kit.settings import Settings, read_settings
from licet_server.serving import bind, listen


def serve(create: Callable[[Settings], ASGIApp]) -> None:
    """Serve the application that is created from the environment's settings, in one process."""
    configure_logs()
    settings = replace(read_settings(os.environ), workers=1)
    listen(create(settings), settings, bind(settings))
