"""Helpers that no lesson teaches and many parts need.

files.py: written whole or not at all. extras.py: packages that may be missing. browser.py: what differs in a page.
threads.py: a batch on all cores. packed.py: answers that nobody reads by chance. fresh_lessons.py: `nnlib lessons`.
"""
