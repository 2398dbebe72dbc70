"""The demonstration: a small believable vendor with weeks behind him, made through the API."""

from licet_server.demo.facts import DemoFacts, introduction
from licet_server.demo.filling import fill

__all__ = ["DemoFacts", "fill", "introduction"]
