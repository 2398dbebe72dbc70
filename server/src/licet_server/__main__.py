"""`python -m licet_server` is `licet-server`."""

from licet_server.cli import main

main()
