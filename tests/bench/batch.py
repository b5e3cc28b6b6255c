#!/usr/bin/env python3
"""Measures runs over many files: the first one, one where nothing has changed,
one where a few have, one over files that hold no tile loop, with one process at
a time and with two; beside clang-format and clang-tidy on the same files. Not a
test: nothing fails.

    batch.py --bin build/release/pipelinify --count 1000 [--dir DIR]

The files are the kernels of testdata/accept over and over, each time with other
names for its kernels, macros and constants, 100 files a directory. Wall and CPU
seconds are those of all processes of a run; the peak is the largest process.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from run import ROOT, accepted, renamed

PLAIN = """#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

#define BLOCK_{n} 256

// y = a * x + y, a thread an element: no shared memory, no tiles.
__global__ void saxpy_{n}(int n, float a, const float *x, float *y) {{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}}

static float sum_{n}(const std::vector<float> &v) {{
  float sum = 0;
  for (float x : v)
    sum += x;
  return sum;
}}

void run_{n}(std::vector<float> &x, std::vector<float> &y) {{
  float *dx, *dy;
  size_t bytes = x.size() * sizeof(float);
  cudaMalloc(&dx, bytes);
  cudaMalloc(&dy, bytes);
  cudaMemcpy(dx, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(dy, y.data(), bytes, cudaMemcpyHostToDevice);
  saxpy_{n}<<<(x.size() + BLOCK_{n} - 1) / BLOCK_{n}, BLOCK_{n}>>>(
      x.size(), {n}.0f, dx, dy);
  cudaMemcpy(y.data(), dy, bytes, cudaMemcpyDeviceToHost);
  std::printf("%f\\n", sum_{n}(y));
  cudaFree(dx);
  cudaFree(dy);
}}
"""


def kernels():
    """Cases that need no other file."""
    for path in accepted():
        if not list(path.parent.glob("*.h")):
            yield path.read_text()


def write_tree(directory, count, text_of):
    shutil.rmtree(directory, ignore_errors=True)
    for i in range(count):
        below = directory / f"d{i // 100:03}"
        below.mkdir(parents=True, exist_ok=True)
        (below / f"k{i:05}.cu").write_text(text_of(i))


def files_of(directory):
    return [str(path) for path in sorted(directory.glob("*/*.cu"))]


class Bench:
    """Runs commands in a directory, with a cache of its own."""

    def __init__(self, program, directory, count, short):
        self.program, self.directory, self.count = program, directory, count
        self.short = short
        self.cache = directory / "cache"
        self.env = dict(os.environ, PIPELINIFY_CACHE_DIR=str(self.cache))
        self.env.pop("PIPELINIFY_NO_CACHE", None)

    def measure(self, command):
        start = time.perf_counter()
        with open(os.devnull, "wb") as sink:
            process = subprocess.Popen(command, stdout=sink, stderr=sink,
                                       env=self.env, cwd=self.directory)
            _, _, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def row(self, what, command, files=None):
        files = files or self.count
        wall, cpu, peak = self.measure(command)
        print(f"| {what} | {files} | {wall:.2f} | {cpu:.2f} | "
              f"{cpu * 1000 / files:.2f} | {peak:.0f} |")
        sys.stdout.flush()

    def ours(self, what, *arguments):
        self.row(what, [self.program, "-q", *arguments])


def parse_all(bench):
    for jobs in ("-j1", "-j2"):
        bench.ours(f"pipelinify {jobs}, no cache", "-n", "--no-cache", jobs,
                   "tree")


def cache(bench):
    """Filled by the first run, then used. What was changed is one in a
    hundred, and what is written is the same again."""
    bench.ours("pipelinify -j2, empty cache", "-n", "-j2", "tree")
    for jobs in ("-j1", "-j2"):
        bench.ours(f"pipelinify {jobs}, nothing changed", "-n", jobs, "tree")
    for path in files_of(bench.directory / "tree")[::100]:
        with open(path, "a") as out:
            out.write("// changed\n")
    bench.ours("pipelinify -j2, 1 % changed", "-n", "-j2", "tree")


def prefilter(bench):
    write_tree(bench.directory / "plain", bench.count,
               lambda i: PLAIN.format(n=i))
    for jobs in ("-j1", "-j2"):
        bench.ours(f"pipelinify {jobs}, no tile loops", "-n", jobs, "plain")


def in_place(bench):
    """The last: the files are other ones after it."""
    bench.ours("pipelinify -j2 -i, answers in the cache", "-i", "-j2", "tree")
    if bench.short:
        return
    for what in ("the files it wrote", "nothing changed"):
        bench.ours(f"pipelinify -j2 -i, {what}", "-i", "-j2", "tree")


def clang_format(bench, name):
    tool = shutil.which(name)
    if not tool:
        return
    copy = bench.directory / "formatted"
    shutil.copytree(bench.directory / "tree", copy)
    bench.row(f"{name} -i", [tool, "-i", *files_of(copy)])
    bench.row(f"{name} -i again", [tool, "-i", *files_of(copy)])


def clang_tidy(bench, name, sample):
    """One cheap check of some of the files: a process and a parse each."""
    tool = shutil.which(name)
    toolkit = "/usr/local/cuda"
    if not tool or not os.path.exists(toolkit):
        return
    supplement = bench.directory / "supplement"
    supplement.mkdir()
    (supplement / "texture_fetch_functions.h").write_text("")
    files = files_of(bench.directory / "tree")
    files = files[::max(1, len(files) // sample)][:sample]
    bench.row(f"{name}, one check",
              [tool, "--quiet", "-checks=-*,readability-else-after-return",
               *files, "--", "-x", "cuda", "--cuda-host-only", "-nocudalib",
               f"--cuda-path={toolkit}", "-isystem", str(supplement),
               "-isystem", f"{toolkit}/include/cccl"], len(files))


def disk(directory):
    blocks = sum(path.stat().st_blocks for path in directory.rglob("*"))
    return blocks * 512 / 2**20


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default=str(ROOT / "build/release/pipelinify"))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--dir", help="work there, and leave it")
    parser.add_argument("--short", action="store_true",
                        help="parse every file once only")
    parser.add_argument("--tidy-sample", type=int, default=50)
    parser.add_argument("--suffix", default="", help="of the clang tools: -19")
    args = parser.parse_args()
    directory = pathlib.Path(args.dir or tempfile.mkdtemp(prefix="pl_batch_"))
    directory = directory.resolve()
    pool = list(kernels())
    write_tree(directory / "tree", args.count,
               lambda i: renamed(pool[i % len(pool)], i))
    bench = Bench(os.path.realpath(args.bin), directory, args.count,
                  args.short)
    print("| run | files | wall s | CPU s | CPU ms a file | peak MiB |")
    print("|---|---|---|---|---|---|")
    if not args.short:
        parse_all(bench)
    cache(bench)
    prefilter(bench)
    clang_format(bench, "clang-format" + args.suffix)
    clang_tidy(bench, "clang-tidy" + args.suffix, args.tidy_sample)
    in_place(bench)
    print(f"\nthe cache: {disk(bench.cache):.1f} MiB")
    if not args.dir:
        shutil.rmtree(directory)


if __name__ == "__main__":
    main()
