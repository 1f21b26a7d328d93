"""x."""

FUNCTION_WORDS = ""
STOPWORDS = ""
CUES: dict[str, str] = {}
DATES: dict[str, str] = {}
PARTICIPLE = r"$^"
