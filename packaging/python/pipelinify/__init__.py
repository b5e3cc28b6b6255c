"""pipelinify software-pipelines the tile loops of CUDA kernels.

    import pipelinify

    done = pipelinify.rewrite(source, arch="sm_90", defines={"TILE": 32})
    for remark in done.remarks:
        print(remark)
    module = cupy.RawModule(code=done.text)   # or NVRTC, or torch's load_inline

The text that comes back computes the same bits; a loop for which that cannot be
shown stays as it is, byte for byte, and its remark says why. No CUDA toolkit and
no GPU is needed.
"""
from __future__ import annotations

__version__ = "@VERSION@"
__all__ = ["Error", "NotRewritten", "Remark", "Rewrite", "rewrite"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._rewrite import Error, NotRewritten, Remark, Rewrite, rewrite


# Only who asks waits for it: the command `pipelinify` comes by here too.
def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'pipelinify' has no attribute {name!r}")
    from . import _rewrite

    globals()[name] = value = getattr(_rewrite, name)
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(__all__))
