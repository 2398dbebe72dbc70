"""Benchmarks: figures of one run on one machine, printed as ratios; see README.md."""
