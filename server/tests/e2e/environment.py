"""The environment that commands of the service run in."""

import os


def environment(**more: str) -> dict[str, str]:
    """The environment of this process without any setting of the service, and `more`.

    A service has one process unless a test asks for several.
    """
    ours = ("LICET_", "DATABASE_URL", "PROMETHEUS_", "PYTEST_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONUNBUFFERED": "1", "NO_COLOR": "1", "LICET_WORKERS": "1", **more}
