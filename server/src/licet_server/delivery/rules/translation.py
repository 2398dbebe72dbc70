"""The words of an e-mail in one language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Translation:
    """A subject and a body in Markdown, both with placeholders."""

    subject: str
    body: str
