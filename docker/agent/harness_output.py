"""What a harness prints: drained whatever happens, kept within bounds."""

import os
import threading


class BoundedLog(threading.Thread):
    """Drains a pipe to its end; keeps the beginning in a file and the end in memory until close()."""

    def __init__(self, reader, path, head_bytes, tail_bytes):
        super().__init__(daemon=True)
        self.reader, self.path, self.room, self.tail_bytes = reader, path, head_bytes, tail_bytes
        self.tail, self.total = b"", 0
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        self.start()

    def run(self):
        while True:
            try:
                chunk = os.read(self.reader, 65536)
            except OSError:
                return
            if not chunk:
                return
            self.total += len(chunk)
            head, rest = chunk[: self.room], chunk[self.room :]
            self.room -= len(head)
            self.write(head)
            self.tail = (self.tail + rest)[-self.tail_bytes :]

    def write(self, data):
        # A full disk loses log lines, never the run: the pipe must be drained whatever happens.
        while data:
            try:
                data = data[os.write(self.file, data) :]
            except OSError:
                return

    def close(self):
        self.join(1.0)
        left_out = self.total - os.fstat(self.file).st_size - len(self.tail)
        if left_out > 0:
            self.write(b"\n[... %d bytes left out ...]\n" % left_out)
        self.write(self.tail)
        return {"bytes": self.total, "truncated": left_out > 0}
