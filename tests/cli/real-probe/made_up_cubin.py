"""made_up_cubin.py FILE FUNCTION CODE: an ELF file with one function, of which each letter
of CODE is an instruction: G LDG, L LDS, F FFMA, S STS, B BAR, A LDGSTS, n NOP, . MOV, and
J a branch back to the first."""
import struct
import sys

path, function, code = sys.argv[1:]
words = {"G": 0x981, "L": 0x984, "F": 0x223, "S": 0x388, "B": 0xb1d, "A": 0xfae,
         "n": 0x918, ".": 0x202}
text = b""
for i, letter in enumerate(code):
    if letter == "J":
        units = -(i + 1) * 4
        word = 0x947 | (units & 0xff) << 16 | (units >> 8 & 0x3fffffff) << 34
    else:
        word = words[letter]
    text += struct.pack("<QQ", word, 0)
names = b"\0.shstrtab\0.text." + function.encode() + b"\0"
head = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
    "<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 64, 0, 64, 0, 0, 64, 3, 1)
at = 64 + 3 * 64
sections = struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
sections += struct.pack("<IIQQQQIIQQ", 1, 3, 0, 0, at, len(names), 0, 0, 1, 0)
sections += struct.pack("<IIQQQQIIQQ", 11, 1, 6, 0, at + len(names), len(text), 0, 0, 16, 0)
with open(path, "wb") as out:
    out.write(head + sections + names + text)
