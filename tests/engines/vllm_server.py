"""What the tests of a real vLLM share about its one server."""

BLOCK = 32
"""Tokens that the prefix cache keeps together."""
