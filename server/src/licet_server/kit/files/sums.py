"""Checksums of a file, one for each step in which it is read."""

import hashlib

STEP_BYTES = 1024 * 1024
_SUM_BYTES = hashlib.sha256().digest_size


class StepSums:
    """Computes the SHA-256 of each megabyte of a file, and of the whole, as its bytes arrive."""

    def __init__(self) -> None:
        self._whole = hashlib.sha256()
        self._step = hashlib.sha256()
        self._filled = 0
        self._sums: list[bytes] = []

    def update(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self._whole.update(chunk)
        rest = memoryview(chunk)
        while rest:
            part = rest[: STEP_BYTES - self._filled]
            self._step.update(part)
            self._filled += len(part)
            rest = rest[len(part) :]
            if self._filled == STEP_BYTES:
                self._end_step()

    def whole(self) -> bytes:
        """Return the SHA-256 of all bytes so far."""
        return self._whole.digest()

    def steps(self) -> bytes:
        """Return the checksums of all steps, one after the other; the last step may be shorter."""
        last = [self._step.digest()] if self._filled else []
        return b"".join([*self._sums, *last])

    def _end_step(self) -> None:
        self._sums.append(self._step.digest())
        self._step, self._filled = hashlib.sha256(), 0


def is_step(sums: bytes, number: int, content: bytes) -> bool:
    """Whether this is the content of a step, counted from 0."""
    expected = sums[number * _SUM_BYTES : (number + 1) * _SUM_BYTES]
    return hashlib.sha256(content).digest() == expected
