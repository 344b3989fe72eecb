"""Tokens -> syntax."""
