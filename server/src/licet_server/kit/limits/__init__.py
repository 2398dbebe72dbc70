"""Rate limits, counted in the database so that all processes of the instance share them."""

from licet_server.kit.limits.storage import HOUR, MINUTE, give_back, take

__all__ = ["HOUR", "MINUTE", "give_back", "take"]
