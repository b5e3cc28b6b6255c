"""What a kernel computes on: axes, blocks of threads, streams of tiles.

A *stream* is an array in global memory that is read tile by tile. Its axes are
the loop's axis K, which moves on with every tile, axes M and N that the block's
outputs lie along, and constant axes F and G that are inside every tile. For
C = A * B the streams are A over (M, K) and B over (K, N)."""
from dataclasses import dataclass, field

import elements

NAMES = [
    dict(out="C", sources=["A", "B", "D"], tiles=["As", "Bs", "Ds"],
         M="M", N="N", K="K", m0="m0", n0="n0"),
    dict(out="result", sources=["lhs", "rhs", "extra"],
         tiles=["s_lhs", "s_rhs", "s_extra"],
         M="rows", N="cols", K="depth", m0="row0", n0="col0"),
    dict(out="y", sources=["x", "w", "b"], tiles=["xTile", "wTile", "bTile"],
         M="nq", N="nc", K="n", m0="qBase", n0="cBase"),
    dict(out="dst", sources=["src", "coef", "aux"],
         tiles=["smem_src", "smem_coef", "smem_aux"],
         M="height", N="width", K="inner", m0="first_row", n0="first_col"),
    dict(out="_out", sources=["_in", "_wt", "_mask"],
         tiles=["sh_in", "sh_wt", "sh_mask"],
         M="m", N="n", K="k", m0="by", n0="bx"),
]


@dataclass
class Axis:
    kind: str                  # K, M, N, F or G
    size: int                  # cells of a tile along it
    text: str                  # how the source spells that size
    extent: str                # length in global memory, as the source spells it
    base: str = ""             # where the block begins (M and N)
    per_thread: int = 1        # outputs of a thread along it (M and N)
    guarded: bool = False      # the extent need not be a multiple of the size
    grain: int = 1             # extents are multiples of this


@dataclass
class Stream:
    source: str
    tile: str
    element: elements.Element
    axes: list                 # as they lie in global memory, slowest first
    tile_axes: list            # as they lie in the tile
    pad: int = 0
    flat: bool = False         # the tile is one-dimensional and indexed by hand
    aligned: bool = False
    ld: str = ""               # a parameter for the distance of rows
    gather: str = ""           # the array that says which K to read
    form: str = "elements"     # elements, vector or scatter
    advance: str = "index"     # index, bump or offset
    offset: str = ""           # the loop's variable of an offset stream
    pointer: str = ""          # what the loads go through
    through: str = ""          # "local": a variable between load and store
    ldg: bool = False
    c_cast: bool = False       # (float4 *)& and not reinterpret_cast
    macro: bool = False        # FLOAT4(x)

    def cells(self):
        count = 1
        for axis in self.axes:
            count *= axis.size
        return count

    def axis(self, kind):
        return next((a for a in self.axes if a.kind == kind), None)

    def shared_bytes(self):
        last = self.tile_axes[-1]
        width = last.size + self.pad
        return self.cells() // last.size * width * self.element.bytes


@dataclass
class Geometry:
    family: str
    block: tuple               # threads along x and y
    axes: dict
    streams: list
    names: dict
    outputs: list = field(default_factory=list)   # axes of the result

    @property
    def threads(self):
        return self.block[0] * self.block[1]


def _gemm_square(dice):
    """The classroom product: one output a thread, two-dimensional blocks."""
    x, y, depth = dice.pick([(16, 16, 16), (8, 8, 8), (16, 8, 16), (16, 4, 16),
                             (16, 16, 8), (8, 8, 12), (32, 4, 32)])
    return (x, y), dict(M=(y, 1), N=(x, 1), K=depth), \
        [dice.pick(["MK", "MK", "MK", "KM"]), dice.pick(["KN", "KN", "KN", "NK"])]


def _gemm_blocked(dice):
    """Register blocking: a one-dimensional block, several outputs a thread."""
    m, n, rm, rn, depth = dice.pick([
        (32, 32, 4, 4, 8), (32, 32, 2, 4, 16), (32, 64, 4, 8, 8),
        (32, 32, 2, 2, 8), (16, 32, 2, 4, 16), (64, 16, 4, 2, 4),
        (16, 32, 1, 4, 12)])
    threads = m // rm * (n // rn)
    return (threads, 1), dict(M=(m, rm), N=(n, rn), K=depth), \
        [dice.pick(["MK", "MK", "KM"]), dice.pick(["KN", "KN", "NK"])]


def _matvec(dice):
    """A thread a row: a tile of rows, and one of the vector."""
    threads, depth = dice.pick([(64, 16), (64, 8), (128, 8), (64, 24), (96, 8)])
    return (threads, 1), dict(M=(threads, 1), K=depth), \
        [dice.pick(["MK", "KM"]), "K"]


def _points(dice):
    """All pairs: every thread looks at every element of the tiles."""
    threads, rest = dice.pick([(64, 1), (128, 1), (64, 1), (128, 2), (96, 1)])
    depth = dice.pick([threads, threads, threads, 32, 16, 48])
    streams = ["K"] * dice.pick([1, 1, 2, 3])
    return (threads, 1), dict(M=(threads * rest, rest), K=depth), streams


def _features(dice):
    """Rows of a few features: tiles [K][F] or [F][K]."""
    threads, depth = dice.pick([(64, 16), (128, 32), (64, 20), (64, 32)])
    streams = [dice.pick(["KF", "KF", "FK"])] + ["K"] * dice.pick([0, 1])
    return (threads, 1), dict(M=(threads, 1), K=depth,
                              F=dice.pick([4, 6, 8])), streams


def _volume(dice):
    """Planes of channels: three-dimensional tiles."""
    threads = dice.pick([64, 128])
    streams = [dice.pick(["KFG", "FKG", "KFN"])] + ["K"] * dice.pick([0, 1])
    return (threads, 1), dict(N=(threads, 1), K=dice.pick([2, 4, 3]), F=4,
                              G=8), streams


FAMILIES = {"gemm-square": (_gemm_square, 6), "gemm-blocked": (_gemm_blocked, 4),
            "matvec": (_matvec, 2), "points": (_points, 4),
            "features": (_features, 2), "volume": (_volume, 2)}
SPELLINGS = {"BM": "M", "BN": "N", "BK": "K", "NF": "F", "NG": "G"}


def _make_axes(sizes, names, spell):
    axes = {}
    for kind, size in sizes.items():
        cells, per_thread = size if isinstance(size, tuple) else (size, 1)
        text = spell(kind, cells)
        extent = names[kind] if kind in "KMN" else text
        base = {"M": names["m0"], "N": names["n0"]}.get(kind, "")
        axes[kind] = Axis(kind, cells, text, extent, base, per_thread)
    return axes


def _pick_elements(dice, count):
    """One type for all, as most kernels have it, or one for each."""
    first = elements.pick_element(dice)
    if dice.chance(0.75):
        return [first] * count
    return [first] + [elements.pick_element(dice) for _ in range(count - 1)]


def _make_stream(dice, geometry_axes, names, number, kinds, element):
    axes = [geometry_axes[kind] for kind in kinds]
    tile_axes = list(axes)
    if len(axes) == 2 and dice.chance(0.25):
        tile_axes.reverse()
    stream = Stream(names["sources"][number], names["tiles"][number], element,
                    axes, tile_axes)
    if len(axes) > 1:
        stream.pad = dice.pick({0: 5, 1: 2, 4: 1})
        stream.flat = dice.chance(0.15)
    return stream


def _fits(streams, threads):
    """Two stages fit the static limit, and staging a few registers."""
    registers = sum(s.shared_bytes() for s in streams) / threads / 4
    return sum(s.shared_bytes() for s in streams) <= 20000 and registers <= 24


def pick_geometry(dice, spell):
    """A family and its sizes, with streams of elements that fit."""
    while True:
        geometry = _try_geometry(dice, spell)
        if _fits(geometry.streams, geometry.threads):
            break
    dice.note("family", geometry.family)
    for stream in geometry.streams:
        dice.note("element", stream.element.name)
        dice.note("tile", "%d-d%s%s%s" % (
            len(stream.axes), "-padded" if stream.pad else "",
            "-flat" if stream.flat else "",
            "-transposed" if stream.tile_axes != stream.axes else ""))
    return geometry


def _try_geometry(dice, spell):
    family = dice.pick({n: w for n, (_, w) in FAMILIES.items()})
    block, sizes, kinds = FAMILIES[family][0](dice)
    names = dice.pick(NAMES)
    axes = _make_axes(sizes, names, spell)
    kinds_of_element = _pick_elements(dice, len(kinds))
    streams = [_make_stream(dice, axes, names, i, k, kinds_of_element[i])
               for i, k in enumerate(kinds)]
    outputs = [axes[k] for k in "MN" if k in axes]
    return Geometry(family, block, axes, streams, names, outputs)
