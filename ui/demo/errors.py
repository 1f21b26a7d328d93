"""What can go wrong while the fictional mailbox is built.

DemoError
└── ContentError   a content file breaks the format that content/README.md describes
"""


class DemoError(Exception):
    """Root of the failures of this package."""


class ContentError(DemoError):
    """A content file cannot be read; the text names the file, the line and what to change."""
