"""Statements between every two barriers of a tile loop.

They touch objects that are no tiles: arrays and numbers in shared memory, an array
in global memory. Without a race by construction: of each object, in each stretch
without a barrier, all threads read, or each keeps to a cell of its own, or one
thread alone writes, or all update atomically. Between two stretches anything goes,
and the barrier that lies there orders it. So a program stays legal where none of
its statements stands among the loads."""

from hazards import sum_of

MASK = "0xffff"


class Board:
    """An array with a cell a thread: `array` is how it is named."""

    def __init__(self, maker, array):
        self.maker, self.array = maker, array

    def start(self):
        return ["%s = %s;" % (self._cell(0), self.maker.tid)]

    def _cell(self, offset):
        tid, threads = self.maker.tid, self.maker.threads
        place = "(%s + %d) %% %d" % (tid, offset, threads) if offset else tid
        return "%s[%s]" % (self.array, place)

    def statements(self):
        """What one stretch does to it."""
        dice, echo = self.maker.dice, self.maker.echo
        mode = dice.pick(["reads", "reads", "own", "own", "nothing"])
        offset = self.maker.offset()
        cell, lines = self._cell(offset), []
        if mode == "reads":
            for _ in range(dice.pick([1, 1, 2])):
                lines += self.maker.read(self._cell(self.maker.offset()))
        elif mode == "own":
            lines += self.maker.read(cell) if dice.chance(0.5) else []
            lines += self.maker.write(cell, "%s + %d" % (echo, offset + 1))
        return lines


class Number:
    """A shared number: one thread sets it, or all add to it."""

    def __init__(self, maker, name):
        self.maker, self.name = maker, name

    def start(self):
        return ["if (%s == 0)" % self.maker.tid, "%s = 1;" % self.name]

    def statements(self):
        dice, maker = self.maker.dice, self.maker
        mode = dice.pick(["reads", "reads", "sets", "adds", "nothing"])
        if mode == "reads":
            return maker.read(self.name)
        if mode == "sets":
            who = dice.pick([0, 1, maker.threads - 1]) % maker.threads
            return ["if (%s == %d) {" % (maker.tid, who)] + \
                maker.write(self.name, "%s + 1" % maker.echo) + ["}"]
        if mode == "adds":
            return ["atomicAdd(&%s, %s & 3);" % (self.name, maker.tid)]
        return []


class Orders:
    """Adds such statements to a program with one loop."""

    def __init__(self, program):
        self.program, self.kernel = program, program.kernel
        self.dice, self.loop = program.dice, program.loops[0]
        self.tid, self.threads = "(%s)" % self.kernel.tid(), self.kernel.threads
        self.echo = ""
        self.helpers = {}

    def offset(self):
        return self.dice.pick([0, 0, 1, 7, self.threads // 2]) % self.threads

    # --- one access, written in one of several ways ----------------------------

    def _helper(self, name, text):
        if name not in self.helpers:
            fresh = self.kernel.top_names.fresh([name, name + "_cell"])
            self.kernel.helpers.append([text % fresh])
            self.helpers[name] = fresh
        return self.helpers[name]

    def read(self, cell):
        how = self.dice.pick(["plain", "plain", "pointer", "reference", "helper"])
        self.dice.note("order-access", how)
        value = cell
        if how == "pointer":
            return ["{", "const int *from = &%s;" % cell,
                    "%s = (%s * 3 + *from) & %s;" % (self.echo, self.echo, MASK), "}"]
        if how == "reference":
            return ["{", "const int &place = %s;" % cell,
                    "%s = (%s * 3 + place) & %s;" % (self.echo, self.echo, MASK), "}"]
        if how == "helper":
            value = "%s(&%s)" % (self._helper(
                "peek", "__device__ int %s(const int *p) { return *p; }"), cell)
        return ["%s = (%s * 3 + %s) & %s;" % (self.echo, self.echo, value, MASK)]

    def write(self, cell, value):
        how = self.dice.pick(["plain", "plain", "pointer", "reference", "helper"])
        self.dice.note("order-access", how)
        value = "(%s) & %s" % (value, MASK)
        if how == "pointer":
            return ["{", "int *to = &%s;" % cell, "*to = %s;" % value, "}"]
        if how == "reference":
            return ["{", "int &place = %s;" % cell, "place = %s;" % value, "}"]
        if how == "helper":
            return ["%s(%s, %s);" % (self._helper(
                "put", "__device__ void %s(int &place, int v) { place = v; }"),
                cell, value)]
        return ["%s = %s;" % (cell, value)]

    # --- objects ---------------------------------------------------------------

    def _shared(self, names, suffix=""):
        name = self.kernel.names.fresh(names)
        self.kernel.shared.append("__shared__ int %s%s;" % (name, suffix))
        self.kernel.symbols[name] = ("int", suffix)
        return name

    def _ledger(self):
        """A part of global memory for each block."""
        kernel, program = self.kernel, self.program
        grid = program._grid()
        blocks = " * ".join("(%s)" % g for g in grid)
        name = kernel.names.fresh(["ledger", "journal"])
        kernel.add_parameter(name, "int *", "inout [%s * %d]" % (
            blocks, self.threads), True)
        kernel.style_restrict = True
        block = "(blockIdx.y * gridDim.x + blockIdx.x)"
        mine = kernel.names.fresh(["mine", "page"])
        self.loop.pre.append("int *%s = %s + %s * %d;" % (mine, name, block,
                                                         self.threads))
        return mine

    def _objects(self):
        makers = [lambda: Board(self, self._shared(["board", "lanes", "notes"],
                                                   "[%d]" % self.threads)),
                  lambda: Number(self, self._shared(["tally", "beacon"])),
                  lambda: Number(self, self._shared(["leader", "mark"])),
                  lambda: Board(self, self._ledger())]
        self.dice.random.shuffle(makers)
        return [make() for make in makers[:self.dice.pick([1, 2, 2, 3])]]

    # --- stretches -------------------------------------------------------------

    def _stretch(self, objects):
        lines = []
        for thing in objects:
            lines += thing.statements()
        return lines

    def add(self):
        """False: the program is left as it was."""
        kernel, loop = self.kernel, self.loop
        if len(self.program.loops) != 1 or loop.loop.head or \
                kernel.around == "reuse":
            return False
        self.echo = kernel.names.fresh(["echo", "heard"])
        barrier = kernel.barrier()
        objects = self._objects()
        loop.pre += ["int %s = %s;" % (self.echo, self.tid), barrier]
        for thing in objects:
            loop.pre += thing.start()
        loop.pre.append(barrier)
        for _ in range(self.dice.pick([0, 1, 1, 1, 2])):
            loop.ahead += self._stretch(objects) + [barrier]
        # compute comes behind what is exchanged first, and before the rest
        loop.compute += self._stretch(objects)
        for _ in range(self.dice.pick([0, 0, 1])):
            loop.compute += [barrier] + self._stretch(objects)
        behind = [barrier] if loop.barrier_first else []
        behind += self._stretch(objects) if self.dice.chance(0.6) else []
        element = sum_of(kernel)
        self.program.after[:0] = behind + ["%s += %s & 255;" % (element, self.echo)]
        self.dice.note("orders", len(objects))
        self.program.qualify_pointers()
        return True
