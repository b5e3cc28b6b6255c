"""What can go wrong where threads of a second layer load: mutate.py's edits for

    pipeline-partitioned  if (threadIdx.z == 1) { while (...) { acquire; copies;
                          commit; load_stage } return; } for (...) { wait; compute;
                          barrier; release; stage }

and for what stands around such a loop: statements that those threads pass over.
"""
import re

VARIANT = "pipeline-partitioned"
CALLS = {"acquire": r"\w+\.producer_acquire\(\);", "commit": r"\w+\.producer_commit\(\);",
         "wait": r"\w+\.consumer_wait\(\);", "release": r"\w+\.consumer_release\(\);",
         "order": r'asm volatile\("barrier\.sync 1, .*', "load-stage": r"load_stage = .*;",
         "stage": r"stage = .*;", "return": r"return;"}
PASSED = "if (threadIdx.z == 0)"


class Parts:
    """Where the parts of such a loop stand, by their own lines."""

    def __init__(self, loop):
        self.calls = {name: [i for i in range(loop.begin, loop.end)
                             if re.fullmatch(call, loop.lines[i].strip())]
                      for name, call in CALLS.items()}
        self.roles = next(i for i in range(loop.begin, loop.end)
                          if loop.lines[i].strip().startswith("if (threadIdx.z == 1)"))
        self.acquire, self.commit, self.wait, self.release = (
            self.calls[name][0] for name in ("acquire", "commit", "wait", "release"))
        self.make = next(i for i in range(loop.begin, self.roles)
                         if "cuda::make_pipeline(" in loop.lines[i])
        self.compute, self.computed = self.wait + 1, self.release - 1


def calls(loop, parts):
    for name, found in parts.calls.items():
        for n, i in enumerate(found):
            yield f"{name}-missing-{n + 1}", loop.without(i)
    yield "acquire-behind-copies", loop.moved(parts.acquire, parts.acquire + 1,
                                              parts.commit - 1)
    yield "commit-before-copies", loop.moved(parts.commit, parts.commit + 1,
                                             parts.acquire)
    yield "wait-behind-compute", loop.moved(parts.wait, parts.wait + 1, parts.computed)
    yield "release-before-compute", loop.moved(parts.release, parts.release + 1,
                                               parts.wait)
    for n, i in enumerate(parts.calls["order"]):
        block = " " * loop.indent(i) + "__syncthreads();"
        yield f"order-of-the-block-{n + 1}", loop.with_text({i: block})


def stages(loop, parts):
    last = loop.stages - 1
    for n in (0, last):
        yield f"literal-load-stage-{n}", loop.with_pattern(
            parts.acquire, parts.commit, r"\[load_stage\]", f"[{n}]")
        yield f"literal-stage-{n}", loop.with_pattern(
            parts.compute, parts.computed, r"\[stage\]", f"[{n}]")
    yield "stage-starts-at-1", loop.with_pattern(
        parts.roles, parts.wait, r"int stage = 0;", "int stage = 1;")
    yield "load-stage-starts-at-1", loop.with_pattern(
        parts.roles, parts.acquire, r"int load_stage = 0;", "int load_stage = 1;")
    # (One of fewer is right: those that load are then less far ahead.)
    more = loop.stages + 1
    yield f"pipeline-of-{more}-stages", loop.with_pattern(
        loop.begin, parts.make, r"thread_scope_block, \d+", f"thread_scope_block, {more}")


def flow(loop, parts):
    yield "copies-missing", loop.without(*range(parts.acquire + 1, parts.commit))
    step = loop.block_end(parts.roles) - 3
    yield "load-step-missing", loop.without(step)
    yield "all-load", loop.with_pattern(parts.roles, parts.roles + 1,
                                        r"threadIdx\.z == 1", "threadIdx.z >= 0")
    yield "none-loads", loop.with_pattern(parts.roles, parts.roles + 1,
                                          r"threadIdx\.z == 1", "threadIdx.z == 2")
    yield "too-few-producers", loop.with_pattern(
        parts.make, parts.make + 1, r"blockDim\.x \* blockDim\.y", "32")
    yield "no-producers-counted", loop.with_pattern(
        parts.make, parts.make + 1, r", blockDim\.x \* blockDim\.y", "")


def passed(loop):
    for i in range(loop.begin):
        if loop.lines[i].strip() == PASSED:
            yield f"not-passed-over-{i}", loop.without(i)


def roles(loop):
    parts = Parts(loop)
    yield from calls(loop, parts)
    yield from stages(loop, parts)
    yield from flow(loop, parts)
    yield from passed(loop)
