"""Drills: what operators fear, done to a real installation, and judged by its database."""
