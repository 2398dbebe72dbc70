"""The demo: a small, believable vendor with six weeks of history, created through the API."""

from licet_server.demo.seeding import seed
from licet_server.demo.summary import DemoSummary, introduction

__all__ = ["DemoSummary", "introduction", "seed"]
