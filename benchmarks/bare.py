"""The bare framework: one route that does nothing, which every rate is compared with.

It is Litestar on uvicorn as both come; only lines for each request are off, as in the service.
"""

import os

import uvicorn
from litestar import Litestar, get

from licet_server.kit.settings import read_settings

ROUTE = "/health/live"


@get([ROUTE, "/health/ready"], sync_to_thread=False)
def respond() -> dict[str, str]:
    """Return what the service's own route returns."""
    return {"status": "ok"}


if __name__ == "__main__":
    settings = read_settings(os.environ)
    app = Litestar([respond], openapi_config=None, logging_config=None)
    uvicorn.run(app, host=settings.host, port=settings.port, access_log=False, log_config=None)
