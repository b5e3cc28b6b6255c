"""The program `pipelinify` that this package holds, and PyPI's libclang for it.

Needs: the package as the wheel installs it. Gives: where the program lies, the
environment that it runs in, and the entry point. Nothing slow is imported here:
each run of `pipelinify` waits for it.
"""
from __future__ import annotations

import os
import sys

LIBCLANG = "PIPELINIFY_LIBCLANG"


def path() -> str:
    """The program's file; raises FileNotFoundError where the package has none."""
    here = os.path.dirname(os.path.abspath(__file__))
    program = os.path.join(here, "bin", "pipelinify")
    if not os.access(program, os.X_OK):
        raise FileNotFoundError(
            program + " is missing: this is the package's source, not the installed"
            " wheel (packaging/wheel/build.sh makes one)")
    return program


def libclang() -> str | None:
    """The file of the package `libclang` from PyPI; None: it is not installed."""
    from importlib.util import find_spec

    spec = find_spec("clang")
    for directory in (spec and spec.submodule_search_locations) or ():
        file = os.path.join(directory, "native", "libclang.so")
        if os.path.isfile(file):
            return file
    return None


def environment() -> dict[str, str]:
    """This process's, and which libclang to load, unless that is said already."""
    variables = dict(os.environ)
    if not variables.get(LIBCLANG):
        file = libclang()
        if file:
            variables[LIBCLANG] = file
    return variables


def main() -> None:
    """Becomes the program: its arguments, streams and exit code are its own."""
    try:
        program = path()
        os.execve(program, ["pipelinify"] + sys.argv[1:], environment())
    except OSError as error:
        print("pipelinify: error: %s" % error, file=sys.stderr)
        sys.exit(2)
