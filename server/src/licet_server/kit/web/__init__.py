"""The HTTP edge that every feature shares; the only part of kit that knows the web framework."""
