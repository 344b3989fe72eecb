"""Serve the site on this machine, as a web host does: python -m tests.notebooks.site.serve [port]

Its headers let the page share memory with the kernel (SharedArrayBuffer); not every host sends them.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SITE = Path(__file__).resolve().parents[3] / "site"
ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


class Handler(SimpleHTTPRequestHandler):
    """Files of a folder, with these headers. sent: bytes of all files so far; what a browser kept is not sent again."""

    sent = 0
    protocol_version = "HTTP/1.1"
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".wasm": "application/wasm", ".mjs": "text/javascript", ".js": "text/javascript", ".ipynb": "application/json"}

    def __init__(self, *arguments, headers: dict[str, str], **options) -> None:
        self.extra = headers
        super().__init__(*arguments, **options)

    def end_headers(self) -> None:
        """The usual ones and ours."""
        for name, value in {**self.extra, "Cache-Control": "max-age=600"}.items():
            self.send_header(name, value)
        super().end_headers()

    def copyfile(self, source, outputfile) -> None:
        """Send a file, and count it."""
        Handler.sent += os.fstat(source.fileno()).st_size
        super().copyfile(source, outputfile)

    def log_message(self, *arguments) -> None:
        """Nothing on the terminal."""


@contextmanager
def serving(folder: Path = SITE, headers: dict[str, str] | None = None, port: int = 0) -> Iterator[str]:
    """The site's address while the `with` block runs."""
    handler = functools.partial(Handler, directory=str(folder), headers=headers or {})
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


if __name__ == "__main__":
    with serving(headers=ISOLATED, port=int(sys.argv[1]) if len(sys.argv) > 1 else 8000) as address:
        print(f"{address} (Ctrl + C ends)", flush=True)
        threading.Event().wait()
