"""The points of a PNG file, by the format's manual: files of 8 bits a colour, as Tessera writes them."""
import struct
import zlib

import numpy


def decode(path):
    """An array (height, width, 3 or 4)."""
    with open(path, "rb") as f:
        data = f.read()
    width, height, bits, kind = struct.unpack(">IIBB", data[16:26])
    channels = {2: 3, 6: 4}[kind]
    assert bits == 8
    packed, at = b"", 8
    while at < len(data):
        n, name = struct.unpack(">I4s", data[at:at + 8])
        packed += data[at + 8:at + 8 + n] if name == b"IDAT" else b""
        at += 12 + n
    raw = numpy.frombuffer(zlib.decompress(packed), numpy.uint8).reshape(height, 1 + width * channels)
    up, rows = [0] * (channels + width * channels), []
    for how, *line in raw.tolist():
        row = [0] * len(up)
        for k, byte in enumerate(line):
            left, above, corner = row[k], up[k + channels], up[k]
            p = left + above - corner
            paeth = min((abs(p - left), 0, left), (abs(p - above), 1, above), (abs(p - corner), 2, corner))[2]
            row[k + channels] = (byte + (0, left, above, (left + above) // 2, paeth)[how]) % 256
        rows.append(row[channels:])
        up = row
    return numpy.array(rows).reshape(height, width, channels)
