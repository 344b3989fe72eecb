"""The exceptions with which a program's code is left early: goto, throw, exit."""

from __future__ import annotations

ABORTED = 134  # the exit status of abort()


class LabelJump(Exception):
    """goto label."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


class Thrown(Exception):
    """An exception of the program's. address: of its copy; kinds: its type and the bases of that."""

    def __init__(self, address: int, kinds: tuple[str, ...]) -> None:
        super().__init__(address)
        self.address, self.kinds = address, kinds


class Exit(BaseException):
    """exit(status)."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status
