"""Writes OLE compound files of a few streams, and the packager's form of a file within one."""

import struct

SECTOR = 512
SMALL = 64
SMALL_LIMIT = 4096
FREE, END, TABLE = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(streams: dict[str, bytes]) -> bytes:
    """A container of version 3 with these streams in its root; all of them together under 60 KB."""
    sectors: list[bytes] = []
    table: list[int] = []

    def put(content: bytes) -> int:
        start = len(sectors)
        pieces = [content[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, len(content), SECTOR)]
        sectors.extend(pieces)
        table.extend([*range(start + 1, start + len(pieces)), END] if pieces else [])
        return start if pieces else END

    small, small_table, starts = b"", [], {}
    for name, content in streams.items():
        if len(content) >= SMALL_LIMIT:
            starts[name] = put(content)
            continue
        first, count = len(small) // SMALL, -(-len(content) // SMALL)
        starts[name] = first if count else END
        small += content.ljust(count * SMALL, b"\0")
        small_table += [*range(first + 1, first + count), END] if count else []
    small_start = put(small)
    small_numbers = struct.pack(f"<{len(small_table)}I", *small_table)
    small_table_start = put(small_numbers.ljust(-(-len(small_numbers) // SECTOR) * SECTOR, b"\xff"))
    # Shorter names come first; each has the next one at its right.
    names = sorted(streams, key=lambda name: (len(name), name.upper()))
    entries = [entry("Root Entry", 5, small_start, len(small), child=1 if names else FREE)]
    for index, name in enumerate(names, 1):
        right = index + 1 if index < len(names) else FREE
        entries.append(entry(name, 2, starts[name], len(streams[name]), right=right))
    while len(entries) % 4:
        entries.append(bytes(64) + struct.pack("<HBBIII", 0, 0, 0, FREE, FREE, FREE) + bytes(48))
    directory_start = put(b"".join(entries))
    table_start = len(sectors)
    table.append(TABLE)
    assert len(table) <= SECTOR // 4, "one sector of the table is enough for small files"
    header = struct.pack("<8s16x5H6x3I", bytes.fromhex("d0cf11e0a1b11ae1"), 0x3E, 3, 0xFFFE, 9, 6, 0, 1, directory_start)
    header += struct.pack("<5I", 0, SMALL_LIMIT, small_table_start, len(small_numbers) // SECTOR + 1, END)
    header += struct.pack("<I", 0) + struct.pack("<I", table_start).ljust(109 * 4, b"\xff")
    numbers = struct.pack(f"<{len(table)}I", *table).ljust(SECTOR, b"\xff")
    return header + b"".join(sectors) + numbers


def entry(name: str, kind: int, start: int, size: int, right: int = FREE, child: int = FREE) -> bytes:
    text = name.encode("utf-16-le")
    return text.ljust(64, b"\0") + struct.pack("<HBBIII36xII4x", len(text) + 2, kind, 1, FREE, right, child, start, size)


def packaged(name: str, content: bytes) -> bytes:
    """An OLE object that holds a file as Windows' packager writes it."""
    path = f"C:\\files\\{name}"
    narrow = [part.encode("gb18030") + b"\0" for part in (name, path, path)]
    stream = struct.pack("<H", 2) + narrow[0] + narrow[1] + struct.pack("<HHI", 0, 3, len(narrow[2])) + narrow[2]
    stream += struct.pack("<I", len(content)) + content
    for text in (path, name, path):
        stream += struct.pack("<I", len(text)) + text.encode("utf-16-le")
    return compound({"\x01Ole10Native": struct.pack("<I", len(stream)) + stream, "\x01CompObj": bytes(20)})
