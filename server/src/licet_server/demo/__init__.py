"""The demo: a small, believable vendor with six weeks of history, created through the API."""

from licet_server.demo.seeding import DemoSummary, introduction, seed

__all__ = ["DemoSummary", "introduction", "seed"]
