"""The bare framework: one route that does nothing, which every rate is compared with."""

from litestar import Litestar, get
from litestar.types import ASGIApp

from benchmarks.control import serve
from licet_server.kit.settings import Settings

ROUTE = "/health/live"


@get([ROUTE, "/health/ready"], sync_to_thread=False)
def respond() -> dict[str, str]:
    """Return what the service's own route returns."""
    return {"status": "ok"}


def create(_: Settings) -> ASGIApp:
    """Create the application without anything of the service."""
    return Litestar([respond], openapi_config=None, logging_config=None)


if __name__ == "__main__":
    serve(create)
