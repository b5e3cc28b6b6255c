"""Whether asynchronous copies are made of fills in which a thread stores to a cell twice.

Makes kernels with random fills, runs each for some threads, bounds and block sizes, and
looks at what pipelinify says of it: a fill in which two stores of one thread met must not
be asynchronous. That it is not although none met is no failure: other numbers may do it.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import fills
import numbers_of_c as c

BOUNDS = (0, 1, 2, 3, 5, 40, 100, 130, 200, 700, 2000)
WIDTHS = (32, 7)


def stores_twice(statements, dice):
    """Whether some thread stores to a cell twice; None: no run is defined."""
    twice = None
    for bound in BOUNDS:
        for width in WIDTHS:
            memory = [dice.randrange(4) for _ in range(32)]
            for thread in range(0, width, 3):
                run = fills.Run({"t": (thread, "int"), "m": (bound, "int"),
                                 "width": (width, "unsigned"), "p": (thread, "int")},
                                memory)
                try:
                    run.run(statements)
                except (c.Undefined, fills.Leaves):
                    break
                twice = bool(twice) or len(set(run.cells)) != len(run.cells)
    return twice


def kernel(name, statements):
    return "\n".join((
        f"__global__ void {name}(const float *__restrict__ x,",
        "    const int *__restrict__ memory, float *__restrict__ y, int n, int m)",
        "{",
        f"    __shared__ float s[{fills.CELLS}];",
        "    const int t = threadIdx.x;",
        "    float sum = 0.0f;",
        "    for (int k = 0; k < n; ++k) {",
        "        int p = t;",
        *fills.lines_of(statements, "        "),
        "        __syncthreads();",
        "        for (int i = 0; i < 64; ++i)",
        "            sum += s[i] * (float)((i + t) & 7);",
        "        __syncthreads();",
        "    }",
        "    y[t] = sum;",
        "}", ""))


def make(count, dice):
    """So many (name, text, whether stores meet)."""
    made = []
    while len(made) < count:
        statements = fills.Maker(dice).statements(["t", "m", "p"], 0)
        twice = stores_twice(statements, dice)
        if twice is not None:
            name = f"fill{len(made)}"
            made.append((name, kernel(name, statements), twice))
    return made


def asynchronous(binary, text):
    """The kernels of which asynchronous copies are made, and all that it says."""
    with tempfile.TemporaryDirectory() as box:
        pathlib.Path(box, "kernel.cu").write_text(text)
        said = subprocess.run(
            [binary, "--cuda-path=", "--no-cache", "--variant=cp.async", "kernel.cu",
             "-o", "out.cu"], cwd=box, capture_output=True, text=True)
    return re.findall(r"in '(\w+)': tile loop pipelined", said.stderr), said.stderr


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="the program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60, help="kernels")
    options = parser.parse_args()
    made = make(options.count, random.Random(options.seed))
    text = "#include <cuda_runtime.h>\n\n" + "\n".join(t for _, t, _ in made)
    found, said = asynchronous(pathlib.Path(options.bin).resolve(), text)
    wrong = [(name, t) for name, t, twice in made if twice and name in found]
    for name, t in wrong:
        print(f"FAILED: {name} stores to a cell twice, and is asynchronous\n{t}")
    free = sum(not twice for _, _, twice in made)
    print(f"seed {options.seed}: {len(made)} fills, {free} of them without a meeting, "
          f"{len(found)} asynchronous, {len(wrong)} wrongly")
    if not found:
        print(f"FAILED: nothing is asynchronous\n{said}")
    sys.exit(1 if wrong or not found else 0)


if __name__ == "__main__":
    main()
