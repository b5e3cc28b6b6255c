"""`import pipelinify` as it is installed (python.sh): texts, remarks, exceptions;
what comes back compiles with nvcc and with NVRTC where these are (PL_NVCC)."""
import ctypes
import glob
import inspect
import os
import subprocess
import sys
import tempfile
import typing
import unittest

import pipelinify

KERNEL = """
extern "C" __global__ void sgemm(const float *A, const float *B, float *C, int N)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int t = 0; t < N / TILE; ++t) {
        As[ty][tx] = A[row * N + t * TILE + tx];
        Bs[ty][tx] = B[(t * TILE + ty) * N + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * N + col] = sum;
}
"""
TEMPLATE = KERNEL.replace('extern "C" ', "template <typename T, int TILE> ").replace(
    "float", "T")
# C may be A.
REFUSED = KERNEL.replace("    }\n    C[", "        C[t] = sum;\n    }\n    C[")
TILE = {"TILE": 16}
NVCC = os.environ.get("PL_NVCC")


class Rewriting(unittest.TestCase):
    def test_text_and_remarks(self):
        done = pipelinify.rewrite(KERNEL, defines=TILE)
        self.assertTrue(done.rewritten)
        self.assertIn("As_stage[2][TILE][TILE]", done.text)
        (remark,) = done.remarks
        self.assertEqual(
            (remark.kernel, remark.verdict, remark.variant, remark.stages, remark.id),
            ("sgemm", "pipelined", "ldg", 2, None))
        self.assertEqual(KERNEL.splitlines()[remark.line - 1].strip()[:5], "for (")
        self.assertEqual(
            str(remark), "kernel.cu:9:5: in 'sgemm': tile loop pipelined: ldg, 2 stages,"
            " 2048 -> 4096 B shared")
        self.assertTrue(done.report["changed"])

    def test_options(self):
        done = pipelinify.rewrite(KERNEL, defines=["TILE=16"], variant="cp.async",
                                  stages=3, arch=90, args="-std=c++17")
        self.assertEqual(done.remarks[0].stages, 3)
        self.assertIn("cp.async, 3 stages", done.text)
        self.assertFalse(pipelinify.rewrite(KERNEL, defines=TILE, kernels="x").rewritten)
        self.assertFalse(pipelinify.rewrite(
            KERNEL, defines={"TILE": 16}, variant="ldg", max_smem=2100).rewritten)

    def test_launches(self):
        bare = pipelinify.rewrite(TEMPLATE)
        self.assertNotIn("2048", bare.remarks[0].message)
        for launch in ("sgemm<float, 16>", "launch sgemm<float, 16>\nblock 16, 16",
                       ["sgemm<float, 16>"]):
            done = pipelinify.rewrite(TEMPLATE, launches=launch)
            self.assertIn("2048 -> 4096", done.remarks[0].message)
            self.assertNotIn("launch", done.text)
            self.assertTrue(done.text.endswith("C[row * N + col] = sum;\n}\n"))
        self.assertEqual(
            pipelinify.rewrite(REFUSED, defines=TILE, launches="sgemm").text, REFUSED)

    def test_refused(self):
        done = pipelinify.rewrite(REFUSED, defines=TILE)
        self.assertFalse(done.rewritten)
        self.assertEqual(done.text, REFUSED)
        (remark,) = done.remarks
        self.assertEqual(remark.verdict, "refused")
        self.assertRegex(remark.id, r"^PL\d{4}$")
        self.assertIn("[" + remark.id + "]", str(remark))
        self.assertNotEqual(remark.at[0], remark.line)

    def test_bytes_survive(self):
        odd = KERNEL.replace("\n", "\r\n") + "// ü€"
        done = pipelinify.rewrite(odd, defines=TILE)
        self.assertTrue(done.text.endswith("}\r\n// ü€"))
        self.assertNotRegex(done.text, r"[^\r]\n")
        self.assertFalse(pipelinify.rewrite(done.text, defines=TILE).rewritten)

    def test_headers(self):
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "tile.h"), "w") as header:
                header.write("#define TILE 16\n")
            source = '#include "tile.h"\n' + KERNEL
            self.assertTrue(pipelinify.rewrite(source, includes=directory).rewritten)
            self.assertTrue(pipelinify.rewrite(source, includes=[directory]).rewritten)
            lost = pipelinify.rewrite(source)
            self.assertIn("'tile.h' is not found", lost.notes[0])
            # A name: what lies beside it holds.
            name = os.path.join(directory, "k.cu")
            self.assertEqual(pipelinify.rewrite(source, name=name).remarks[0].name, name)
            with open(os.path.join(directory, ".pipelinify"), "w") as config:
                config.write("[pipelinify]\nvariant = ldg-single\n")
            self.assertEqual(
                pipelinify.rewrite(source, name=name).remarks[0].variant, "ldg")
            self.assertEqual(os.listdir(directory).__len__(), 2)

    def test_exceptions(self):
        for options, said in (({"variant": "fast"}, "'fast' is no variant"),
                              ({"stages": 99}, "between 2 and 8"),
                              ({"arch": "sm_1"}, "no architecture"),
                              ({"launches": "other<1>"}, "no kernel 'other<1>'"),
                              ({"launches": "sgemm\nblok 3"}, "what is 'blok 3'")):
            with self.assertRaisesRegex(pipelinify.Error, said):
                pipelinify.rewrite(KERNEL, **options)
        with self.assertRaises(pipelinify.NotRewritten) as caught:
            pipelinify.rewrite(REFUSED, defines=TILE, require=True)
        self.assertRegex(str(caught.exception), r"loop not pipelined: .* \[PL\d{4}\]")
        self.assertEqual(len(caught.exception.remarks), 1)
        with self.assertRaises(pipelinify.NotRewritten):
            pipelinify.rewrite(REFUSED.replace("extern", "// pipelinify: require\nextern"),
                               defines=TILE)
        with self.assertRaisesRegex(pipelinify.NotRewritten, "no kernel"):
            pipelinify.rewrite("int x;\n", require=True)
        with self.assertRaisesRegex(pipelinify.NotRewritten, "undeclared.*PL1001"):
            pipelinify.rewrite(KERNEL, require=True)

    def test_types_and_words(self):
        hints = typing.get_type_hints(pipelinify.rewrite) if sys.version_info >= (
            3, 10) else pipelinify.rewrite.__annotations__
        parameters = inspect.signature(pipelinify.rewrite).parameters
        self.assertEqual(set(hints), set(parameters) | {"return"})
        for name in parameters:
            self.assertIn(name, pipelinify.rewrite.__doc__)
        package = os.path.dirname(pipelinify.__file__)
        self.assertTrue(os.path.exists(os.path.join(package, "py.typed")))
        self.assertRegex(pipelinify.__version__, r"^\d+\.\d+\.\d+$")


@unittest.skipUnless(NVCC, "no nvcc")
class Compiled(unittest.TestCase):
    def ptx(self, text, arch):
        with tempfile.TemporaryDirectory() as directory:
            source, made = (os.path.join(directory, n) for n in ("k.cu", "k.ptx"))
            with open(source, "w") as file:
                file.write(text)
            done = subprocess.run(
                [NVCC, "-ptx", "-arch=" + arch, "-DTILE=16", "-o", made, source],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            self.assertEqual(done.returncode, 0, done.stdout.decode())
            with open(made) as file:
                return file.read()

    def test_nvcc(self):
        done = pipelinify.rewrite(KERNEL, defines=TILE, variant="cp.async", stages=3)
        ptx = self.ptx(done.text, "sm_80")
        self.assertIn(".entry sgemm(", ptx)
        self.assertIn("cp.async", ptx)
        self.assertNotIn("cp.async", self.ptx(KERNEL, "sm_80"))


HOME = "/usr/local/cuda"


def find_nvrtc():
    for lib in glob.glob(os.path.join(HOME, "lib*", "libnvrtc.so")) + ["libnvrtc.so"]:
        try:
            return ctypes.CDLL(lib)
        except OSError:
            pass
    return None


NVRTC = find_nvrtc()


@unittest.skipUnless(NVRTC, "no NVRTC")
class RuntimeCompiled(unittest.TestCase):
    """As cupy.RawModule and the like have it."""

    def compile(self, text):
        program = ctypes.c_void_p()
        words = [b"--gpu-architecture=compute_80", b"-DTILE=16",
                 b"-I" + os.path.join(HOME, "include").encode()]
        options = (ctypes.c_char_p * len(words))(*words)
        self.assertEqual(0, NVRTC.nvrtcCreateProgram(
            ctypes.byref(program), text.encode(), b"k.cu", 0, None, None))
        code = NVRTC.nvrtcCompileProgram(program, len(words), options)
        size = ctypes.c_size_t()
        NVRTC.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        NVRTC.nvrtcGetProgramLog(program, log)
        self.assertEqual(code, 0, log.value.decode())
        NVRTC.nvrtcGetPTXSize(program, ctypes.byref(size))
        ptx = ctypes.create_string_buffer(size.value)
        NVRTC.nvrtcGetPTX(program, ptx)
        return ptx.value.decode()

    def test_every_variant(self):
        for variant in ("ldg", "ldg-single", "cp.async"):
            with self.subTest(variant):
                done = pipelinify.rewrite(KERNEL, defines=TILE, variant=variant)
                self.assertTrue(done.rewritten, done.remarks)
                self.assertIn(".entry sgemm(", self.compile(done.text))


if __name__ == "__main__":
    unittest.main()
