"""Writing grammars in GBNF, the notation of llama.cpp, from code."""

from __future__ import annotations

from collections.abc import Iterable


class Rules:
    """Rules by name, each made once. ``wants``: a number or items, ``sort``: of which, where the question tells;
    ``copies``: it speaks of Cc; ``named``: of somebody by name."""

    def __init__(self, wants: str = "", sort: str = "", *, copies: bool = True, named: bool = False) -> None:
        self.wants, self.sort, self.copies, self.named = wants, sort, copies, named
        self._rules: dict[str, str] = {}

    def begin(self, name: str) -> bool:
        """Whether the rule still has to be made. It may refer to itself meanwhile."""
        if name in self._rules:
            return False
        self._rules[name] = ""
        return True

    def add(self, name: str, body: str) -> str:
        """Makes the rule ``name`` and returns its name."""
        self._rules[name] = body
        return name

    def __contains__(self, name: str) -> bool:
        return name in self._rules

    def text(self) -> str:
        """The grammar."""
        return "\n".join(f"{name} ::= {body}" for name, body in self._rules.items())


def literal(text: str) -> str:
    """The text itself."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def either(options: Iterable[str]) -> str:
    """One of the options, each once."""
    return "(" + " | ".join(dict.fromkeys(options)) + ")"


def literals(texts: Iterable[str]) -> str:
    """One of the texts."""
    return either(literal(text) for text in texts)


def quoted(values: Iterable[str]) -> list[str]:
    """The values as texts of a query language, which they cannot leave: they hold no quote."""
    return [f"'{value}'" for value in values]
