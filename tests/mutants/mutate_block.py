"""What can go wrong in a loop by a pipeline of the block: mutate.py's edits for the
forms in which threads wait for each other's stages, and at no barrier.

    pipeline-block    prologue loop; for (...) { acquire; copies; commit; wait;
                      compute; release }; the batches that are left
    pipeline-unified  for (...) { for (...) { acquire; copies; commit } wait; compute;
                      release }; the batches that are left
"""
import re

VARIANTS = ("pipeline-block", "pipeline-unified")
CALL = {"acquire": r"\w+\.producer_acquire\(\);", "commit": r"\w+\.producer_commit\(\);",
        "wait": r"\w+\.consumer_wait\(\);", "release": r"\w+\.consumer_release\(\);"}
STATE = re.compile(r"thread_scope_block, (\d+)> (\w+);")
STEP = re.compile(r"((\+\+|--)\w+|\w+(\+\+|--)|\w+ [-+*/]?= [^=].*);$")


class Parts:
    """Where the parts of such a loop stand."""

    def __init__(self, loop):
        self.calls = {name: [i for i in range(loop.begin, loop.epilogue)
                             if re.fullmatch(call, loop.lines[i].strip())]
                      for name, call in CALL.items()}
        self.wait, self.release = (self.calls[name][-1] for name in ("wait", "release"))
        self.state = next(i for i in range(loop.begin, loop.header)
                          if STATE.search(loop.lines[i]))
        self.make = next(i for i in range(loop.begin, loop.header)
                         if "cuda::make_pipeline(" in loop.lines[i])
        self.update = next(i for i in range(self.release, loop.header_end)
                           if re.match(rf"{loop.stage} \^?= ", loop.lines[i].strip()))


def calls(loop, parts):
    """One is missing, or stands on the wrong side of what it is for."""
    for name, found in parts.calls.items():
        for n, i in enumerate(found):
            yield f"{name}-missing-{n + 1}", loop.without(i)
    for n, (acquire, commit) in enumerate(zip(parts.calls["acquire"],
                                              parts.calls["commit"])):
        yield f"acquire-behind-copies-{n + 1}", loop.moved(acquire, acquire + 1,
                                                           commit - 1)
        yield f"commit-before-copies-{n + 1}", loop.moved(commit, commit + 1, acquire)
    yield "wait-behind-compute", loop.moved(parts.wait, parts.wait + 1,
                                            parts.release - 1)
    yield "release-before-compute", loop.moved(parts.release, parts.release + 1,
                                               parts.wait)
    left = range(loop.epilogue, loop.end)
    first = next(i for i in left if re.fullmatch(CALL["wait"], loop.lines[i].strip()))
    loops = loop.lines[first - 1].strip().startswith("for (")
    yield "left-batches-missing", loop.without(
        *range(first - loops, first + 2 + loops))


def stages(loop, parts):
    """Wrong buffers, and stages of the pipeline."""
    stage, last = loop.stage, loop.stages - 1
    for n in (0, last):
        yield f"literal-stage-{n}", loop.with_pattern(
            parts.wait, parts.release, rf"\[{stage}\]", f"[{n}]")
    yield "stage-starts-at-1", loop.with_pattern(
        loop.begin - 2, loop.header, rf"int {stage} = 0;", f"int {stage} = 1;")
    yield "stage-update-missing", loop.without(parts.update)
    yield "stage-wraps-early", loop.with_pattern(
        parts.update, parts.update + 1, rf"== {last} ", f"== {last - 1} ")
    place = (loop.header, parts.wait, rf"= {stage} (?:== 0 \? \d+ : \w+ - 1|\^ 1);")
    yield "copies-into-the-same-stage", loop.with_pattern(*place, f"= {stage};")
    yield "load-stage-update-missing", loop.with_pattern(
        loop.header, parts.wait, r"^\s*load_stage = load_stage .*$", "")
    for by in (-1, 1):
        yield f"pipeline-of-{loop.stages + by}-stages", loop.with_pattern(
            parts.state, parts.state + 1, r"thread_scope_block, \d+",
            f"thread_scope_block, {loop.stages + by}")


def flow(loop, parts):
    """How many tiles are ahead, guards, steps."""
    for n, acquire in enumerate(parts.calls["acquire"]):
        guard = loop.guard_of_fill(acquire, parts.calls["commit"][n])
        end = loop.block_end(guard)
        yield f"copies-unguarded-{n + 1}", loop.unguarded(guard)
        yield f"copies-missing-{n + 1}", loop.without(*range(guard, end + 1))
        if STEP.match(loop.lines[end - 1].strip()):
            yield f"advance-missing-{n + 1}", loop.without(end - 1)
    fetch = next((i for i in range(loop.begin, parts.wait)
                  if re.match(r"for \((int load_stage = 0)?; \w+ < \d+; ",
                              loop.lines[i].strip())), None)
    for by in (-1, 1) if fetch else ():
        yield (f"{'more' if by > 0 else 'fewer'}-ahead", loop.with_pattern(
            fetch, fetch + 1, r"< (\d+);",
            lambda found, by=by: f"< {int(found.group(1)) + by};"))
    yield "count-of-begun-missing", loop.with_pattern(
        parts.release, loop.header_end, r"^\s*--begun;$", "")


def ranges(loop, parts):
    """The block's copies of a range: too few bytes, from the next element on."""
    place = (loop.begin, parts.wait, r"(this_thread_block\(\), .*)(sizeof\(\w+\)) \*")
    yield "range-too-short", loop.with_pattern(*place, r"\1\2 / 2 *")
    for name, at in ("range-goes-elsewhere", r"\w+_stage(?:\[\w+\])+"), \
                    ("range-comes-from-elsewhere", r"&\w+\[[^,]*\]"):
        yield name, loop.with_pattern(loop.begin, parts.wait,
                                      rf"(memcpy_async\(.*this_thread_block\(\), .*?)({at})",
                                      r"\1\2 + 1")


def block(loop):
    parts = Parts(loop)
    for i in loop.barriers(loop.begin, parts.state):
        yield "entry-barrier-missing", loop.without(i)
    yield from calls(loop, parts)
    yield from stages(loop, parts)
    yield from ranges(loop, parts)
    yield from flow(loop, parts)
