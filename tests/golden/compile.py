"""Compiles the accept cases with nvcc, original and rewritten.

The texts are those that accept.py compares with: each one compiles for sm_80,
that of `auto` for sm_90 as well where an architecture has a say in the kernel,
cp.async is in its PTX when the remarks say so, else only where the
original has it, and it gives no warning
of a wording that the original does not give (a statement that is written twice
says it twice). The instantiations that the launch descriptions run are compiled.
Most of nvcc's time goes into headers, so that a case is one file, each rewritten
text in a namespace of its own; where that does not compile, or hides a text,
they are compiled one by one.
Skipped where there is no nvcc.
"""
import os
import re
import shutil
import subprocess

import cases

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.M)
EXTERN_C = re.compile(r'\bextern\s*"C"')
FUNCTION = re.compile(r"\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)")
LAUNCHED = re.compile(r"^\s*//\s*pipelinify:\s*launch\s+(\w[\w:]*<.*>)\s*$", re.M)
WARNING = re.compile(r"warning.*")
ASYNC = re.compile(r"pipelined: (cp\.async|pipeline[\w-]*),")


# What is another text, or other instructions, for another architecture.
OF_ARCH = re.compile(r"__CUDA_ARCH__|\basm\b|wmma|half|bf16|bfloat16|fp8|cg::")


def find_nvcc():
    usual = "/usr/local/cuda/bin/nvcc"
    found = shutil.which("nvcc")
    return found or (usual if os.access(usual, os.X_OK) else None)


def is_warning(line):
    return "warning" in line and not line.startswith("Remark:")


class Compiled:
    """One text's share of what nvcc made: PTX, its kernels, its warnings."""

    def __init__(self, ptx, messages):
        self.ptx = ptx
        self.messages = messages
        self.entries = len(re.findall(r"\.entry\b", ptx))
        self.is_async = "cp.async" in ptx
        self.warnings = {WARNING.search(line).group()
                         for line in messages if is_warning(line)}


class Compiler:
    def __init__(self, nvcc, directory):
        self.nvcc = nvcc
        self.directory = directory

    def run(self, *words):
        return subprocess.run([self.nvcc, *words], cwd=self.directory,
                              capture_output=True, text=True,
                              errors="replace")

    def compile(self, name, arch):
        """PTX and the lines of messages; PTX is None where it does not compile.
        The PTX is assembled too: shared memory is counted there."""
        made = self.run(f"-arch={arch}", "-ptx", "-o", "k.ptx", name)
        if made.returncode:
            return None, made.stderr.splitlines()
        built = self.run(f"-arch={arch}", "-cubin", "-o", "k.cubin", "k.ptx")
        if built.returncode:
            return None, built.stderr.splitlines()
        ptx = (self.directory / "k.ptx").read_text(errors="replace")
        return ptx, (made.stderr + built.stderr).splitlines()


def namespace_of(name):
    return "text_" + re.sub(r"\W", "_", name)


def instantiate_launched(text):
    """Lines that name the instantiations which the launch descriptions run: a
    template that nothing names leaves nothing in the PTX."""
    named = sorted(set(LAUNCHED.findall(text)))
    return "".join(f"\nstatic const void *const launched_{i} = "
                   f"reinterpret_cast<const void *>(&{instance});\n"
                   for i, instance in enumerate(named))


def write_together(directory, names):
    """all.cu: what the texts include, and each of them in a namespace. There no
    function may be of C, which has one for all namespaces."""
    includes, parts = [], []
    for name in names:
        text = (directory / f"{name}.cu").read_text(errors="replace")
        includes += [line for line in INCLUDE.findall(text)
                     if line not in includes]
        (directory / f"{name}.inc").write_text(EXTERN_C.sub('extern "C++"',
                                                            text))
        parts += [f"namespace {namespace_of(name)} {{",
                  f'#include "{name}.inc"', "}"]
    (directory / "all.cu").write_text("\n".join(includes + parts) + "\n")


def share_ptx(ptx, names):
    """The PTX of each text's functions, by the namespace in their names."""
    marks = {name: f"{len(namespace_of(name))}{namespace_of(name)}"
             for name in names}
    shares = dict.fromkeys(names, "")
    at = [match.start() for match in FUNCTION.finditer(ptx)]
    for begin, end in zip(at, at[1:] + [len(ptx)]):
        function = FUNCTION.match(ptx, begin).group(2)
        for name in names:
            if marks[name] in function:
                shares[name] += ptx[begin:end]
    return shares


def compile_together(compiler, names, arch):
    """What came of each text; None where that can't be told."""
    ptx, messages = compiler.compile("all.cu", arch)
    if ptx is None:
        return None
    warned = [line for line in messages if is_warning(line)]
    results = {}
    for name, share in share_ptx(ptx, names).items():
        own = [line for line in warned if line.startswith(f"{name}.inc(")]
        warned = [line for line in warned if line not in own]
        results[name] = Compiled(share, own)
    entries = results["kernel"].entries
    clear = not warned and entries and \
        all(result.entries == entries for result in results.values())
    return results if clear else None


def compile_apart(compiler, names, arch, tally, case):
    results = {}
    for name in names:
        ptx, messages = compiler.compile(f"{name}.cu", arch)
        if ptx is None:
            tally.add(f"{case.name} {name} {arch}",
                      ["does not compile:", *messages])
        else:
            results[name] = Compiled(ptx, messages)
    return results


def problems_of(result, original, remarks):
    asynchronous = bool(ASYNC.search(remarks))
    problems = []
    # Asynchronous copies of the original's own may be plain ones now, or stay.
    if result.is_async != asynchronous and (asynchronous or not original.is_async):
        there = "is" if result.is_async else "is not"
        problems.append(f"cp.async {there} in the PTX")
    new = result.warnings - original.warnings
    if new:
        problems += ["new warnings:", *sorted(new)]
    return problems


def text_of_auto(case):
    if (case / "expected.auto.cu").exists():
        return "auto"
    remarks = (case / "expected.auto.remarks").read_bytes()
    return cases.chosen_by_auto(case, remarks)


def check_texts(compiler, case, names, arch, tally):
    names = ["kernel", *names]
    write_together(compiler.directory, names)
    results = compile_together(compiler, names, arch) or \
        compile_apart(compiler, names, arch, tally, case)
    for name in names[1:]:
        if name in results and "kernel" in results:
            remarks = (case / f"expected.{name}.remarks").read_text()
            tally.add(f"{case.name} {name} {arch}", problems_of(
                results[name], results["kernel"], remarks))


def check_case(box, nvcc, case, tally):
    compiler = Compiler(nvcc, box.directory)
    names = []
    for path in sorted(case.glob("expected.*.cu")):
        names.append(path.stem.removeprefix("expected."))
        shutil.copy(path, box.directory / f"{names[-1]}.cu")
    for name in ["kernel", *names]:
        path = box.directory / f"{name}.cu"
        text = path.read_text(errors="replace")
        path.write_text(text + instantiate_launched(text))
    check_texts(compiler, case, names, "sm_80", tally)
    text = (case / "kernel.cu").read_text(errors="replace")
    if OF_ARCH.search(text) and text_of_auto(case):
        check_texts(compiler, case, [text_of_auto(case)], "sm_90", tally)


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
