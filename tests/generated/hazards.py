"""Hazards: each takes a legal program and spoils it in one place.

A hazard gives back the label of the program: the IDs that would name it. Some
programs that a tool may refuse and may also get right are labelled
`either`. None: this hazard does not fit the program."""
import re

from text import plus

NUMBERS = {"float", "double", "int", "unsigned", "long long"}
HAZARDS = []


def hazard(function):
    HAZARDS.append(function)
    return function


def plant(program):
    """Spoils the program with a hazard that fits; None where none does."""
    if len(program.loops) != 1:
        return None
    order = list(HAZARDS)
    program.dice.random.shuffle(order)
    for spoil in order[:8]:
        label = spoil(program, program.kernel, program.loops[0])
        if label:
            program.qualify_pointers()
            program.dice.note("hazard", spoil.__name__)
            return label
    return None


# --- what hazards share --------------------------------------------------


def sum_of(kernel):
    """One of the thread's sums."""
    outputs = kernel.geometry.outputs
    return kernel.acc + "[0]" * sum(a.per_thread > 1 for a in outputs)


def cell_of(program, kernel):
    """A cell of a tile for each thread, or nothing; with its type."""
    for stream in kernel.streams:
        if stream.element.tile in NUMBERS and stream.cells() >= kernel.threads:
            return program.flat_cell(stream, kernel.tid()), stream.element.tile
    return None, None


def same_type_source(kernel):
    """A source that the result's type may alias."""
    for stream in kernel.streams:
        if stream.element.source == kernel.sum_type:
            return stream
    return None


def add_pointer(kernel, names, kind, count):
    name = kernel.names.fresh(names)
    return kernel.add_parameter(name, kind, "inout [%s]" % count, True)


def shared_number(kernel, names):
    name = kernel.names.fresh(names)
    kernel.shared.append("__shared__ int %s;" % name)
    kernel.symbols[name] = ("int", "")
    return name


def shift_loads(kernel, loop, shift):
    """Adds `shift` to the first address that is loaded from."""
    for number, line in enumerate(loop.load):
        for stream in kernel.streams:
            spot = re.search(r"(?<!\w)%s\[" % re.escape(stream.pointer), line)
            if spot:
                loop.load[number] = line[:spot.end()] + shift + " + " + \
                    line[spot.end():]
                return True
    return False


def has_own_barrier(loop):
    return any("sync" in line and "__shfl" not in line for line in loop.compute)


def exchanges_cells(kernel):
    """Threads read cells of a tile that other threads have filled."""
    outputs = {a.kind for a in kernel.geometry.outputs}
    return any(not outputs <= {a.kind for a in s.axes} for s in kernel.streams)


# --- memory -----------------------------------------------------------------


@hazard
def store_may_alias(program, kernel, loop):
    if not same_type_source(kernel):
        return None
    loop.compute += program.store_result()
    program.never_restrict = True
    return "illegal:PL4002|PL4003"


@hazard
def restrict_by_default(program, kernel, loop):
    if not same_type_source(kernel):
        return None
    word = kernel.names.fresh(["RESTRICT", "NO_ALIAS", "APART"])
    kernel.helpers.insert(0, ["#ifndef " + word, "#define %s __restrict__" % word,
                              "#endif"])
    program.restrict_word = word
    loop.compute += program.store_result()
    return "illegal:PL4002|PL4003"


@hazard
def source_updated(program, kernel, loop):
    stream = same_type_source(kernel)
    if not stream:
        return None
    program.stored_sources.add(stream.source)
    loop.compute.append("%s[%s] = %s;" % (stream.source, kernel.tid(),
                                         sum_of(kernel)))
    return "illegal:PL4003|PL4002"


@hazard
def atomic_to_source(program, kernel, loop):
    stream = same_type_source(kernel)
    if not stream or kernel.sum_type == "long long":
        return None
    program.stored_sources.add(stream.source)
    loop.compute.append("atomicAdd(&%s[%s], %s);" % (
        stream.source, kernel.tid(), sum_of(kernel)))
    return "illegal:PL4003|PL4002|PL2009"


@hazard
def store_in_load_phase(program, kernel, loop):
    progress = add_pointer(kernel, ["progress", "log_"], "int *", "64")
    loop.load += ["if (%s == 0)" % kernel.tid(),
                  "%s[blockIdx.x] = 1;" % progress]
    return "illegal:PL4005|PL4002|PL4003"


@hazard
def tile_written(program, kernel, loop):
    cell, _ = cell_of(program, kernel)
    if not cell:
        return None
    loop.compute[:0] = ["%s *= 2;" % cell, kernel.barrier()]
    return "either"


@hazard
def tile_atomic(program, kernel, loop):
    cell, kind = cell_of(program, kernel)
    if not cell or kind == "long long":
        return None
    loop.compute[:0] = ["atomicAdd(&%s, 1);" % cell, kernel.barrier()]
    return "either"


@hazard
def tile_read_in_load(program, kernel, loop):
    cell, kind = cell_of(program, kernel)
    if not cell:
        return None
    previous = kernel.names.fresh(["previous", "last_value", "old"])
    loop.load[:0] = ["const %s %s = %s;" % (kind, previous, cell)]
    loop.compute.append("%s += %s;" % (sum_of(kernel), previous))
    return "illegal:PL3002|PL2008|PL4001"


@hazard
def other_shared(program, kernel, loop):
    seen = shared_number(kernel, ["seen", "loaded", "n_done"])
    test = "if (%s == 0)" % kernel.tid()
    loop.pre += [test, "%s = 0;" % seen, kernel.barrier()]
    loop.load += [test, "%s += 1;" % seen]
    loop.compute.append("%s += %s;" % (sum_of(kernel), seen))
    return "illegal:PL3008|PL3001|PL3002"


@hazard
def exchanged_beside_loads(program, kernel, loop):
    """What a thread leaves among the loads, another one finds behind the barrier."""
    board = kernel.names.fresh(["handover", "mailbox"])
    size = "[%d]" % kernel.threads
    kernel.shared.append("__shared__ int %s%s;" % (board, size))
    kernel.symbols[board] = ("int", size)
    place = program.dice.pick(["%s", "(%s + 1) %% " + str(kernel.threads)])
    tid = kernel.tid()
    loop.load.append("%s[%s] = (int)%s & 7;" % (
        board, place % ("(%s)" % tid), sum_of(kernel)))
    loop.compute.append("%s += %s[%d - (%s)];" % (sum_of(kernel), board,
                                                 kernel.threads - 1, tid))
    return "illegal:PL3008|PL3001|PL3002|PL2008"


@hazard
def head_decides_loads(program, kernel, loop):
    """Ahead of the loads one thread says where the others load from."""
    if loop.loop.head:
        return None
    shift = shared_number(kernel, ["chosen", "detour"])
    if not shift_loads(kernel, loop, shift):
        return None
    loop.ahead += ["if (%s == 0)" % kernel.tid(),
                   "%s = %s > 1000 ? 1 : 0;" % (shift, sum_of(kernel)),
                   kernel.barrier()]
    return "illegal:PL4001|PL3008|PL2101"


@hazard
def head_reads_last_tile(program, kernel, loop):
    cell, _ = cell_of(program, kernel)
    if not cell or loop.loop.head:
        return None
    loop.ahead += ["%s += %s;" % (sum_of(kernel), cell), kernel.barrier()]
    return "illegal:PL2100|PL3001|PL3002"


@hazard
def rounds_of_some_threads(program, kernel, loop):
    """An outer loop that some threads leave a round earlier: their cells keep what
    the round before has left."""
    lines = loop.lines()
    if kernel.around != "plain" or loop.loop.live_out or any(
            re.match(r"\w+ [+-]= ", line) for line in lines):
        return None
    turn = kernel.names.fresh(["turn", "visit"])
    loop.pre.insert(0, "for (int %s = %s; %s < %d; %s += %d) {" % (
        turn, kernel.tid(), turn, kernel.threads * 3 // 2, turn, kernel.threads))
    program.after.insert(0, "}")
    return "either:PL3004|PL2002"


@hazard
def next_through_shared(program, kernel, loop):
    ahead = shared_number(kernel, ["ahead", "next_shift"])
    if not shift_loads(kernel, loop, ahead):
        return None
    test = "if (%s == 0)" % kernel.tid()
    loop.pre += [test, "%s = 0;" % ahead, kernel.barrier()]
    loop.compute += [test, "%s = %s > 1000 ? 1 : 0;" % (ahead, sum_of(kernel))]
    return "illegal:PL4001|PL3008|PL2101"


@hazard
def tile_address_stored(program, kernel, loop):
    stream = kernel.streams[0]
    slot = add_pointer(kernel, ["slot", "where"], stream.element.tile + " **", "1")
    loop.compute.append("*%s = (%s *)%s;" % (slot, stream.element.tile,
                                            stream.tile))
    return "illegal:PL3007|PL4002|PL4003"


@hazard
def tile_read_after(program, kernel, loop):
    cell, _ = cell_of(program, kernel)
    if not cell or kernel.tile_place == "inside-loop" or not kernel.single:
        return None
    if kernel.around == "batch" or kernel.guard == "bare":
        return None
    program.after[:0] = ["%s += %s;" % (kernel.acc, cell)] + (
        [kernel.barrier()] if kernel.around == "persistent" else [])
    if kernel.barrier_first:
        program.after.insert(0, kernel.barrier())
    program.requires = kernel.geometry.axes["K"].extent + " > 0"
    return "either:PL3006"


# --- dependences ---------------------------------------------------------------


@hazard
def address_from_compute(program, kernel, loop):
    shift = kernel.names.fresh(["shift", "skip", "jump"])
    if not shift_loads(kernel, loop, shift):
        return None
    loop.pre.append("int %s = 0;" % shift)
    loop.compute += ["if (%s > 1000)" % sum_of(kernel), "%s = 1;" % shift]
    return "illegal:PL4001"


@hazard
def value_from_compute(program, kernel, loop):
    for number, line in enumerate(loop.load):
        found = re.match(r"(\w+(?:\[[^=]*\])) = ([^?]*);$", line)
        if found and any(found.group(1).startswith(s.tile + "[") and
                         s.element.tile in NUMBERS and s.form == "elements"
                         for s in kernel.streams):
            loop.load[number] = "%s = %s + (%s > 1000);" % (
                found.group(1), found.group(2), sum_of(kernel))
            return "illegal:PL4001"
    return None


# --- the loop ------------------------------------------------------------------


@hazard
def conditional_barrier(program, kernel, loop):
    """The last tile needs none: the condition is the same for all threads. Or not."""
    ahead = plus(loop.loop.kpos, kernel.geometry.axes["K"].text)
    if loop.loop.kpos and not loop.loop.descending and not loop.loop.head and \
            kernel.around in ("plain", "early-return", "device-function") and \
            not kernel.barrier_first and program.dice.chance(0.5):
        loop.after_compute = ["if (%s < %s)" % (ahead, loop.loop.extent),
                              kernel.barrier()]
        return "either:PL2006"
    loop.after_compute = ["if (%s < %d)" % (kernel.tid(), kernel.threads // 2),
                          kernel.barrier()]
    return "illegal:PL2006"


@hazard
def leaves_midway(program, kernel, loop):
    how = program.dice.pick(["break;", "return;"])
    loop.compute += ["if (%s > 100000)" % sum_of(kernel), how]
    return "illegal:PL2003"


@hazard
def skips_the_barrier(program, kernel, loop):
    if not (loop.loop.inc and loop.loop.kpos):
        return None
    loop.compute[:0] = ["if (%s > 3)" % loop.loop.tile_number, "continue;"]
    return "illegal:PL2003|PL2006|PL2008"


@hazard
def ragged_trip_count(program, kernel, loop):
    found = re.match(r"(.*) (<|<=) .*$", loop.loop.cond)
    if not found:
        return None
    lengths = kernel.names.fresh(["lens", "lengths", "stops"])
    kernel.add_parameter(lengths, "int *", "in [%d]" % kernel.threads)
    limit = kernel.names.fresh(["limit", "my_end"])
    loop.pre.append("const int %s = %s[%s];" % (limit, lengths, kernel.tid()))
    loop.loop.cond = "%s %s %s" % (found.group(1), found.group(2), limit)
    return "illegal:PL2002"


@hazard
def missing_barrier(program, kernel, loop):
    if has_own_barrier(loop) or not exchanges_cells(kernel):
        return None
    if program.dice.chance(0.5):
        loop.before_compute = []
    else:
        loop.after_compute = []
    return "illegal:PL2008"


@hazard
def warp_barrier_only(program, kernel, loop):
    if has_own_barrier(loop) or not exchanges_cells(kernel):
        return None
    loop.before_compute = ["__syncwarp();"]
    return "illegal:PL2008"


@hazard
def fence(program, kernel, loop):
    where = program.dice.pick([loop.compute, loop.load])
    where.append(program.dice.pick(["__threadfence();", "__threadfence_block();"]))
    return "illegal:PL2009"


@hazard
def volatile_flag(program, kernel, loop):
    flag = add_pointer(kernel, ["ready", "flag"], "volatile int *", "1")
    loop.compute.append("%s += *%s;" % (sum_of(kernel), flag))
    return "illegal:PL2009"


@hazard
def step_mutated(program, kernel, loop):
    step = kernel.geometry.axes["K"].text
    advance = "+= " + step
    stride = kernel.names.fresh(["stride", "hop"])
    changed = loop.loop.inc.replace(advance, "+= " + stride, 1)
    if changed == loop.loop.inc:
        return None
    loop.loop.inc = changed
    loop.pre.append("int %s = %s;" % (stride, step))
    loop.tail.append("%s *= 2;" % stride)
    return "illegal:PL2001"


@hazard
def steps_in_the_body(program, kernel, loop):
    if not loop.loop.inc or loop.loop.descending:
        return None
    var = loop.loop.variable
    loop.tail += ["if (%s == %s)" % (var, kernel.geometry.axes["K"].text),
                  "%s += %s;" % (var, kernel.geometry.axes["K"].text)]
    return "illegal:PL2001"


@hazard
def condition_counts(program, kernel, loop):
    if not loop.loop.cond:
        return None
    rounds = kernel.names.fresh(["rounds", "tries"])
    loop.pre.append("int %s = 0;" % rounds)
    loop.loop.cond += " && %s++ < 100" % rounds
    return "illegal:PL2004"


@hazard
def condition_reads_memory(program, kernel, loop):
    if not loop.loop.cond:
        return None
    limit = add_pointer(kernel, ["limit", "budget"], "int *", "1")
    spent = add_pointer(kernel, ["spent", "usage"], "int *", "64")
    loop.loop.cond += " && *%s > 0" % limit
    loop.compute.append("%s[blockIdx.x] = 1;" % spent)
    program.never_restrict = True
    return "illegal:PL2005|PL4002|PL4003"


@hazard
def break_of_a_thread(program, kernel, loop):
    loop.loop.head[:0] = ["if (%s > 100000)" % kernel.tid(), "break;"]
    return "illegal:PL2002"


@hazard
def continue_of_a_thread(program, kernel, loop):
    if not loop.loop.inc:
        return None
    loop.loop.head[:0] = ["if (%s > 100000)" % kernel.tid(), "continue;"]
    return "illegal:PL2002"


@hazard
def counts_what_it_skips(program, kernel, loop):
    if not (loop.loop.inc and loop.loop.kpos):
        return None
    loop.loop.head[:0] = ["%s += 1;" % sum_of(kernel),
                          "if (%s == 3)" % loop.loop.tile_number, "continue;"]
    return "illegal:PL2003"


@hazard
def barrier_that_votes(program, kernel, loop):
    loop.before_compute = ["if (__syncthreads_or(%s > 1000))" % sum_of(kernel),
                           "%s = 0;" % sum_of(kernel)]
    return "illegal:PL2007"


@hazard
def named_barrier(program, kernel, loop):
    loop.before_compute = ['asm volatile("bar.sync 1, %d;" : : : "memory");'
                           % kernel.threads]
    return "illegal:PL2007|PL2010|PL2008"


@hazard
def asm_in_load(program, kernel, loop):
    stream = kernel.streams[0]
    loop.load[:0] = ['asm volatile("prefetch.global.L2 [%%0];" : : "l"(%s) '
                     ': "memory");' % stream.source]
    return "illegal:PL2010"


@hazard
def cells_vary(program, kernel, loop):
    # where the first tile is the last one by number, or others are passed over, it
    # may be one that is not loaded, and compute reads what nobody wrote
    if not loop.loop.kpos or loop.loop.descending or loop.loop.head:
        return None
    loop.load = ["if (%s %% 2 == 0) {" % loop.loop.tile_number] + loop.load + ["}"]
    return "either:PL3003|PL3004|PL4006"


# --- text ------------------------------------------------------------------------


@hazard
def unseen_call(program, kernel, loop):
    stream = kernel.streams[0]
    kind = stream.element.tile
    kernel.helpers.append(["extern __device__ void observe(%s *cells, int n);"
                           % kind])
    loop.compute[:0] = ["observe((%s *)%s, %d);" % (kind, stream.tile,
                                                  stream.cells())]
    return "illegal:PL4004|PL3007|PL3001|PL4002"


@hazard
def conditional_text(program, kernel, loop):
    where = program.dice.pick([loop.compute, loop.load])
    where += ["#if __CUDA_ARCH__ >= 800", "%s += 1;" % sum_of(kernel), "#endif"]
    return "either:PL1004"  # each build is rewritten by itself


@hazard
def left_out_by_default(program, kernel, loop):
    stream = same_type_source(kernel)
    if not stream:
        return None
    program.stored_sources.add(stream.source)
    word = kernel.names.fresh(["KEEP", "TRACE", "ONLY_IF_ASKED"])
    kernel.helpers.insert(0, ["#ifndef " + word, "#define %s(what)" % word, "#endif"])
    loop.compute.append("%s(%s[%s] = %s);" % (word, stream.source, kernel.tid(),
                                             sum_of(kernel)))
    return "illegal:PL1004"


@hazard
def counted_by_macros(program, kernel, loop):
    depth = program.dice.pick([1, 5, 12, 18, 25])
    words = ["COUNT%d" % i for i in range(depth)]
    lines = ["#define COUNT0 __COUNTER__"]
    lines += ["#define %s %s" % pair for pair in zip(words[1:], words)]
    kernel.helpers.insert(0, lines)
    loop.compute.append("%s += %s %% 5;" % (sum_of(kernel), words[-1]))
    return "illegal:PL2011"


@hazard
def undeclared_name(program, kernel, loop):
    if program.dice.chance(0.5):
        loop.compute.append("%s += correction_term;" % sum_of(kernel))
    else:
        loop.tail.append("%s += TILE_EXTRA;" % loop.loop.variable)
    return "illegal:PL1001"


@hazard
def macro_barrier(program, kernel, loop):
    kernel.helpers.append(["#define SYNC_BLOCK() __syncthreads()"])
    loop.before_compute = ["SYNC_BLOCK();"]
    return "either:PL1003"


@hazard
def lambda_before(program, kernel, loop):
    cell, kind = cell_of(program, kernel)
    if not cell or not kernel.single or kernel.tile_place == "inside-loop" or \
            kernel.guard == "bare":
        return None
    peek = kernel.names.fresh(["peek", "at", "own_cell"])
    loop.pre.append("auto %s = [&]() { return %s; };" % (peek, cell))
    loop.compute.append("%s += %s();" % (kernel.acc, peek))
    return "either:PL3009|PL3007"


@hazard
def pointer_before(program, kernel, loop):
    cell, kind = cell_of(program, kernel)
    if not cell or not kernel.single or kernel.tile_place == "inside-loop" or \
            kernel.guard == "bare":
        return None
    mine = kernel.names.fresh(["mine_ptr", "my_cell"])
    loop.pre.append("const %s *%s = &%s;" % (kind, mine, cell))
    loop.compute.append("%s += *%s;" % (kernel.acc, mine))
    return "either:PL3009|PL3007"
