"""A language model writes a query: what it is told, what it may write, what is done with the result.

The parts are shared by the columns ``cypher`` and ``sql``: exact values for what the question names (`values`), worked
examples (`examples`), a grammar for each language, and the loop that runs what was written and gives back what failed
(`asking`).
"""
