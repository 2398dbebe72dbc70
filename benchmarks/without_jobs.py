"""The application without background jobs: the counterpart of `without_events`."""

import os
from dataclasses import replace

from licet_server.app import build_app, build_platform
from licet_server.kit.logs import configure_logs
from licet_server.kit.settings import read_settings
from licet_server.serving import listen

if __name__ == "__main__":
    configure_logs()
    settings = replace(read_settings(os.environ), workers=1)
    listen(lambda: build_app(build_platform(settings)).asgi, settings)
