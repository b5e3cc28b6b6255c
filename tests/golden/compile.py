"""Compiles the accept cases with nvcc, original and rewritten.

sm_80 for every variant that applies, sm_90 for auto; cp.async is in the PTX
exactly when the variant says so, and the rewritten text gives no warning that
the original does not give. Skipped where there is no nvcc.
"""
import json
import os
import shutil
import subprocess

import cases


def find_nvcc():
    usual = "/usr/local/cuda/bin/nvcc"
    found = shutil.which("nvcc")
    return found or (usual if os.access(usual, os.X_OK) else None)


class Compiler:
    def __init__(self, nvcc, directory):
        self.nvcc = nvcc
        self.directory = directory

    def run(self, *words):
        return subprocess.run([self.nvcc, *words], cwd=self.directory,
                              capture_output=True, text=True,
                              errors="replace")

    def compile(self, name, arch):
        """PTX and messages; PTX is None where it does not compile. The PTX is
        assembled too: shared memory is counted there."""
        made = self.run(f"-arch={arch}", "-ptx", "-o", "k.ptx", name)
        if made.returncode:
            return None, made.stderr
        built = self.run(f"-arch={arch}", "-cubin", "-o", "k.cubin", "k.ptx")
        if built.returncode:
            return None, built.stderr
        ptx = (self.directory / "k.ptx").read_text(errors="replace")
        return ptx, made.stderr + built.stderr


def warnings(messages):
    return sum("warning" in line for line in messages.splitlines())


def check(compiler, name, arch, asynchronous, most_warnings):
    ptx, messages = compiler.compile(name, arch)
    if ptx is None:
        return [f"{name} does not compile for {arch}:", messages]
    problems = []
    if ("cp.async" in ptx) != asynchronous:
        there = "is" if "cp.async" in ptx else "is not"
        problems.append(f"cp.async {there} in the PTX for {arch}")
    if warnings(messages) > most_warnings:
        problems += [f"new warnings for {arch}:", messages]
    return problems


def variants_written(box, options):
    """The variants of the loops that were pipelined."""
    box.rewrite("-q", "--report=report.json", "-o", "out.cu", *options)
    report = json.loads((box.directory / "report.json").read_bytes())
    return {loop["variant"] for file in report["files"]
            for kernel in file["kernels"] for loop in kernel["loops"]
            if loop["verdict"] == "pipelined"}


def check_case(box, nvcc, case, tally):
    compiler = Compiler(nvcc, box.directory)
    ptx, messages = compiler.compile("kernel.cu", "sm_80")
    if ptx is None:
        tally.add(f"{case.name} original", ["does not compile:", messages])
        return
    had_async, had_warnings = "cp.async" in ptx, warnings(messages)
    for name, options in cases.case_variants(case).items():
        written = variants_written(box, options)
        if not written:
            continue
        asynchronous = had_async or "cp.async" in written
        for arch in ["sm_80", "sm_90"] if name == "auto" else ["sm_80"]:
            tally.add(f"{case.name} {name} {arch}",
                      check(compiler, "out.cu", arch, asynchronous,
                            had_warnings))


def main():
    args = cases.parse_command_line(__doc__, cases.ACCEPT)
    tally = cases.Tally()
    nvcc = find_nvcc()
    if not nvcc:
        tally.skip(f"{len(args.cases)} cases", "no nvcc")
        cases.end(tally)
    for case in args.cases:
        with cases.Sandbox(args.bin, case) as box:
            check_case(box, nvcc, case, tally)
    cases.end(tally)


main()
