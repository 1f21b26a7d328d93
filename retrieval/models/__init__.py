"""Language models as plain objects: a chat model streams text, an embedder turns texts into vectors.

A model is a GGUF file that runs on this machine in a process of its own, or an OpenAI-compatible address that the
person configured. `chat.open_chat` and `embed.open_embedder` choose between the two.
"""
