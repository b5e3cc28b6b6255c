"""Puts a kernel together from a geometry, loops, copies and computes."""
from dataclasses import dataclass

from copies import GUARDS
from elements import sum_type
from geometry import pick_geometry
from text import Names, par, plus, times

KEYWORDS = set("""int float double half char short long unsigned const bool if
for while return min max void struct size_t block grid i j k r c e u v f g""".split())


@dataclass
class Parameter:
    name: str
    type: str                  # "float *", "int"
    argument: str              # of the launch description
    stores: bool = False
    const: bool = False
    restrict: bool = False

    def declaration(self):
        if not self.type.endswith("*"):
            return ("const " if self.const else "") + self.type + " " + self.name
        kind = ("const " if self.const else "") + self.type
        return kind + (self.restrict + " " if self.restrict else "") + self.name


@dataclass
class Declared:
    name: str
    type: str
    text: str
    inner: bool                # depends on the enclosing loop


class Kernel:
    """One random kernel. `no_stores`: nothing is stored inside the loop."""

    def __init__(self, dice, no_stores=False):
        self.dice, self.no_stores = dice, no_stores
        self.size_style = dice.feature("sizes", {
            "macro": 4, "constexpr": 3, "template": 3, "local": 2, "literal": 2})
        self.sizes = {}
        self.camel = dice.chance(0.3)
        self.geometry = pick_geometry(dice, self._spell)
        self.streams = self.geometry.streams
        self.block, self.threads = self.geometry.block, self.geometry.threads
        self._spell_block()
        self._reserve_names()
        self.sum_type = sum_type([s.element for s in self.streams])
        self.parameters, self.declared, self.helpers = [], [], []
        self.shared, self.tops, self.symbols = [], [], {}
        self.needs_bounds = False
        self.single = all(a.per_thread == 1 for a in self.geometry.outputs)
        self._scratch = self._trace = self.cg_name = ""
        for axis in self.geometry.outputs:
            self.symbols[axis.base] = ("int", "")
        self._tables = {}
        self.decide()
        self._decide_linkage()

    def _decide_linkage(self):
        """Where the kernel's name lives: `extern "C"`, a namespace."""
        linkage = {"plain": 8, "namespace": 1}
        if self.size_style != "template":
            linkage["extern-c"] = 1
        self.linkage = self.dice.feature("linkage", linkage)

    # --- sizes and names ---------------------------------------------------

    def _spell(self, kind, cells):
        """A tile's size, as a literal or under a name."""
        if self.size_style == "literal":
            return str(cells)
        stems = {"M": "BM", "N": "BN", "K": "BK", "F": "NF", "G": "NG"}
        if self.size_style == "constexpr" and self.camel:
            stems = {"M": "kTileM", "N": "kTileN", "K": "kTileK", "F": "kFeatures",
                     "G": "kPlane"}
        self.sizes[stems[kind]] = cells
        return stems[kind]

    def _spell_block(self):
        x, y = self.block
        self.block_text = (str(x), str(y))
        self.threads_text = str(self.threads)
        if self.size_style != "literal" and self.dice.chance(0.5) and y == 1:
            name = "kThreads" if self.camel else "THREADS"
            self.sizes[name] = self.threads
            self.threads_text = name
            self.block_text = (name, "1")

    def _reserve_names(self):
        names = self.geometry.names
        taken = set(self.sizes) | KEYWORDS | {names[k] for k in
                                              ("out", "M", "N", "K", "m0", "n0")}
        taken |= set(names["sources"]) | set(names["tiles"])
        self.names = Names(self.dice, taken - set("ijkrceuv") | {
            names["M"], names["N"], names["K"]})
        self.top_names = self.names
        self.name = self.top_names.fresh([
            "tile_kernel", "matmul_tiled", "sweep", "accumulate_tiles", "gemm",
            "stream_reduce", "tiledProduct", "kern"])
        self.acc = self.names.fresh(["acc", "sum", "total", "res"])

    # --- decisions -----------------------------------------------------------

    def decide(self):
        self.guard = self.dice.feature("guard", GUARDS)
        self.style_const = self.dice.pick(["const", "const", "plain"])
        self._decide_guarded_axes()
        for stream in self.streams:
            self._decide_form(stream)
            self._decide_advance(stream)
        self._decide_own()
        self._decide_surroundings()

    def _decide_guarded_axes(self):
        axes = self.geometry.axes
        if self.guard == "none":
            return
        outputs = [a for a in self.geometry.outputs]
        if self.guard == "bare":
            axes["K"].guarded = True
            return
        rows = self.dice.chance(0.6)
        for axis in outputs:
            axis.guarded = rows
        axes["K"].guarded = not rows or self.dice.chance(0.85)

    def _decide_form(self, stream):
        last, lanes = stream.axes[-1], stream.element.lanes
        if lanes == 1 or last.size % lanes or stream.cells() % lanes:
            return
        same = stream.tile_axes == stream.axes
        if not same and lanes == 4 and self.dice.chance(0.5):
            stream.form = "scatter"
        elif same and stream.pad % lanes == 0 and self.dice.chance(0.45):
            stream.form = "vector"
            stream.aligned = True
        else:
            return
        self.dice.note("width", stream.form)
        last.grain = max(last.grain, lanes)
        stream.c_cast = self.dice.chance(0.3)
        stream.macro = self.style_const == "plain" and self.dice.chance(0.5)
        if stream.macro:
            self.dice.note("width", "macro")

    def _decide_advance(self, stream):
        axis = stream.axis("K")
        if self.geometry.family in ("points", "matvec", "features") and \
                stream.form == "elements" and self.dice.chance(0.12):
            stream.advance = "gather"
        if self.dice.chance(0.3) and stream.form == "elements":
            stream.through = "local"
        if stream.form == "elements" and stream.element.plain and \
                stream.element.name in ("float", "int", "double", "float4") and \
                self.dice.chance(0.1):
            stream.ldg = True

    def _decide_own(self):
        """A number of each thread's own that meets the tile."""
        outputs = self.geometry.outputs
        self.own, self.own_minus = "", self.dice.chance(0.5)
        if len(self.streams) == 1 and len(outputs) == 1 and self.single and \
                self.dice.chance(0.8):
            self.own = self.names.fresh(["mine", "xi", "q_own"])

    def _decide_surroundings(self):
        dice = self.dice
        self.around = dice.pick({
            "plain": 10, "persistent": 2, "batch": 2, "early-return": 2,
            "two-loops": 2, "reuse": 2, "device-function": 2})
        if self.around == "reuse" and not self._can_reuse():
            self.around = "plain"
        dice.note("around", self.around)
        self.barrier_kind = dice.feature("barrier", {
            "syncthreads": 12, "block.sync": 1, "cg::sync": 1, "this": 1})
        self.doubled = dice.chance(0.06)
        self.barrier_first = dice.chance(0.12)
        dice.note("barriers", "first" if self.barrier_first else "last")
        if self.doubled:
            dice.note("barriers", "doubled")
        self.tile_place = dice.pick({
            "top": 12, "inside-loop": 2, "dynamic": 1})
        if self.around in ("reuse", "two-loops") and self.tile_place != "top":
            self.tile_place = "top"
        self._decide_dynamic()
        dice.note("tile-place", self.tile_place)
        self.helper_load = dice.chance(0.12) and self.size_style != "local"
        self.helper_compute = dice.chance(0.12) and self.size_style != "local"
        self.style_restrict = dice.chance(0.5)

    def _can_reuse(self):
        """The first tile can hold a sum for each thread."""
        first = self.streams[0]
        return self.single and first.element.tile == self.sum_type and \
            first.cells() >= self.threads

    def _decide_dynamic(self):
        """Dynamic tiles are pointers into one array of one type."""
        if self.tile_place != "dynamic":
            return
        kinds = {s.element.tile for s in self.streams}
        if len(kinds) > 1 or any(s.cells() * s.element.bytes % 16
                                 for s in self.streams):
            self.tile_place = "top"
            return
        for stream in self.streams:
            stream.flat = True
            stream.pad = 0

    # --- threads -------------------------------------------------------------

    def declare(self, name, kind, text, inner=False):
        """A constant before the loop, written down only if it is used."""
        self.declared.append(Declared(name, kind, text, inner))
        self.symbols[name] = (kind, "")
        return name

    def _thread(self, name, text):
        if name not in self.symbols:
            self.declare(name, "int", text)
        return name

    def tx(self):
        return self._thread("tx", "threadIdx.x")

    def ty(self):
        return self._thread("ty", "threadIdx.y")

    def tid(self):
        if self.block[1] == 1:
            return self._thread("tid", "threadIdx.x")
        self.tx(), self.ty()
        return self._thread("tid", "ty * %s + tx" % self.block_text[0])

    def output_index(self, axis):
        return {"M": "mi", "N": "ni"}[axis.kind]

    def local_output(self, axis):
        """Where in the tile this thread's outputs lie along an axis."""
        first = self.first_output(axis)
        if axis.per_thread == 1:
            return first
        return plus(first, self.output_index(axis))

    def first_output(self, axis):
        if self.block[1] > 1:
            return self.tx() if axis.kind == "N" else self.ty()
        name = "t" + axis.kind.lower() + "0"
        if name in self.symbols:
            return name
        outputs, tid = self.geometry.outputs, self.tid()
        if len(outputs) == 1:
            if axis.per_thread == 1:
                return tid
            return self.declare(name, "int", times(tid, str(axis.per_thread)))
        across = outputs[1].size // outputs[1].per_thread
        part = "%s %s %d" % (tid, "/" if axis is outputs[0] else "%", across)
        if axis.per_thread > 1:
            part += " * %d" % axis.per_thread
        return self.declare(name, "int", part)

    def global_output(self, axis):
        name = {"M": "gm", "N": "gn"}[axis.kind]
        if axis.per_thread > 1:
            return plus(axis.base, self.local_output(axis))
        if name not in self.symbols:
            self.declare(name, "int", plus(axis.base, self.local_output(axis)),
                         True)
        return name

    # --- memory ---------------------------------------------------------------

    def tile_cell(self, stream, coords):
        parts = [coords[a.kind] for a in stream.tile_axes]
        if not stream.flat:
            return stream.tile + "".join("[%s]" % p for p in parts)
        index = parts[0]
        for axis, part in zip(stream.tile_axes[1:], parts[1:]):
            width = axis.text
            if axis is stream.tile_axes[-1] and stream.pad:
                width = "(%s + %d)" % (axis.text, stream.pad)
            index = plus(times(index, width), part)
        return "%s[%s]" % (stream.tile, index)

    def vector_of(self, stream, lvalue, source):
        """The same memory as one vector."""
        kind = stream.element.vector
        if source and self.style_const != "plain":
            kind = "const " + kind
        if stream.macro:
            return "%s(%s)" % (self._vector_macro(stream), lvalue)
        if stream.c_cast:
            return "*(%s *)&%s" % (kind, lvalue)
        return "*reinterpret_cast<%s *>(&%s)" % (kind, lvalue)

    def _vector_macro(self, stream):
        """`FLOAT4(x)`, as many a GEMM has it."""
        kind = stream.element.vector
        name = kind.upper()
        define = "#define %s(x) (*reinterpret_cast<%s *>(&(x)))" % (name, kind)
        if [define] not in self.helpers:
            self.helpers.append([define])
        return name

    def extent_text(self, stream, number):
        if number == len(stream.axes) - 1 and stream.ld:
            return stream.ld
        return stream.axes[number].extent

    def _tile_suffix(self, stream):
        texts = [a.text for a in stream.tile_axes]
        if stream.pad:
            texts[-1] += " + %d" % stream.pad
        if stream.flat:
            texts = [" * ".join(par(t) for t in texts)]
        return "".join("[%s]" % t for t in texts)

    def tile_lines(self):
        if self.tile_place == "dynamic":
            return self._dynamic_tiles()
        lines = []
        for stream in self.streams:
            suffix = self._tile_suffix(stream)
            align = "__align__(16) " if stream.aligned else ""
            lines.append("__shared__ %s%s %s%s;" % (
                align, stream.element.tile, stream.tile, suffix))
            self.symbols[stream.tile] = (stream.element.tile, suffix)
        return lines

    def _dynamic_tiles(self):
        pool = self.top_names.fresh(["smem", "pool", "shared_mem"])
        kind = self.streams[0].element.tile
        lines = ["extern __shared__ __align__(16) %s %s[];" % (kind, pool)]
        start = pool
        for stream in self.streams:
            lines.append("%s *%s = %s;" % (kind, stream.tile, start))
            size = " * ".join(a.text for a in stream.tile_axes)
            start = "%s + %s" % (stream.tile, size)
            self.symbols[stream.tile] = (kind + " *", "")
        return lines

    def dynamic_bytes(self):
        if self.tile_place != "dynamic":
            return 0
        return sum(s.shared_bytes() for s in self.streams)

    def add_parameter(self, name, kind, argument, stores=False):
        self.parameters.append(Parameter(name, kind, argument, stores))
        const = kind.endswith("*") and not stores and self.style_const != "plain"
        self.symbols[name] = (("const " if const else "") + kind, "")
        return name

    def shared_scratch(self):
        if not self._scratch:
            self._scratch = self.names.fresh(["red", "scratch", "exchange"])
            self.shared.append("__shared__ %s %s[%s];" % (
                self.sum_type, self._scratch, self.threads_text))
            self.symbols[self._scratch] = (self.sum_type,
                                           "[%s]" % self.threads_text)
        return self._scratch

    def tile_count(self):
        axis = self.geometry.axes["K"]
        return "((%s + %d) / %d)" % (axis.extent, axis.size - 1, axis.size)

    def tile_count_text(self):
        axis = self.geometry.axes["K"]
        return "(%s + %s - 1) / %s" % (axis.extent, axis.text, axis.text)

    def trace(self):
        if not self._trace:
            self._trace = self.names.fresh(["trace", "history", "per_tile"])
            axis = self.geometry.outputs[0]
            self.add_parameter(self._trace, self.sum_type + " *", "out [%s * %s]" % (
                axis.extent, self.tile_count()), True)
        return self._trace

    def _table(self, use, names, kind, argument):
        if use not in self._tables:
            self._tables[use] = self.names.fresh(names)
            self.add_parameter(self._tables[use], kind, argument)
        return self._tables[use]

    def per_tile_table(self):
        return self._table("tile", ["weights", "gains"], "float *",
                           "in [%s]" % self.tile_count())

    def per_element_table(self):
        return self._table("element", ["bias", "table"], "float *",
                           "in [%s]" % self.geometry.axes["K"].extent)

    def barrier(self):
        if self.barrier_kind == "syncthreads":
            return "__syncthreads();"
        if self.barrier_kind == "this":
            return "cg::this_thread_block().sync();"
        self.cg_name = self.cg_name or self.names.fresh(["cta", "blk", "group"])
        self.symbols[self.cg_name] = ("cg::thread_block", "")
        if self.barrier_kind == "block.sync":
            return self.cg_name + ".sync();"
        return "cg::sync(%s);" % self.cg_name

    def pointer_type(self, stream):
        """What a local pointer into a stream is declared as."""
        const = "" if self.style_const == "plain" else "const "
        return const + stream.element.source + " *"
