"""Text -> tokens: directives, macros, headers, inline PTX."""
