"""rewrite(): the program over a string.

Needs: _program.py; the JSON report of the program (docs/report.schema.json).
Gives: what `import pipelinify` offers. Raises: Error and NotRewritten.
"""
from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping, Sequence, Union

from . import _program

_Path = Union[str, "os.PathLike[str]"]
_Paths = Union[_Path, Iterable[_Path]]


@dataclass(frozen=True)
class Remark:
    """What became of one loop."""

    name: str  #: of the source, as rewrite() was told
    line: int  #: of the loop's own `for` or `while`, from 1
    column: int  #: in bytes, from 1
    kernel: str
    verdict: str  #: pipelined, kept, refused, suppressed, already-pipelined, ...
    id: str | None  #: of the reason, PL3001; None: it was pipelined
    message: str
    variant: str | None
    stages: int | None
    why: str | None  #: this variant
    at: tuple[int, int]  #: line and column of what stands in the way, or the loop's
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        said = {"pipelined": "tile loop pipelined"}.get(
            self.verdict, "loop not pipelined")
        ends = "" if self.id is None else f" [{self.id}]"
        at = f"{self.name}:{self.at[0]}:{self.at[1]}"
        lines = [f"{at}: in '{self.kernel}': {said}: {self.message}{ends}"]
        return "\n".join(lines + [f"  note: {note}" for note in self.notes])


@dataclass(frozen=True)
class Rewrite:
    """What rewrite() gives back."""

    text: str  #: of the source with its tile loops pipelined, or as it was
    rewritten: bool  #: the text is another one
    remarks: tuple[Remark, ...]  #: one for each loop that was looked at
    notes: tuple[str, ...]  #: what of the source was not seen, headers mostly
    report: dict[str, Any] = field(repr=False)  #: docs/report.schema.json's `file`


class Error(Exception):
    """Nothing came of it; the text of the exception is what the program said."""


class NotRewritten(Error):
    """No loop was pipelined where one had to be; the text says why, a remark a loop."""

    def __init__(self, message: str, remarks: tuple[Remark, ...] = ()) -> None:
        super().__init__(message)
        self.remarks = remarks


def rewrite(
    source: str,
    *,
    name: _Path | None = None,
    variant: str = "auto",
    stages: int | None = None,
    arch: str | int | None = None,
    includes: _Paths = (),
    defines: Mapping[str, object] | str | Iterable[str] = (),
    launches: str | Iterable[str] = (),
    kernels: str | Iterable[str] = (),
    block_threads: int | None = None,
    max_smem: int | None = None,
    assume_no_alias: bool = False,
    cuda_path: _Path | None = None,
    args: str | Sequence[str] = (),
    require: bool = False,
) -> Rewrite:
    """Software-pipelines the tile loops of a CUDA source.

    source           the text that NVRTC, cupy.RawModule or load_inline compiles
    name             what it is called in remarks; the includes, the `.pipelinify`
                     and the records beside that file hold then. Without a name
                     nothing of the disk is asked but `includes`
    variant          auto, ldg, ldg-single, cp.async or pipeline
    stages           of asynchronous copies, 2 to 8; None: the cost model's
    arch             "sm_90", "compute_90", "native" or 90; None: sm_80
    includes         directories of headers, as -I
    defines          {"TILE": 32, "FAST": None} or ["TILE=32", "FAST"], as -D: say
                     what the compiler will be told
    launches         launch descriptions (docs/launch.md): "sgemm<float, 16>", or
                     with lines such as "sgemm<float, 16>\\nblock 16, 16". They name
                     the instantiations of templates, which host code would
    kernels          only these; "regex:EXPR" for those that match
    block_threads    threads a block, where nothing in the source says it
    max_smem         bytes of static shared memory a block may take
    assume_no_alias  no store in a tile loop changes what it loads later
    cuda_path        a toolkit for kernels that need its headers; None: the usual one
    args             more flags, nvcc's or clang's
    require          raise NotRewritten where no loop is pipelined

    Raises Error where the source cannot be parsed at all or an option makes no
    sense, and NotRewritten where `require`, or a comment `// pipelinify: require`,
    is not met.
    """
    tail = _launch_comments(launches, source)
    options = _options(variant, stages, arch, kernels, block_threads, max_smem,
                       assume_no_alias, cuda_path)
    flags = _flags(includes, defines, args)
    with tempfile.TemporaryDirectory(prefix="pipelinify-") as scratch:
        if name is None:
            path, called = os.path.join(scratch, "kernel.cu"), "kernel.cu"
            options += ["--no-config", "--no-record", "-p", scratch]
            with open(os.path.join(scratch, "compile_commands.json"), "w") as none:
                none.write("[]")
        else:
            path = called = os.fspath(name)
        report = os.path.join(scratch, "report.json")
        code, text, said = _run(source + tail, path, report, options, flags)
        said = said.replace(scratch + os.sep, "")
        file = _file_of(report)
    if code not in (0, 1) or file is None or file.get("error"):
        raise Error(said or (file or {}).get("error") or f"exit code {code}")
    if not text.endswith(tail):
        raise Error("the launch descriptions did not stay at the end of the source")
    text = text[: len(text) - len(tail)] if tail else text
    remarks = tuple(_remarks(file, called))
    if code == 1 or require and text == source:
        raise NotRewritten("\n".join(map(str, remarks)) or said
                           or f"{called}: no tile loop found", remarks)
    notes = tuple(note["message"] for note in file.get("notes") or ())
    return Rewrite(text, text != source, remarks, notes, file)


def _words(one_or_many: str | Iterable[str]) -> list[str]:
    return [one_or_many] if isinstance(one_or_many, str) else list(one_or_many)


#: What a line of a launch description begins with (docs/launch.md).
_LAUNCH_LINE = re.compile(
    r"((sizes|target|let|requires|grid|block|smem|work)\b|\w+\s*:)")


def _launch_comments(launches: str | Iterable[str], source: str) -> str:
    """Behind the source, so that its lines keep their numbers."""
    text = ""
    for description in _words(launches):
        lines = [line.strip() for line in description.strip().splitlines()]
        head = re.sub(r"^launch\s+", "", lines[0]) if lines else ""
        kernel = re.match(r"(?:\w+::)*(\w+)\s*([<(].*)?$", head)
        if not kernel or not re.search(rf"\b{kernel[1]}\b", source):
            raise Error(f"launch description: the source has no kernel '{head}'")
        for line in lines[1:]:
            if not _LAUNCH_LINE.match(line):
                raise Error(f"launch description of '{head}': what is '{line}'?")
        text += f"\n\n// pipelinify: launch {head}\n"
        text += "".join(f"//   {line}\n" for line in lines[1:])
    return text


def _options(
    variant: str, stages: int | None, arch: str | int | None,
    kernels: str | Iterable[str], block_threads: int | None, max_smem: int | None,
    assume_no_alias: bool, cuda_path: _Path | None,
) -> list[str]:
    options = [f"--variant={variant}"]
    if arch is not None:
        options.append(f"-arch={'sm_' if str(arch)[:1].isdigit() else ''}{arch}")
    for option, value in (("stages", stages), ("block-threads", block_threads),
                          ("max-smem", max_smem)):
        if value is not None:
            options.append(f"--{option}={value}")
    if cuda_path is not None:
        options.append(f"--cuda-path={os.fspath(cuda_path)}")
    if assume_no_alias:
        options.append("--assume-no-alias")
    for kernel in _words(kernels):
        options += ["-k", kernel]
    return options


def _flags(includes: _Paths, defines: Mapping[str, object] | str | Iterable[str],
           args: str | Sequence[str]) -> list[str]:
    if isinstance(defines, Mapping):
        defines = [macro if value is None else f"{macro}={_macro_value(value)}"
                   for macro, value in defines.items()]
    if isinstance(includes, (str, os.PathLike)):
        includes = [includes]
    return ([f"-I{os.path.abspath(directory)}" for directory in includes]
            + [f"-D{define}" for define in _words(defines)] + _words(args))


def _macro_value(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def _run(source: str, path: str, report: str, options: list[str],
         flags: list[str]) -> tuple[int, str, str]:
    done = subprocess.run(
        [_program.path(), "-", "--assume-filename", path, "--report", report,
         "--color=never", *options, "--", *flags],
        input=source.encode("utf-8"), env=_program.environment(),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return (done.returncode, done.stdout.decode("utf-8"),
            done.stderr.decode("utf-8", "replace").strip())


def _file_of(report: str) -> dict[str, Any] | None:
    try:
        with open(report, encoding="utf-8") as opened:
            file: dict[str, Any] = json.load(opened)["files"][0]
            return file
    except (OSError, ValueError, LookupError):
        return None


def _remarks(file: dict[str, Any], name: str) -> Iterable[Remark]:
    for kernel in file["kernels"]:
        for loop in kernel["loops"]:
            if loop["verdict"] == "not-a-tile-loop":
                continue
            yield Remark(
                name, loop["line"], loop["column"], kernel["name"] or "",
                loop["verdict"], loop["id"], loop["message"] or "",
                loop["variant"], loop["stages"], loop["why"],
                (loop["at_line"] or loop["line"], loop["at_column"] or loop["column"]),
                tuple(note["message"] or "" for note in loop["notes"]))
