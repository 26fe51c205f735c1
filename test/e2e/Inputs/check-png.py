# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-png.py FILE WIDTH HEIGHT: FILE must be a complete RGB image of that size, and must not be blank."""
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
width, height = map(int, sys.argv[2:])
assert data[:8] == b"\x89PNG\r\n\x1a\n", data[:8]
at, pixels, kinds = 8, b"", []
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    content = data[at + 8:at + 8 + length]
    checksum = struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0]
    assert checksum == zlib.crc32(kind + content), kind
    kinds.append(kind)
    if kind == b"IHDR":
        assert struct.unpack(">IIBB", content[:10]) == (width, height, 8, 2), content
    if kind == b"IDAT":
        pixels += content
    at += 12 + length
assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND", kinds
raw = zlib.decompress(pixels)
assert len(raw) == height * (1 + 3 * width), len(raw)
# Distant rows must differ.
rows = {raw[y * (1 + 3 * width) + 1:(y + 1) * (1 + 3 * width)] for y in range(0, height, 64)}
assert len(rows) > 10, len(rows)
