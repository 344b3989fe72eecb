"""What no lesson teaches and many parts need: files that are written whole, packages that may be missing, browsers."""
