"""How mail programs quote: the words they use in many languages, and the recognisers built on them.

``languages`` is data (labels, verbs, banners, months), ``lines`` gives every line its quoting depth, ``markers``
finds the places where somebody else's text begins, ``dates`` reads the dates written there, ``endings`` finds what
stands after the last word: signatures, disclaimers, list footers.
"""
