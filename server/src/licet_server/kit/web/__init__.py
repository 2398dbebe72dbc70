"""The HTTP layer shared by every feature; the only part of kit that uses the web framework."""
