"""What went wrong with an e-mail, in a sentence that contains no address."""

from aiosmtplib import SMTPDataError, SMTPRecipientsRefused, SMTPResponseException


def code_of(error: Exception) -> int | None:
    """Return the code of the mail server's reply, if there was one."""
    if isinstance(error, SMTPRecipientsRefused):
        return max((item.code for item in error.recipients), default=None)
    return error.code if isinstance(error, SMTPResponseException) else None


def is_refusal(error: Exception) -> bool:
    """Whether the mail server refused this e-mail, and says that this will not change."""
    code = code_of(error)
    of_this_email = isinstance(error, (SMTPRecipientsRefused, SMTPDataError))
    return of_this_email and code is not None and code >= 500


def reason_of(error: Exception) -> str:
    """Return what went wrong, for the vendor in whose name the e-mail is sent."""
    code = code_of(error)
    if isinstance(error, SMTPRecipientsRefused):
        return f"The mail server does not accept this address (code {code})."
    if code is not None:
        return f"The mail server refused the e-mail (code {code})."
    if isinstance(error, ValueError):
        return "The e-mail cannot be sent as it is."
    return "The mail server could not be reached, or broke off."
