"""`python -m licet_server` is `licet-server`."""

from licet_server.kit.process import collection_paused


def main() -> None:
    """Import the command line, and run it."""
    with collection_paused():
        from licet_server.cli import main as run  # noqa: PLC0415 - it imports everything
    run()


if __name__ == "__main__":
    main()
