"""The demonstration: a small believable vendor with weeks behind him, made through the API."""

from licet_server.demo.seeding import fill
from licet_server.demo.summary import DemoSummary, introduction

__all__ = ["DemoSummary", "fill", "introduction"]
