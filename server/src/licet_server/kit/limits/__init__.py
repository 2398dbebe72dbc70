"""Rate limits, counted in the database so that all processes of the instance share them."""

from licet_server.kit.limits.storage import give_back, take

__all__ = ["give_back", "take"]
