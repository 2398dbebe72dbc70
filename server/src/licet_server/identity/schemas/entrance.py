"""Wire shape of how people come in."""

from msgspec import Struct

from licet_server.identity.rules.people import SignUp


class SetupView(Struct, rename="camel"):
    """What a visitor is told who has not signed in."""

    required: bool
    sign_up: SignUp
    session: bool
