"""Themes: what groups of correspondents write about, written down by the chat model ahead of any question.

`batch` makes the missing summaries of the graph's communities, from what `material` reads of each; `partial` asks the
model what one community says about a question; `writing` holds what the model may write at all.
"""
