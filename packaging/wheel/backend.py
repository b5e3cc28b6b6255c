#!/usr/bin/env python3
"""backend.py - makes the Python wheel, and is pip's build backend (PEP 517).

    backend.py write --program FILE --share DIR --out DIR [--objdump PROGRAM]

packs a program that is linked but for libc (packaging/wheel.cmake) with the
package of packaging/python, and prints the wheel's path. `pip install .`, which
is what pre-commit does with a repository, comes by build_wheel: where the
registry, or PIP_FIND_LINKS, has the wheel of this very source, that one is taken
and nothing is compiled; else build.sh makes it.

Needs: Python 3.8, objdump; for build.sh what README.md names. Gives: a wheel.
Raises: SystemExit with what is missing.
"""
import argparse
import base64
import glob
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What a wheel is made of.
SOURCES = ("CMakeLists.txt", "LICENSE", "README.md", "docs", "packaging",
           "pyproject.toml", "rewriter", "src", "templates", "tools")
# Those of glibc: what else the program needs has to be inside.
OF_LIBC = re.compile(r"(libc|libm|libdl|libpthread|librt|ld-linux[^.]*)\.so\.\d+$")
# Whose code is inside; Debian's packages have the terms.
LINKED = ("libisl-dev", "libgmp-dev", "libpcre2-dev", "libjansson-dev",
          "libinih-dev", "nettle-dev")
METADATA = """\
Metadata-Version: 2.1
Name: pipelinify
Version: {version}
Summary: software-pipelines the tile loops of CUDA kernels
License: MIT
Requires-Python: >=3.8
Requires-Dist: libclang>=17
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Topic :: Software Development :: Code Generators
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

{readme}"""


def read(*names, mode="r"):
    with open(os.path.join(ROOT, *names), mode) as file:
        return file.read()


def version():
    return re.search(r"project\(pipelinify VERSION ([0-9.]+)",
                     read("CMakeLists.txt")).group(1)


def files_below(path):
    """Relative to `path`, in one order everywhere; a file is itself."""
    if os.path.isfile(path):
        return [""]
    found = []
    for directory, folders, names in os.walk(path):
        folders[:] = [f for f in folders if f != "__pycache__"]
        found += [os.path.relpath(os.path.join(directory, n), path) for n in names]
    return sorted(found)


def source_digest():
    """Tells this source from every other one."""
    digest = hashlib.sha256()
    for source in SOURCES:
        for name in files_below(os.path.join(ROOT, source)):
            content = read(source, name, mode="rb") if name else read(source, mode="rb")
            digest.update(("%s/%s %d\n" % (source, name, len(content))).encode())
            digest.update(content)
    return digest.hexdigest()


# ---- the wheel --------------------------------------------------------------------


def glibc_of(program, objdump):
    """The tag of the oldest glibc that runs it, as (2, 34)."""
    said = subprocess.run([objdump, "-p", program], check=True, encoding="utf-8",
                          stdout=subprocess.PIPE).stdout
    others = [n for n in re.findall(r"NEEDED +(\S+)", said) if not OF_LIBC.match(n)]
    if others:
        raise SystemExit("%s needs %s beside libc" % (program, ", ".join(others)))
    # A version that a distribution's glibc has by no number would fit no tag.
    named = set(re.findall(r"GLIBC_(\S+)", said))
    if not all(re.fullmatch(r"[\d.]+", name) for name in named):
        raise SystemExit("%s needs %s of glibc" % (program, ", ".join(sorted(named))))
    return max(tuple(map(int, name.split(".")[:2])) for name in named)


def tag(program, objdump):
    return "py3-none-manylinux_%d_%d_%s" % (
        glibc_of(program, objdump) + (platform.machine(),))


class Wheel:
    """A zip file that lists what is in it, with the same bytes each time."""

    def __init__(self, path, info):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.info, self.record = info, []

    def add(self, name, content, mode=0o644):
        content = content.encode() if isinstance(content, str) else content
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = (0o100000 | mode) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(entry, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
        self.record.append("%s,sha256=%s,%d" % (
            name, digest.rstrip(b"=").decode(), len(content)))

    def add_file(self, name, path):
        with open(path, "rb") as file:
            self.add(name, file.read(), 0o755 if os.access(path, os.X_OK) else 0o644)

    def close(self):
        record = self.info + "/RECORD"
        self.record.append(record + ",,")
        self.add(record, "\n".join(self.record) + "\n")
        self.zip.close()


def add_package(wheel):
    package = os.path.join(ROOT, "packaging", "python")
    for name in files_below(package):
        if name == os.path.join("pipelinify", "__init__.py"):
            wheel.add(name, read(package, name).replace("@VERSION@", version()))
        else:
            wheel.add_file(name, os.path.join(package, name))


def add_terms(wheel):
    wheel.add_file(wheel.info + "/licenses/LICENSE", os.path.join(ROOT, "LICENSE"))
    for package in LINKED:
        terms = "/usr/share/doc/%s/copyright" % package
        if os.path.exists(terms):
            wheel.add_file("%s/licenses/%s" % (wheel.info, package), terms)
        else:
            print("the terms of %s are not in the wheel: no %s" % (package, terms),
                  file=sys.stderr)


def add_metadata(wheel, tags):
    wheel.add(wheel.info + "/METADATA",
              METADATA.format(version=version(), readme=read("README.md")))
    wheel.add(wheel.info + "/WHEEL", "Wheel-Version: 1.0\nGenerator: pipelinify\n"
              "Root-Is-Purelib: false\nTag: %s\n" % tags)
    wheel.add(wheel.info + "/entry_points.txt",
              "[console_scripts]\npipelinify = pipelinify._program:main\n")
    wheel.add(wheel.info + "/source.sha256", source_digest() + "\n")


def write(program, share, out, objdump="objdump"):
    """Returns the name of the wheel in `out`."""
    named = "pipelinify-" + version()
    tags = tag(program, objdump)
    os.makedirs(out, exist_ok=True)
    name = "%s-%s.whl" % (named, tags)
    wheel = Wheel(os.path.join(out, name), named + ".dist-info")
    add_package(wheel)
    wheel.add_file("pipelinify/bin/pipelinify", program)
    for file in files_below(share):
        wheel.add_file("%s.data/data/share/%s" % (named, file), os.path.join(share, file))
    add_terms(wheel)
    add_metadata(wheel, tags)
    wheel.close()
    return name


# ---- pip's build backend ----------------------------------------------------------


def is_of_this_source(path):
    with zipfile.ZipFile(path) as wheel:
        name = "pipelinify-%s.dist-info/source.sha256" % version()
        return (name in wheel.namelist()
                and wheel.read(name).decode().strip() == source_digest())


def fetch(out):
    """The wheel of this source that the registry has; None: it has none."""
    with tempfile.TemporaryDirectory() as scratch:
        # -I: the pip of the environment, which an isolated build hides.
        subprocess.run(
            [sys.executable, "-I", "-m", "pip", "download", "-q", "--no-deps",
             "--retries=1", "--only-binary=:all:", "-d", scratch,
             "pipelinify==" + version()],
            check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for path in glob.glob(os.path.join(scratch, "*.whl")):
            if is_of_this_source(path):
                return shutil.copy(path, out)
    return None


def compile_into(out):
    script = os.path.join(ROOT, "packaging", "wheel", "build.sh")
    if subprocess.run(["/bin/sh", script, out], check=False).returncode:
        raise SystemExit(
            "no wheel of this source in the registry, and it cannot be compiled"
            " here: see above, and README.md for what is needed")
    return max(glob.glob(os.path.join(out, "pipelinify-*.whl")), key=os.path.getmtime)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    del config_settings, metadata_directory
    return os.path.basename(fetch(wheel_directory) or compile_into(wheel_directory))


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("an archive of the repository is the source distribution")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["write"])
    parser.add_argument("--program", required=True)
    parser.add_argument("--share", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--objdump", default="objdump")
    asked = parser.parse_args()
    print(os.path.join(asked.out, write(asked.program, asked.share, asked.out,
                                        asked.objdump)))


if __name__ == "__main__":
    main()
