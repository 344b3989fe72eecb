"""The site on this machine: what its server does when a browser leaves."""

import socket
import struct
import threading
import time

from nnlib.teaching.site.serve import serving

RESET = struct.pack("ii", 1, 0)  # closing sends no goodbye


def test_a_browser_that_hangs_up_is_no_error(tmp_path, capfd):
    (tmp_path / "large.bin").write_bytes(bytes(50_000_000))
    with serving(tmp_path) as address:
        before = threading.active_count()
        with socket.create_connection(
            ("127.0.0.1", int(address.rstrip("/").rsplit(":", 1)[1]))
        ) as browser:
            browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            browser.sendall(b"GET /large.bin HTTP/1.1\r\nHost: here\r\n\r\n")
            assert browser.recv(4) == b"HTTP"
        # The test's time limit ends this where the server goes on
        while threading.active_count() > before:
            time.sleep(0.05)
    assert capfd.readouterr().err == ""
