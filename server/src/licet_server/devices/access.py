"""The proof of its key that a device shows with a request."""

from urllib.parse import urlsplit

from licet_server.devices.rules.proofs import NO_PROOF, ShownProof, SignedRequest
from licet_server.kit.web.context import HttpRequest, RequestContext, context_of


def shown_proof(context: RequestContext) -> ShownProof:
    """Return the proof in the header `DPoP` of a request whose body was read."""
    given = context.headers.get(b"dpop")
    if given is None:
        return NO_PROOF
    public = urlsplit(context.platform.settings.public_url or "")
    host = context.headers.get(b"host", b"").decode("latin-1")
    request = SignedRequest(
        context.method,
        (host, public.netloc),
        (context.path, public.path.rstrip("/") + context.path),
        context.body,
    )
    return ShownProof(given.decode("latin-1"), request, context.platform.clock())


async def provide_shown_proof(request: HttpRequest) -> ShownProof:
    """Return the proof that a request shows, for the routes that the framework serves."""
    context = context_of(request)
    if b"dpop" in context.headers:
        context.body = await request.body()
    return shown_proof(context)
