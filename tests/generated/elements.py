"""Element types: what a source holds, what a tile holds, and how to compute."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Element:
    name: str
    source: str                # type of the elements in global memory
    tile: str                  # type of the elements in shared memory
    sum: str                   # type that products are accumulated in
    zero: str                  # a tile element that is zero
    fill: str                  # a tile element that is not
    load: str = "{}"           # a source element on its way to the tile
    value: str = "{}"          # a tile element as a number
    vector: str = ""           # the vector type of a wide copy
    lanes: int = 1             # source elements in it
    vector_zero: str = ""
    needs: tuple = ()          # headers, struct, scalar parameter
    bytes: int = 4

    @property
    def plain(self):
        """Copied bit by bit."""
        return self.load == "{}" and self.source == self.tile


FP16 = "#include <cuda_fp16.h>"
BF16 = "#include <cuda_bf16.h>"
STDINT = "#include <stdint.h>"
POINT = "struct Point {\n  float x, y, z;\n  int kind;\n};"
PAIR = "struct Pair {\n  float value;\n  int key;\n};"

ELEMENTS = [
    Element("float", "float", "float", "float", "0.0f", "-1.0f",
            vector="float4", lanes=4,
            vector_zero="make_float4(0.0f, 0.0f, 0.0f, 0.0f)"),
    Element("double", "double", "double", "double", "0.0", "2.0",
            vector="double2", lanes=2, vector_zero="make_double2(0.0, 0.0)",
            bytes=8),
    Element("int", "int", "int", "int", "0", "7", vector="int4", lanes=4,
            vector_zero="make_int4(0, 0, 0, 0)"),
    Element("unsigned", "unsigned", "unsigned", "unsigned", "0u", "3u",
            vector="uint4", lanes=4, vector_zero="make_uint4(0, 0, 0, 0)"),
    Element("longlong", "long long", "long long", "long long", "0", "5",
            vector="longlong2", lanes=2, vector_zero="make_longlong2(0, 0)",
            bytes=8),
    Element("short", "short", "short", "int", "0", "-2", bytes=2),
    Element("half", "half", "half", "float", "__float2half(0.0f)",
            "__float2half(1.5f)", value="__half2float({})", vector="uint4",
            lanes=8, vector_zero="make_uint4(0, 0, 0, 0)", needs=(FP16,),
            bytes=2),
    Element("half-to-float", "half", "float", "float", "0.0f", "0.5f",
            load="__half2float({})", needs=(FP16,)),
    Element("bf16-to-float", "__nv_bfloat16", "float", "float", "0.0f", "1.0f",
            load="__bfloat162float({})", needs=(BF16,)),
    Element("int8-scaled", "int8_t", "float", "float", "0.0f", "1.0f",
            load="(float){} * scale", needs=(STDINT, "scale")),
    Element("uint8", "unsigned char", "unsigned char", "int", "0", "9",
            value="(int){}", bytes=1),
    Element("int8-to-int", "signed char", "int", "int", "0", "4",
            load="(int){}"),
    Element("float-scaled", "float", "float", "float", "0.0f", "1.0f",
            load="scale * {}", needs=("scale",)),
    Element("float-squared", "float", "float", "float", "0.0f", "1.0f",
            load="sqrtf(fabsf({}))"),
    Element("float2", "float2", "float2", "float", "make_float2(0.0f, 0.0f)",
            "make_float2(1.0f, -1.0f)", value="({0}.x * {0}.y)", bytes=8),
    Element("float4", "float4", "float4", "float",
            "make_float4(0.0f, 0.0f, 0.0f, 0.0f)",
            "make_float4(1.0f, 0.0f, 0.0f, 2.0f)",
            value="({0}.x + {0}.y * {0}.w)", bytes=16),
    Element("struct", "Point", "Point", "float", "Point{0.0f, 0.0f, 0.0f, 0}",
            "Point{1.0f, 2.0f, 3.0f, 4}",
            value="({0}.x * {0}.y + {0}.z * {0}.kind)", needs=(POINT,),
            bytes=16),
    Element("pair", "Pair", "Pair", "float", "Pair{0.0f, 0}", "Pair{9.0f, -1}",
            value="({0}.value * {0}.key)", needs=(PAIR,), bytes=8),
]

WEIGHTS = {"float": 9, "double": 2, "int": 3, "half": 2, "half-to-float": 2}
FLOATING = {"float", "double"}


def pick_element(dice):
    """An element type, the usual ones more often."""
    return dice.pick({e: WEIGHTS.get(e.name, 1) for e in ELEMENTS})


def sum_type(elements):
    """The type that holds products of all of these."""
    sums = [e.sum for e in elements]
    for wide in ("double", "float", "long long", "unsigned"):
        if wide in sums:
            return wide
    return "int"
