#!/usr/bin/env python3
"""Measures the program beside clang-format on the same files: one file of 700
lines, 1,000 files in one command, and how both grow. Not a test: nothing fails.

The files are made of the kernels in testdata/accept, each renamed, so that a
file of 700 lines holds a dozen tile loops of all kinds.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def accepted():
    """The sources of all accept cases, by name."""
    return sorted((ROOT / "testdata" / "accept").glob("*/*/kernel.cu"),
                  key=lambda path: path.parent.name)


def kernels():
    """Texts that may stand in one file: nothing defined at file scope but the
    kernel, its macros and its constants."""
    for path in accepted():
        text = path.read_text()
        plain = not re.search(r"\b(namespace|template|using|struct|main|extern|"
                              r"typedef|class|enum)\b|__device__", text)
        if plain and len(re.findall(r"__global__", text)) == 1:
            yield text


def renamed(text, number):
    """The kernel and its macros under names of their own."""
    names = set(re.findall(r"#define\s+(\w+)", text))
    names |= set(re.findall(r"__global__[^(]*?(\w+)\s*\(", text))
    names |= set(re.findall(r"^(?:static\s+)?const(?:expr)? \w+ (\w+)", text,
                            re.M))
    names -= {"__launch_bounds__"}
    for name in names:
        text = re.sub(rf"\b{name}\b", f"{name}_{number}", text)
    return text


def file_of(lines):
    """Kernels until there are so many lines."""
    parts, count, number = [], 0, 0
    pool = list(kernels())
    while count < lines:
        part = renamed(pool[number % len(pool)], number)
        parts.append(part)
        count += part.count("\n")
        number += 1
    return "".join(parts)


def one_kernel(repeats):
    """One kernel whose compute phase has so many more statements."""
    extra = "".join(f"            sum += As[ty][{i % 16}] * Bs[{i % 16}][tx];\n"
                    for i in range(repeats))
    text = next(p for p in accepted() if p.parent.name == "sgemm-tile16").read_text()
    return text.replace("        for (int k = 0;", extra + "        for (int k = 0;", 1)


def measure(command, environment=None):
    """Wall and CPU seconds and peak MiB of one run."""
    start = time.perf_counter()
    with open(os.devnull, "wb") as sink:
        process = subprocess.Popen(command, stdout=sink, stderr=sink,
                                   env=environment)
        _, _, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(command, times):
    """The fastest of several runs."""
    return min(measure(command) for _ in range(times))


def best_of_edits(program, path, times):
    """The fastest of several runs with a cache, the file another one each time:
    no answer is known, the headers of the shim are."""
    figures, cache = [], tempfile.mkdtemp(prefix="pl_bench_cache_")
    environment = dict(os.environ, XDG_CACHE_HOME=cache)
    for _ in range(times + 1):
        path.write_text(path.read_text() + "\n")
        figures.append(measure([program, "-q", "--check", "--cuda-path=",
                                str(path)], environment))
    shutil.rmtree(cache)
    return min(figures[1:])


def row(what, tool, figures):
    wall, cpu, peak = figures
    print(f"{what:<28} {tool:<20} {wall * 1000:9.1f} {cpu * 1000:9.1f} "
          f"{peak:8.1f}")
    sys.stdout.flush()


def compare(what, program, files, times):
    row(what, "pipelinify",
        best([program, "-q", "--check", "--no-cache", "--cuda-path=",
              *files], times))
    if shutil.which("clang-format"):
        row(what, "clang-format", best(["clang-format", *files], times))


def write_many(directory, count):
    sources = accepted()
    files = []
    for i in range(count):
        path = directory / f"k{i:04}.cu"
        shutil.copy(sources[i % len(sources)], path)
        files.append(str(path))
    return files


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default=str(ROOT / "build/release/pipelinify"))
    program = os.path.realpath(parser.parse_args().bin)
    directory = pathlib.Path(tempfile.mkdtemp(prefix="pl_bench_"))
    try:
        print(f"{'':<28} {'':<20} {'wall ms':>9} {'CPU ms':>9} {'peak MiB':>8}")
        for lines in (700, 1400, 2800):
            path = directory / f"lines{lines}.cu"
            path.write_text(file_of(lines))
            what = f"one file, {lines} lines"
            row(what, "pipelinify, a cache", best_of_edits(program, path, 7))
            compare(what, program, [str(path)], 7)
        for repeats in (500, 1000, 2000):
            path = directory / f"kernel{repeats}.cu"
            path.write_text(one_kernel(repeats))
            compare(f"one kernel, {repeats} statements", program, [str(path)], 5)
        files = write_many(directory, 1000)
        for count in (250, 500, 1000):
            compare(f"{count} files", program, files[:count], 1)
    finally:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
