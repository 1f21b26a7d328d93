"""Values of a plan on their way into a query: always bound, never part of its text."""

from __future__ import annotations

from collections.abc import Callable

Binder = Callable[[object, str], str]


class Parameters:
    """Collects values under readable names: ``people``, ``people_2`` … Calling it returns the placeholder."""

    def __init__(self, form: str = "%({})s") -> None:
        self.values: dict[str, object] = {}
        self._form = form

    def __call__(self, value: object, name: str) -> str:
        """Binds ``value`` under a name like ``name`` and returns the placeholder to write into the text. The same
        value under the same name is bound once."""
        number = 1
        key = name
        while key in self.values and self.values[key] != value:
            number += 1
            key = f"{name}_{number}"
        self.values[key] = value
        return self._form.format(key)
