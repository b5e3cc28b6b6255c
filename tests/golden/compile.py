"""Compiles the accept cases with nvcc, original and rewritten.

The texts are those that accept.py compares with: each one compiles for sm_80 (bulk
copies for sm_90 and sm_120),
that of `auto` for sm_90 as well where an architecture has a say in the kernel,
cp.async is in its PTX when the remarks say so, else only where the
original has it, it includes the header of what it calls, and it gives no warning
of a wording that the original does not give (a statement that is written twice
says it twice). The instantiations that the launch descriptions run are compiled.
Most of nvcc's time goes into headers, so that cases are compiled as one file, each
text in a namespace of its own and without the macros of the others; where that does
not compile, the cases with errors apart from the others; where it hides a text, half of
them at a time, and at last one by one. An nvcc
that can leaves out optimizations that take long; with --all it does not.
Skipped where there is no nvcc.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import cases

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b.*$", re.M)
EXTERN_C = re.compile(r'\bextern\s*"C"')
FUNCTION = re.compile(r"\.(entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)")
LAUNCHED = re.compile(r"^\s*//\s*pipelinify:\s*launch\s+(\w[\w:]*<.*>)\s*$", re.M)
WARNING = re.compile(r"warning.*")
ASYNC = re.compile(r"pipelined: (cp\.async|pipeline[\w-]*|barrier|bulk),")
ERROR = re.compile(r"(\w+)\.inc\(\d+\): error")
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
FAST = "-Ofc=mid"
# What a text has to include itself, since the others of one file do too.
HEADERS = {
    re.compile(r"\b__pipeline_(memcpy_async|commit|wait_prior)\b"):
        ("cuda_pipeline.h", "cuda_pipeline_primitives.h"),
    re.compile(r"\bcuda::(make_)?(pipeline|barrier|memcpy_async)\b"):
        ("cuda/pipeline", "cuda/barrier"),
}

# What is another text, or other instructions, for another architecture.
OF_ARCH = re.compile(r"__CUDA_ARCH__|\basm\b|wmma|half|bf16|bfloat16|fp8|cg::")


def find_nvcc():
    usual = "/usr/local/cuda/bin/nvcc"
    found = shutil.which("nvcc")
    return found or (usual if os.access(usual, os.X_OK) else None)


def is_warning(line):
    return "warning" in line and not line.startswith("Remark:")


def without_names(warning):
    """The text's own name is a part of others, and its lines are elsewhere."""
    return re.sub(r'"[^"]*"|line \d+', "...", warning)


class Compiled:
    """One text's share of what nvcc made: PTX, its kernels, its warnings."""

    def __init__(self, ptx, messages):
        self.ptx = ptx
        self.messages = messages
        self.entries = len(re.findall(r"\.entry\b", ptx))
        self.is_async = "cp.async" in ptx
        self.warnings = {without_names(WARNING.search(line).group())
                         for line in messages if is_warning(line)}


class Text:
    """One text of a case; `name` is that of its file, and one in all cases."""

    def __init__(self, case, form, text):
        self.case, self.form = case, form
        self.name = re.sub(r"\W", "_", f"{case.name}__{form}")
        self.text = text + instantiate_launched(text)
        self.namespace = f"text_{self.name}"
        self.mark = f"{len(self.namespace)}{self.namespace}"

    @property
    def is_original(self):
        return self.form == "kernel"


def texts_of(case, forms):
    def read(name):
        return (case / name).read_text(errors="replace")
    return [Text(case, "kernel", read("kernel.cu")),
            *(Text(case, form, read(f"expected.{form}.cu")) for form in forms)]


class Compiler:
    def __init__(self, nvcc, directory, options):
        self.nvcc = nvcc
        self.directory = directory
        self.options = options

    def run(self, *words):
        return subprocess.run([self.nvcc, *self.options, *words],
                              cwd=self.directory, capture_output=True, text=True,
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


def instantiate_launched(text):
    """Lines that name the instantiations which the launch descriptions run: a
    template that nothing names leaves nothing in the PTX."""
    named = sorted(set(LAUNCHED.findall(text)))
    return "".join(f"\nstatic const void *const launched_{i} = "
                   f"reinterpret_cast<const void *>(&{instance});\n"
                   for i, instance in enumerate(named))


def write_together(directory, texts):
    """all.cu: what the texts include, and each of them in a namespace. There no
    function may be of C, which has one for all namespaces."""
    includes, parts = [], []
    for text in texts:
        includes += [line for line in INCLUDE.findall(text.text)
                     if line not in includes]
        (directory / f"{text.name}.inc").write_text(
            EXTERN_C.sub('extern "C++"', text.text))
        parts += [f"namespace {text.namespace} {{",
                  f'#include "{text.name}.inc"', "}"]
        parts += [f"#undef {macro}" for macro in set(DEFINE.findall(text.text))]
    (directory / "all.cu").write_text("\n".join(includes + parts) + "\n")


def share_ptx(ptx, texts):
    """The PTX of each text's functions, by the namespace in their names."""
    shares = {text: "" for text in texts}
    at = [match.start() for match in FUNCTION.finditer(ptx)]
    for begin, end in zip(at, at[1:] + [len(ptx)]):
        function = FUNCTION.match(ptx, begin).group(2)
        for text in texts:
            if text.mark in function:
                shares[text] += ptx[begin:end]
    return shares


def blamed_cases(messages, texts):
    """Those in whose texts the errors are."""
    names = {found.group(1) for found in map(ERROR.match, messages) if found}
    return [text.case for text in texts if text.name in names]


def compile_together(compiler, texts, arch):
    """What came of each text, None where that can't be told; and whose fault that is,
    as far as it is known."""
    write_together(compiler.directory, texts)
    ptx, messages = compiler.compile("all.cu", arch)
    if ptx is None:
        return None, blamed_cases(messages, texts)
    warned = [line for line in messages if is_warning(line)]
    results = {}
    for text, share in share_ptx(ptx, texts).items():
        own = [line for line in warned
               if line.startswith(f"{text.name}.inc(") or text.mark in line]
        warned = [line for line in warned if line not in own]
        results[text] = Compiled(share, [line.replace(text.mark, "") for line in own])
    entries = {text.case: results[text].entries for text in texts if text.is_original}
    clear = not warned and all(entries.values()) and \
        all(results[text].entries == entries[text.case] for text in texts)
    return results if clear else None, []


def compile_apart(compiler, texts, arch, tally):
    results = {}
    for text in texts:
        (compiler.directory / f"{text.name}.cu").write_text(text.text)
        ptx, messages = compiler.compile(f"{text.name}.cu", arch)
        if ptx is None:
            tally.add(f"{text.case.name} {text.form} {arch}",
                      ["does not compile:", *messages])
        else:
            results[text] = Compiled(ptx, messages)
    return results


def compile_texts(compiler, of_cases, arch, tally):
    """`of_cases`: the texts of each case."""
    texts = [text for of_case in of_cases for text in of_case]
    results, blamed = compile_together(compiler, texts, arch)
    if results is not None:
        return results
    if len(of_cases) <= 1:
        return compile_apart(compiler, texts, arch, tally)
    first = [of_case for of_case in of_cases if of_case[0].case in blamed]
    if len(first) in (0, len(of_cases)):
        first = of_cases[:len(of_cases) // 2]
    rest = [of_case for of_case in of_cases if of_case not in first]
    return {**compile_texts(compiler, first, arch, tally),
            **compile_texts(compiler, rest, arch, tally)}


def missing_headers(text):
    included = "\n".join(INCLUDE.findall(text.text))
    return [f"calls {call.group()} and does not include {headers[0]}"
            for call, headers in ((word.search(text.text), headers)
                                  for word, headers in HEADERS.items())
            if call and not any(header in included for header in headers)]


def problems_of(text, result, original):
    remarks = (text.case / f"expected.{text.form}.remarks").read_text()
    asynchronous = bool(ASYNC.search(remarks))
    problems = missing_headers(text)
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


def check_texts(compiler, of_cases, arch, tally):
    results = compile_texts(compiler, of_cases, arch, tally) if of_cases else {}
    for original, *texts in of_cases:
        for text in texts:
            if text in results and original in results:
                tally.add(f"{text.case.name} {text.form} {arch}", problems_of(
                    text, results[text], results[original]))


def is_bulk(case, name):
    return "pipelined: bulk," in (case / f"expected.{name}.remarks").read_text()


def check_cases(compiler, of_cases, tally):
    texts = []
    for case in of_cases:
        for path in case.iterdir():
            if not path.name.startswith("expect") and path.is_file():
                shutil.copy(path, compiler.directory)
        texts.append((case, sorted(
            path.stem.removeprefix("expected.") for path in case.glob("expected.*.cu"))))
    check_texts(compiler, [texts_of(case, [n for n in names if not is_bulk(case, n)])
                           for case, names in texts], "sm_80", tally)
    bulk = [(case, [n for n in names if is_bulk(case, n)]) for case, names in texts]
    for arch in "sm_90", "sm_120":
        check_texts(compiler, [texts_of(case, names) for case, names in bulk if names],
                    arch, tally)
    check_texts(compiler, [texts_of(case, [text_of_auto(case)]) for case, _ in texts
                           if OF_ARCH.search((case / "kernel.cu").read_text(errors="replace"))
                           and text_of_auto(case)], "sm_90", tally)


def is_one_file(case):
    return not [path for path in case.iterdir() if path.name not in
                ("kernel.cu", "args", "variants") and not path.name.startswith("expect")]


def main():
    args = cases.parse_command_line(__doc__, cases.ACCEPT, [
        ("--all", "with all optimizations")])
    tally = cases.Tally()
    nvcc = find_nvcc()
    if not nvcc:
        tally.skip(f"{len(args.cases)} cases", "no nvcc")
        cases.end(tally)
    known = subprocess.run([nvcc, "--help"], capture_output=True, text=True).stdout
    options = [FAST] if not args.all and "--Ofast-compile" in known else []
    together = [case for case in args.cases if is_one_file(case)]
    apart = [[case] for case in args.cases if case not in together]
    for of_cases in [together, *apart]:
        with tempfile.TemporaryDirectory(prefix="pl_nvcc_") as directory:
            compiler = Compiler(nvcc, pathlib.Path(directory), options)
            check_cases(compiler, of_cases, tally)
    cases.end(tally)


main()
