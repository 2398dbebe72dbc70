"""The error of a setting with a value that the service cannot use."""


class InvalidSetting(Exception):
    """A setting has a value that the service cannot use.

    The message is for the operator: the name of the setting, then `problem`.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name} {problem}")
        self.name = name
