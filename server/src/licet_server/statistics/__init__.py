"""Figures over all features: read models, which change nothing."""
