"""Syntax -> checked tree: names, types, conversions, overloads, templates."""
