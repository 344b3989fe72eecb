"""Visitors of the built site: Chromium, Firefox, and Pyodide without a page."""
