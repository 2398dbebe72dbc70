"""The identity providers that the service may call.

Owners name them, so the rules are those of webhooks: public addresses over https. A service that
listens on a loopback address only may use a local provider, for trying things out.
"""

from dataclasses import dataclass

from licet_server.kit.outbound.targets import (
    Address,
    is_inner,
    is_public,
    literal_address,
    split_url,
)

URL_MAX = 1_000


@dataclass(frozen=True, slots=True)
class AllowedProviders:
    """The targets allowed besides public addresses; plain http is for local ones only."""

    private: bool
    own_machine: bool

    def admits(self, address: Address) -> bool:
        """Check whether a connection to the address is allowed."""
        if is_public(address) or self.private:
            return True
        return self.own_machine and address.is_loopback

    def breach(self, url: str) -> str | None:
        """Return why the service refuses to call a URL, as far as the URL itself shows."""
        parts = split_url(url)
        if parts is None or len(url) > URL_MAX:
            return "must be a URL such as https://login.example.com, in ASCII."
        host = (parts.hostname or "").removesuffix(".")
        is_own = _is_own_machine(host)
        if parts.scheme != "https" and not (parts.scheme == "http" and is_own):
            return "must begin with https://."
        if "@" in parts.netloc or "#" in url:
            return "must not contain a user name, a password or a # part."
        if is_own and (self.own_machine or self.private):
            return None
        if is_inner(host) and not self.private:
            return "must point to a public address."
        return None


def _is_own_machine(host: str) -> bool:
    address = literal_address(host)
    return host.lower() == "localhost" if address is None else address.is_loopback
