"""Runs of the tests: stages side by side, second tries, and tests chosen by what changed."""
