"""The site on this machine, as a web host shows it."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar


class Handler(SimpleHTTPRequestHandler):
    """Files of a folder. sent: bytes of all files so far; what a browser kept is not sent again. extra: headers."""

    sent = 0
    extra: ClassVar[dict[str, str]] = {}
    protocol_version = "HTTP/1.1"

    def handle(self) -> None:
        """Answer all requests of one connection, which a browser may end at any time."""
        with suppress(ConnectionError):
            super().handle()

    def end_headers(self) -> None:
        """Add the extra headers, and how long a browser keeps the file."""
        for name, value in self.extra.items():
            self.send_header(name, value)
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file, and count it."""
        Handler.sent += os.fstat(source.fileno()).st_size
        super().copyfile(source, outputfile)

    def log_message(self, *arguments: Any) -> None:
        """Print nothing on the terminal."""


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve a folder while the `with` block runs; yield its address."""
    handler = functools.partial(Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def serve(folder: Path, port: int) -> None:
    """Show the site until Ctrl + C."""
    if not (folder / "index.html").exists():
        raise SystemExit(
            f"there is no site in {folder}: build it with `nnlib site`, or name its folder with --to"
        )
    with serving(folder, port) as address, suppress(KeyboardInterrupt):
        print(f"{address} (Ctrl + C ends)", flush=True)
        threading.Event().wait()
