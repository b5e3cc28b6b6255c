"""Launch descriptions with fewer size sets than the case has: few to be quick,
or odd, or even, numbers of tiles alone."""
import re

# case: {dimension of the `sizes` lines: length of a tile}
CASES = {
    "gated-linear-two-loops": {"D": 16},
    "gemm-persistent": {"K": 16},
    "gemm-device-function": {"K": 16},
    "devicefn-called-twice": {"left": 64, "right": 64},
    "softmax-two-pass": {"nk": 64},
    "gemm-tile-reused-for-norm": {"K": 16},
}


def kept(text, tiles, kind):
    """A `sizes` line without the values of the other parity; "" where none is
    left."""
    for name, length in tiles.items():
        found = re.search(rf"\b{name}=([\d,]+)", text)
        values = [v for v in found.group(1).split(",")
                  if int(v) and -(-int(v) // length) % 2 == (kind == "odd")]
        if not values:
            return ""
        text = (text[:found.start(1)] + ",".join(values)
                + text[found.end(1):])
    return text


def described(box, change):
    """The case's launch descriptions, each `sizes` line changed."""
    lines, inside = [], False
    source = (box.directory / "kernel.cu").read_bytes().decode("latin-1")
    for line in source.splitlines():
        text = line.strip()
        inside = text.startswith("//") and (
            "pipelinify: launch" in text
            or inside and "pipelinify:" not in text)
        text = text[2:].strip().removeprefix("pipelinify:").strip()
        if inside and text.startswith("sizes"):
            text = change(text)
        if inside and text:
            lines.append(text)
    return "\n".join(lines) + "\n"


def of_one_kind(box, name, kind):
    """Sizes of one parity."""
    return described(box, lambda text: kept(text, CASES[name], kind))


def middling(text):
    """One value a list of a `sizes` line, no extreme one: three tiles, say."""
    return re.sub(r"=([\d,]+)", lambda m: "=" + middle(m.group(1)), text)


def middle(values):
    values = values.split(",")
    return values[len(values) * 2 // 3]


def few(box):
    """One size set a `sizes` line."""
    return described(box, middling)


def shows(name, variant, label, kind):
    """Whether a missing exit barrier can be seen: what comes next writes the
    buffer that was read last. With one buffer that is always so. With two, the
    next prologue writes the first, which was read last when the number of tiles
    is odd; with more, the next prologue writes all but the last."""
    return variant not in ("ldg", "cp.async-2") or kind == "odd"
