"""The whole file: headers, helpers, launch description, kernel, host code."""
from hazards import sum_of
from layout import pick_style, render
from kernel import Kernel
from text import par, plus, times, words_of
from tile_loop import TileLoopMaker

COUNTS = [0, 1, 2, 3, 4, 5, 7]


class Program:
    """One kernel with all that stands around it."""

    def __init__(self, dice, no_stores=False):
        self.dice = dice
        self.never_restrict = False
        self.restrict_word = "__restrict__"
        self.stored_sources = set()
        self.requires = ""
        self.templates = None      # what the kernel's arguments decide
        self.kernel = Kernel(dice, no_stores)
        self._add_inputs()
        self._fill_body()

    # --- parameters ---------------------------------------------------------

    def _add_inputs(self):
        kernel, names = self.kernel, self.kernel.geometry.names
        kernel.batch = ""
        if kernel.around == "batch":
            kernel.batch = kernel.names.fresh(["batch", "groups", "heads"])
        for stream in kernel.streams:
            self._add_stream(stream)
        if kernel.own:
            axis = kernel.geometry.outputs[0]
            self._add_own(axis)
        if any("scale" in s.element.needs for s in kernel.streams):
            kernel.add_parameter("scale", "float", "0.25")
        kernel.add_parameter(names["out"], kernel.sum_type + " *",
                             "out [%s]" % self._out_count(), True)

    def _add_own(self, axis):
        kernel = self.kernel
        kind = kernel.sum_type
        name = kernel.names.fresh(["queries", "vec", "own_values"])
        kernel.add_parameter(name, kind + " *", "in [%s]" % axis.extent)
        value = "%s[%s]" % (name, kernel.global_output(axis))
        if axis.guarded:
            value = "%s < %s ? %s : 0" % (kernel.global_output(axis),
                                          axis.extent, value)
        kernel.declare(kernel.own, kind, value, True)

    def _out_count(self):
        extents = [a.extent for a in self.kernel.geometry.outputs]
        if self.kernel.batch:
            extents.append(self.kernel.batch)
        return " * ".join(extents)

    def _add_stream(self, stream):
        kernel = self.kernel
        if stream.advance == "gather":
            stream.gather = kernel.names.fresh(["index", "perm", "rows_of"])
            stream.advance = "index"
            self.dice.note("advance", "gather")
            extent = kernel.geometry.axes["K"].extent
            kernel.add_parameter(stream.gather, "int *",
                                 "in [%s] below(%s)" % (extent, extent))
        if len(stream.axes) > 1 and stream.axes[-1].kind not in "FG" \
                and self.dice.chance(0.15):
            stream.ld = kernel.names.fresh(["ld" + stream.source.strip("_").lower(),
                                            "pitch", "ld"])
        kernel.add_parameter(stream.source, stream.element.source + " *",
                             "in [%s]" % self._stream_count(stream))

    def _stream_size(self, stream):
        """Elements of one batch, as the launch description may say it."""
        texts = [str(a.size) if a.kind in "FG" else a.extent for a in stream.axes]
        if stream.ld:
            texts[-1] = stream.ld
        return " * ".join(texts)

    def _stream_count(self, stream):
        size = self._stream_size(stream)
        return size + (" * " + self.kernel.batch if self.kernel.batch else "")

    def _add_dimensions(self):
        kernel = self.kernel
        kinds = [k for k in "MNK" if k in kernel.geometry.axes]
        dims = [kernel.geometry.axes[k].extent for k in kinds]
        dims += [s.ld for s in kernel.streams if s.ld]
        dims += [kernel.batch] if kernel.batch else []
        constant = self.dice.chance(0.25)
        for name in dims:
            kernel.add_parameter(name, "int", name)
            kernel.parameters[-1].const = constant

    def qualify_pointers(self):
        """const and __restrict__, the latter wherever the loop stores."""
        kernel = self.kernel
        stores = bool(kernel._trace)
        wanted = stores or kernel.style_restrict or self.restrict_word != "__restrict__"
        restrict = wanted and not self.never_restrict
        self.dice.features["pointers"] = ["restrict" if restrict else "plain"]
        for parameter in kernel.parameters:
            if not parameter.type.endswith("*"):
                continue
            parameter.restrict = self.restrict_word if restrict else ""
            parameter.const = kernel.style_const != "plain" and not (
                parameter.stores or parameter.name in self.stored_sources)

    # --- body ---------------------------------------------------------------

    def _fill_body(self):
        kernel = self.kernel
        kernel.batch_pointers = {}
        self.batch_lines = self._make_batch_pointers()
        self.tiles = kernel.tile_lines() if kernel.tile_place != "inside-loop" \
            else []
        if kernel.tile_place == "inside-loop":
            kernel.tile_lines()
        self._declare_sum()
        self._add_dimensions()
        count = 2 if kernel.around == "two-loops" else 1
        outer = kernel.around in ("batch", "persistent", "two-loops")
        self.dice.note("loops", count)
        self.loops = []
        for _ in range(count):
            self.loops.append(TileLoopMaker(kernel, outer).make())
        if self.dice.chance(0.06):
            self._sum_by_lambdas(self.loops[0])
        self.after = self._after_loop() + self.store_result()
        self.qualify_pointers()

    def _sum_by_lambdas(self, loop):
        """Adds to the sum by lambdas that call each other."""
        kernel, depth = self.kernel, self.dice.pick([2, 4, 7, 9])
        names = [kernel.names.fresh(["tally%d" % i]) for i in range(depth)]
        head = "auto %%s = [&](%s v) { " % kernel.sum_type
        loop.pre.append(head % names[0] + "%s += v; };" % sum_of(kernel))
        for inner, name in zip(names, names[1:]):
            loop.pre.append(head % name + "%s(v); };" % inner)
        loop.compute.append("%s(%d);" % (names[-1], self.dice.pick([1, 2, 3])))
        self.dice.note("lambdas", depth)

    def _make_batch_pointers(self):
        kernel, lines = self.kernel, []
        if not kernel.batch:
            return []
        self.b = kernel.names.fresh(["b", "bi", "h_idx"])
        for stream in kernel.streams:
            name = kernel.names.fresh([stream.source + "b", stream.source + "_b"])
            kind = kernel.pointer_type(stream)
            size = " * ".join(kernel.extent_text(stream, n)
                              for n in range(len(stream.axes)))
            lines.append("%s%s = %s + %s * %s;" % (kind, name, stream.source,
                                                  self.b, par(size)))
            kernel.batch_pointers[stream.source] = name
            kernel.symbols[name] = (kind, "")
        return lines

    def _declare_sum(self):
        kernel = self.kernel
        suffix = "".join("[%d]" % a.per_thread for a in kernel.geometry.outputs
                         if a.per_thread > 1)
        kernel.symbols[kernel.acc] = (kernel.sum_type, suffix)
        start = {"float": "0.0f", "double": "0.0"}.get(kernel.sum_type, "0")
        if suffix:
            self.sum_lines = ["%s %s%s = {};" % (kernel.sum_type, kernel.acc,
                                                suffix)]
        else:
            self.sum_lines = ["%s %s = %s;" % (kernel.sum_type, kernel.acc, start)]

    def _after_loop(self):
        kernel = self.kernel
        if kernel.around != "reuse":
            return []
        first, tid = kernel.streams[0], kernel.tid()
        lines = [kernel.barrier()] if kernel.barrier_first else []
        lines += ["%s = %s;" % (self.flat_cell(first, tid), kernel.acc),
                  kernel.barrier(),
                  "%s += %s;" % (kernel.acc, self.flat_cell(
                      first, "(%s ^ 1)" % tid))]
        return lines

    def flat_cell(self, stream, number):
        """A cell of the tile for each thread, whatever the tile's shape."""
        coords, rest = {}, par(number)
        for position, axis in enumerate(stream.tile_axes):
            below = 1
            for later in stream.tile_axes[position + 1:]:
                below *= later.size
            text = rest if below == 1 else "%s / %d" % (rest, below)
            if position:
                text = "%s %% %d" % (text, axis.size)
            coords[axis.kind] = text
        if stream.flat:
            coords = {k: par(v) for k, v in coords.items()}
        return self.kernel.tile_cell(stream, coords)

    def _result_index(self):
        kernel = self.kernel
        index = ""
        for axis in kernel.geometry.outputs:
            here = kernel.global_output(axis)
            index = plus(times(index, axis.extent), here) if index else here
        if kernel.batch:
            sizes = " * ".join(a.extent for a in kernel.geometry.outputs)
            index = plus("%s * %s" % (self.b, par(sizes)), index)
        return index

    def store_result(self):
        kernel = self.kernel
        outputs = kernel.geometry.outputs
        element = kernel.acc + "".join("[%s]" % kernel.output_index(a)
                                       for a in outputs if a.per_thread > 1)
        live = [t.loop.live_out for t in self.loops if t.loop.live_out]
        value = plus(element, *["(%s)%s" % (kernel.sum_type, v) for v in live]) \
            if self.dice.chance(0.8) else element
        tests = ["%s < %s" % (kernel.global_output(a), a.extent)
                 for a in outputs if a.guarded]
        lines = ["%s[%s] = %s;" % (kernel.geometry.names["out"],
                                  self._result_index(), value)]
        if tests:
            lines = ["if (%s)" % " && ".join(tests)] + lines
        for axis in reversed(outputs):
            if axis.per_thread > 1:
                var = kernel.output_index(axis)
                lines = ["for (int %s = 0; %s < %d; ++%s) {" % (
                    var, var, axis.per_thread, var)] + lines + ["}"]
        return lines

    def _block_number(self, axis):
        if len(self.kernel.geometry.outputs) == 2 and axis.kind == "M":
            return "blockIdx.y"
        return "blockIdx.x"

    def _bases(self):
        """`m0 = blockIdx.y * BM`, as declarations."""
        kernel, lines = self.kernel, []
        outputs = kernel.geometry.outputs
        for axis in outputs:
            number = self._block_number(axis)
            if kernel.around == "persistent" and axis is outputs[0]:
                number = self.block_variable
            lines.append((axis.base, "int", "%s * %s" % (number, axis.text), True))
        return lines

    def _declarations(self, later, inner):
        """The constants that are used, each before its users."""
        kernel = self.kernel
        chosen, used = [], words_of(later)
        every = [(d.name, d.type, d.text, d.inner) for d in kernel.declared]
        every = [d for d in every if not d[3]] + self._bases() + \
            [d for d in every if d[3]]
        for name, kind, text, is_inner in reversed(every):
            if name in used:
                used |= words_of([text])
                if is_inner == inner:
                    chosen.append("%s%s %s = %s;" % (self.const, kind, name, text))
        return list(reversed(chosen))

    def body(self):
        kernel = self.kernel
        self.const = self.dice.pick(["const ", "const ", ""])
        core = list(self.batch_lines) + self.sum_lines
        for number, loop in enumerate(self.loops):
            core += self._comment("loop") + loop.lines()
        core += self.after
        if kernel.around == "persistent":
            self.block_variable = kernel.names.fresh(["blk", "work", "tile_id"])
        inner = self._declarations(core, True)
        if kernel.around == "early-return":
            axis = kernel.geometry.outputs[0]
            place = next((i + 1 for i, line in enumerate(inner)
                          if line.split(" = ")[0].endswith(" " + axis.base)), None)
            test = ["if (%s * %s >= %s)" % (self._block_number(axis), axis.text,
                                           axis.extent), "return;"]
            inner[:0] = test if place is None else []
            if place is not None:
                inner[place:place] = ["if (%s >= %s)" % (axis.base, axis.extent),
                                      "return;"]
        core = inner + core
        outer = self._declarations(core, False)
        core = self._surround(core)
        return self._local_sizes() + self.tiles + kernel.shared + \
            self._group() + outer + core

    def _group(self):
        name = self.kernel.cg_name
        if not name:
            return []
        return ["cg::thread_block %s = cg::this_thread_block();" % name]

    def _surround(self, core):
        kernel = self.kernel
        if kernel.around == "batch":
            return ["for (int %s = 0; %s < %s; ++%s) {" % (
                self.b, self.b, kernel.batch, self.b)] + core + ["}"]
        if kernel.around == "persistent":
            axis = kernel.geometry.outputs[0]
            number = self._block_number(axis)
            count = "(%s + %s - 1) / %s" % (axis.extent, axis.text, axis.text)
            return ["for (int %s = %s; %s < %s; %s += %s) {" % (
                self.block_variable, number, self.block_variable, count,
                self.block_variable, number.replace("blockIdx", "gridDim"))] \
                + core + ["}"]
        return core

    def _comment(self, what):
        texts = {"loop": ["// walk over the tiles", "/* K loop */",
                          "// main loop: load, sync, compute, sync"]}
        return [self.dice.pick(texts[what])] if self.dice.chance(0.3) else []

    # --- file ----------------------------------------------------------------

    def _headers(self):
        kernel = self.kernel
        needs = {n for s in kernel.streams for n in s.element.needs
                 if n.startswith("#")}
        lines = ["#include <cuda_runtime.h>"] + sorted(needs)
        if kernel.barrier_kind != "syncthreads":
            lines += ["#include <cooperative_groups.h>",
                      "namespace cg = cooperative_groups;"]
        structs = []
        for stream in kernel.streams:
            for need in stream.element.needs:
                if need.startswith("struct") and need not in structs:
                    structs.append(need)
        for struct in structs:
            lines += [""] + [line.strip() for line in struct.split("\n")]
        return lines + [""]

    def _local_sizes(self):
        if self.kernel.size_style != "local":
            return []
        return ["constexpr int %s = %d;" % item
                for item in self.kernel.sizes.items()]

    def _global_sizes(self):
        kernel = self.kernel
        if kernel.size_style == "macro":
            return ["#define %s %d" % item for item in kernel.sizes.items()] + [""]
        if kernel.size_style == "constexpr":
            return ["constexpr int %s = %d;" % item
                    for item in kernel.sizes.items()] + [""]
        return []

    def _template(self):
        if self.templates:
            return self.templates.header()
        if self.kernel.size_style != "template":
            return []
        return ["template <%s>" % ", ".join("int " + s for s in self.kernel.sizes)]

    def _arguments(self):
        if self.kernel.size_style != "template":
            return ""
        return "<%s>" % ", ".join(str(v) for v in self.kernel.sizes.values())

    def _signature(self, qualifiers, name):
        texts = [p.declaration() for p in self.kernel.parameters]
        if self.templates:
            texts = [self.templates.signature(t) for t in texts]
        text = "%s %s(%s) {" % (qualifiers, name, ", ".join(texts))
        return [text]

    def _kernel_lines(self):
        kernel, body = self.kernel, self.body()
        if self.templates:
            body = self.templates.body(body)
        bounds = kernel.needs_bounds or self.dice.chance(0.25)
        text = "__global__ void"
        if kernel.linkage == "extern-c":
            text = 'extern "C" ' + text
        if bounds:
            text += " __launch_bounds__(%d)" % kernel.threads
        launch = [] if self.templates and self.templates.file else self.launch()
        if kernel.around != "device-function":
            return launch + self._template() + \
                self._signature(text, kernel.name) + body + ["}"]
        inner = kernel.top_names.fresh([kernel.name + "_body", "run_tiles"])
        call = inner + ("<%s>" % ", ".join(kernel.sizes)
                        if kernel.size_style == "template" else "")
        if self.templates:
            call = inner + self.templates.passed()
        arguments = ", ".join(p.name for p in kernel.parameters)
        return self._template() + self._signature(
            self.dice.pick(["static __device__ void", "__device__ void"]), inner) \
            + body + ["}", ""] + launch + self._template() + \
            self._signature(text, kernel.name) + \
            ["%s(%s);" % (call, arguments), "}"]

    def _host_lines(self):
        kernel = self.kernel
        if self.templates:
            return self.templates.host()
        if not self.dice.chance(0.5):
            self.dice.note("host-launch", False)
            return []
        self.dice.note("host-launch", True)
        grid = ", ".join(self._grid())
        block = ", ".join(str(b) for b in kernel.block)
        extra = ", %d" % kernel.dynamic_bytes() if kernel.dynamic_bytes() else ""
        arguments = ", ".join(p.name for p in kernel.parameters)
        return [""] + self._signature("void", "launch_" + kernel.name) + [
            "%s%s<<<dim3(%s), dim3(%s)%s>>>(%s);" % (
                kernel.name, self._arguments(), grid, block, extra, arguments),
            "}"]

    def lines(self):
        kernel = self.kernel
        middle = self._kernel_lines()
        helpers = []
        for helper in kernel.helpers:
            helpers += helper + [""]
        tops = self.templates.tops() if self.templates else []
        body = helpers + middle + self._host_lines()
        if kernel.linkage == "namespace":
            body = ["namespace %s {" % self.namespace(), ""] + body + ["", "}"]
        return self._headers() + self._global_sizes() + tops + body

    def namespace(self):
        return "tiled"

    def text(self):
        style = pick_style(self.dice)
        return render(self.lines(), style)

    def launch_file(self):
        """Descriptions that stand beside the source; empty: they are in it."""
        if not self.templates or not self.templates.file:
            return ""
        return "\n".join(self.launch()) + "\n"

    # --- launch description ----------------------------------------------------

    def _grid(self):
        kernel, found = self.kernel, []
        outputs = kernel.geometry.outputs
        for axis in reversed(outputs):
            count = "(%s + %d) / %d" % (axis.extent, axis.size - 1, axis.size)
            if kernel.around == "early-return" and axis is outputs[0]:
                count = "%s + 1" % count
            if kernel.around == "persistent" and axis is outputs[0]:
                count = "2"
            found.append(count)
        return found

    def _k_values(self):
        axis = self.kernel.geometry.axes["K"]
        values = [c * axis.size for c in COUNTS]
        if axis.guarded:
            ragged = [axis.grain, axis.size - axis.grain, axis.size + axis.grain,
                      3 * axis.size - axis.grain, 4 * axis.size + axis.grain]
            values += [v for v in ragged if v > 0]
        return sorted(set(values))

    def _extents(self, axis, large):
        if axis.guarded:
            return axis.size + axis.grain if large else axis.size - axis.grain
        return axis.size * (2 if large else 1)

    def _size_lines(self):
        kernel = self.kernel
        axes = kernel.geometry.axes
        k, lines = axes["K"], []
        small = self._k_values()
        for large, values in ((False, small), (True, [k.size, 3 * k.size, small[-1]])):
            parts = ["%s=%d" % (a.extent, max(self._extents(a, large), a.grain))
                     for a in kernel.geometry.outputs]
            parts.append("%s=%s" % (k.extent, ",".join(
                str(v) for v in sorted(set(values)))))
            if kernel.batch:
                parts.append("%s=%d" % (kernel.batch, 3 if large else 2))
            lines.append("//   sizes  " + " ".join(parts))
        if kernel.around == "persistent":
            parts = ["%s=%d" % (a.extent, a.size * (5 if i == 0 else 1))
                     for i, a in enumerate(kernel.geometry.outputs)]
            parts.append("%s=%d,%d" % (k.extent, k.size, 2 * k.size))
            lines.append("//   sizes  " + " ".join(parts))
        return lines

    def launch(self):
        """A description of each launch."""
        if not self.templates:
            return self._launch_of(self._arguments())
        lines = []
        for number in self.templates.described():
            lines += self._launch_of(self.templates.arguments(number))
        return lines

    def _launch_of(self, arguments):
        kernel = self.kernel
        name = kernel.name
        if kernel.linkage == "namespace":
            name = self.namespace() + "::" + name
        lines = ["// pipelinify: launch %s%s" % (name, arguments)]
        lines += self._size_lines()
        for stream in kernel.streams:
            if stream.ld:
                lines.append("//   let    %s = %s + %d" % (
                    stream.ld, stream.axes[-1].extent, stream.axes[-1].grain))
        if self.requires:
            lines.append("//   requires " + self.requires)
        lines.append("//   grid   " + ", ".join(self._grid()))
        block = kernel.block if kernel.block[1] > 1 else kernel.block[:1]
        lines.append("//   block  " + ", ".join(str(b) for b in block))
        if kernel.dynamic_bytes():
            lines.append("//   smem   %d" % kernel.dynamic_bytes())
        for parameter in kernel.parameters:
            lines.append("//   %s: %s" % (parameter.name, parameter.argument))
        return lines
