"""The C library's files: fopen, fread and their kin."""

from __future__ import annotations

from ..runtime.address_space import LIMIT
from ..runtime.files import STDIN
from .registry import LibraryPart, provided, provides


class FileFunctions(LibraryPart):
    """Functions of FILE*."""

    @provided
    def getchar(self) -> int:
        """Return EOF: there is no keyboard."""
        self._files.ended.add(STDIN)
        return -1

    @provided
    def fopen(self, name: int, mode: int) -> int:
        try:
            return self._files.open(self._heap.text(name), self._heap.text(mode))
        except PermissionError:
            self._reject(
                f"a program here has a folder of its own: '{self._heap.text(name)}' is outside of it",
                "write a plain file name",
            )

    @provided
    def fclose(self, file: int) -> None:
        if self._files.opened(file) is not None:
            self._files.shut(file)

    @provided
    def fwrite(self, pointer: int, size: int, count: int, file: int) -> int:
        content = self._heap.load_bytes(pointer, size * count)
        stream = self._files.opened(file)
        if stream is None:
            self._output.write(content.decode("utf-8", "replace"))
            return count
        return self._files.write(stream, content) // max(size, 1)

    @provided
    def fread(self, pointer: int, size: int, count: int, file: int) -> int:
        content = self._read(file, size * count)
        self._heap.store_bytes(pointer, content)
        return len(content) // max(size, 1)

    @provided
    def fgets(self, text: int, size: int, file: int) -> int:
        line = self._read(file, max(size - 1, 0), line=True)
        # With room for the 0 alone, reading nothing does not mean the end of the file
        if not line and size != 1:
            return 0
        self._heap.store_bytes(text, line + b"\0")
        return text

    @provided
    def fseek(self, file: int, offset: int, origin: int) -> int:
        stream = self._files.opened(file)
        if stream is None:  # stdout and stderr have no position
            return -1
        try:
            stream.seek(offset, origin)
        except (OSError, ValueError):  # before the beginning, or beyond the largest offset
            return -1
        self._files.ended.discard(file)
        return 0

    @provided
    def ftell(self, file: int) -> int:
        stream = self._files.opened(file)
        return stream.tell() if stream is not None else -1

    @provided
    def ferror(self, file: int) -> None:
        self._files.opened(file)

    @provided
    def rewind(self, file: int) -> None:
        self.fseek(file, 0, 0)

    @provided
    def remove(self, name: int) -> int:
        return 0 if self._files.remove(self._heap.text(name)) else -1

    @provides("fgetc", "getc")
    def fgetc(self, file: int) -> int:
        found = self._read(file, 1)
        return found[0] if found else -1

    @provided
    def ungetc(self, character: int, file: int) -> int:
        return -1 if self.fseek(file, -1, 1) else character

    @provides("fputc", "putc")
    def fputc(self, character: int, file: int) -> int:
        stream = self._files.opened(file)
        if stream is None:
            self._output.write(chr(character & 255))
        else:
            self._files.write(stream, bytes((character & 255,)))
        return character

    @provided
    def feof(self, file: int) -> int:
        """Return whether a read tried to go past the end; reading the last byte does not."""
        self._files.opened(file)
        return int(file in self._files.ended)

    def _read(self, file: int, size: int, line: bool = False) -> bytes:
        """Read up to `size` bytes, or the next line. Stdin and files open for writing give nothing."""
        stream = self._files.opened(file)
        if stream is not None and not stream.readable():
            return b""
        found = (
            b""
            if stream is None
            else stream.readline(size)
            if line
            else stream.read(size if size < LIMIT else -1)
        )
        if len(found) < size and not (line and found.endswith(b"\n")):
            self._files.ended.add(file)
        return found
