"""The demo: a believable vendor with two years of history, created through the API."""

from licet_server.demo.seeding import DemoSummary, introduction, seed

__all__ = ["DemoSummary", "introduction", "seed"]
