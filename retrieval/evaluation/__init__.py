"""How good a column is, in numbers: metrics over labelled questions, with intervals and paired comparisons."""
