"""sides.py BIN [CASE...]: do the loads and the compute of an accept case, each
alone, survive the compiler?

Of a bundle's three kernels (the original, its loads alone, its compute alone) the
machine code's tile loop is counted: loads alone has to load and store as much
between two barriers as the original, and compute nothing; compute alone has to
read the tiles and compute as much, and load nothing that fills them. Exit code
77 where nvcc or cuobjdump is missing."""

import concurrent.futures
import glob
import os
import pathlib
import re
import shutil
import site
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = ["gemm-bump-first", "wmma-64x64x16"]
FORMS = ["original", "loads-alone", "compute-alone"]
COMPUTE = {"FFMA", "DFMA", "HMMA", "IMMA"}
READS = {"LDS", "LDSM"}
INSTRUCTION = re.compile(
    r"^\s*/\*([0-9a-f]{4,})\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*)"
    r"[A-Z0-9_.]*([^;]*);", re.MULTILINE)


def tool(name):
    """Where a tool is: on the PATH, in the toolkit, in a Python package."""
    places = site.getsitepackages() + [site.getusersitepackages()]
    found = [shutil.which(name), f"/usr/local/cuda/bin/{name}"]
    for place in places:
        found += glob.glob(f"{place}/nvidia/cu*/bin/{name}")
    return next((f for f in found if f and os.access(f, os.X_OK)), None)


def functions(sass):
    """Name of each function and its instructions: address, opcode, operands."""
    for part in sass.split("Function : ")[1:]:
        yield part.split()[0], [
            (int(a, 16), op, rest) for a, op, rest in INSTRUCTION.findall(part)]


def tile_loop(code):
    """How often each opcode stands in the largest loop that has a barrier."""
    best = {}
    for at, op, rest in code:
        target = re.search(r"0x([0-9a-f]+)", rest) if op == "BRA" else None
        if not target or int(target[1], 16) >= at:
            continue
        counts = {}
        for address, opcode, _ in code:
            if int(target[1], 16) <= address <= at:
                counts[opcode] = counts.get(opcode, 0) + 1
        if "BAR" in counts and sum(counts.values()) > sum(best.values()):
            best = counts
    return best


def per_barrier(loop, opcodes):
    return sum(loop.get(op, 0) for op in opcodes) / loop["BAR"]


def disassemble(nvcc, cuobjdump, case, form, to):
    cubin = f"{to}/{case.name}.{form}.cubin"
    harness = case.parent.parent / "harness"
    flags = (case / "flags").read_text().split("\n")[:-1]
    subprocess.run(
        [nvcc, "-arch=sm_90", "-std=c++17", "-w", "-Dmain=pl_main",
         f"-I{harness}", *flags, "-cubin", "-o", cubin, f"{form}.cu"],
        cwd=case, check=True)
    dump = subprocess.run([cuobjdump, "-sass", cubin], check=True,
                          capture_output=True, text=True).stdout
    return {name: tile_loop(code) for name, code in functions(dump)}


def wrong(was, loads, compute):
    """What is missing in the two halves of one kernel."""
    if not (was and loads and compute):
        return ["no loop with a barrier"]
    wanted = [
        ("loads alone: loads", loads, {"LDG"}, per_barrier(was, {"LDG"})),
        ("loads alone: stores", loads, {"STS"}, per_barrier(was, {"STS"})),
        ("loads alone: compute", loads, COMPUTE, 0),
        ("compute alone: compute", compute, COMPUTE, per_barrier(was, COMPUTE)),
        ("compute alone: reads", compute, READS, per_barrier(was, READS)),
        ("compute alone: loads", compute, {"LDG"}, 0),
    ]
    return [f"{what} {per_barrier(loop, ops):g} a barrier, not {number:g}"
            for what, loop, ops, number in wanted
            if per_barrier(loop, ops) != number]


def check(nvcc, cuobjdump, case, to):
    with concurrent.futures.ThreadPoolExecutor() as pool:
        loops = list(pool.map(
            lambda form: disassemble(nvcc, cuobjdump, case, form, to), FORMS))
    failed = False
    for name, was in loops[0].items():
        for text in wrong(was, loops[1].get(name), loops[2].get(name)):
            print(f"FAILED: {case.name}: {name}: {text}")
            failed = True
    return failed


def main(program, *cases):
    nvcc, cuobjdump = tool("nvcc"), tool("cuobjdump")
    if not nvcc or not cuobjdump:
        print("skipped: no " + ("cuobjdump" if nvcc else "nvcc"))
        return 77
    with tempfile.TemporaryDirectory() as temp:
        bundle = pathlib.Path(temp) / "b"
        subprocess.run(["bash", ROOT / "tests/gpu/prepare.sh", program, bundle,
                        *(cases or CASES)], check=True, capture_output=True)
        failed = [check(nvcc, cuobjdump, case, temp)
                  for case in sorted((bundle / "cases").iterdir())]
    return int(any(failed))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
