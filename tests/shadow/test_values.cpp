/* test_values.cpp - names, types, values and PTX, as the checker reads them. */
#include "pl_memory.h"
#include "pl_ptx.h"
#include "pl_setup.h"
#include "pl_value.h"

#include <cstdio>

static int failures;

static void same(int line, const std::string &got, const std::string &wanted) {
  if (got == wanted)
    return;
  printf("line %d: %s, should be %s\n", line, got.c_str(), wanted.c_str());
  failures++;
}
#define SAME(got, wanted) same(__LINE__, got, wanted)
#define EXPECT(condition) same(__LINE__, (condition) ? "" : #condition, "")

static std::string joined(const std::vector<std::string> &parts) {
  std::string text;
  for (auto &part : parts)
    text += part + ";";
  return text;
}

static void test_signatures() {
  pl::signature s = pl::signature_of("_Z8multiplyILi16EfEvPKT0_S2_PS0_i");
  SAME(s.name, "multiply<16, float>");
  SAME(s.last, "multiply");
  SAME(joined(s.parameters), "float const*;float const*;float*;int;");
  s = pl::signature_of("_ZN7physics6forcesEPK6float4PS0_i");
  SAME(s.name, "physics::forces");
  SAME(s.last, "forces");
  s = pl::signature_of("_ZN43_GLOBAL__N__d40d7796_10_program_cu_994fbd515countEPKhPii");
  SAME(s.name, "(anonymous namespace)::count");
  SAME(s.last, "count");
  s = pl::signature_of("__nv_static_32__d8191221_10_program_cu_994fbd51__Z5totalPKiPii");
  SAME(s.name, "total");
  s = pl::signature_of("gemm_tile");
  SAME(s.name, "gemm_tile");
  EXPECT(s.parameters.empty());
  s = pl::signature_of("_Z5countv");
  EXPECT(s.parameters.empty());
  s = pl::signature_of("_Z4takeIPFvifEEvT_Pi");
  SAME(joined(s.parameters), "void (*)(int, float);int*;");
}

static void test_names() {
  SAME(pl::plain_name("_ZN41_INTERNAL_d40d7796_10_program_cu_994fbd514biasE"),
       "_ZN41_INTERNAL_00000000_10_program_cu_000000004biasE");
  SAME(pl::plain_name("k_1234"), "k_1234");
  SAME(pl::plain_name(""), "");
}

static void test_types() {
  EXPECT(pl::is_pointer_type("float const*"));
  EXPECT(pl::is_pointer_type("const float *__restrict"));
  EXPECT(!pl::is_pointer_type("void (*)(int)"));
  EXPECT(!pl::is_pointer_type("Box<float *>"));
  SAME(pl::pointee("const float *__restrict"), "float");
  EXPECT(!pl::is_pointer_type("int"));
  EXPECT(!pl::is_pointer_type(""));
  SAME(pl::pointee("float const*"), "float");
  SAME(pl::pointee("const float *"), "float");
  SAME(pl::pointee("float const* const*"), "float *");
  EXPECT(pl::element_of("float4").is_plain);
  EXPECT(pl::element_of("float4").size == 4);
  EXPECT(pl::element_of("char4").is_plain == false);
  EXPECT(!pl::element_of("unsigned char").is_plain);
  EXPECT(pl::element_of("signed char").is_plain);
  /* eight bytes may be an address, whatever they are called */
  EXPECT(!pl::element_of("unsigned long long").is_plain);
  EXPECT(!pl::element_of("float *").is_plain);
  EXPECT(!pl::element_of("Problem").is_plain);
  EXPECT(!pl::element_of("void").is_plain);
}

static std::string value(const char *type, uint64_t bits) {
  unsigned char bytes[8];
  memcpy(bytes, &bits, sizeof bytes);
  return pl::value_text(pl::element_of(type), bytes);
}

static void test_values() {
  SAME(value("float", 0x3fc00000), "1.5");
  SAME(value("double", 0x3ff8000000000000), "1.5");
  SAME(value("__half", 0x3e00), "1.5");
  SAME(value("half", 0xbe00), "-1.5");
  SAME(value("half", 0x0001), "5.96046e-08");
  SAME(value("half", 0x7c00), "inf");
  SAME(value("__nv_bfloat16", 0x3fc0), "1.5");
  SAME(value("int", 0xffffffff), "-1");
  SAME(value("unsigned int", 0xffffffff), "4294967295");
  SAME(value("signed char", 0x80), "-128");
  SAME(value("short", 0x8000), "-32768");
  SAME(value("Problem", 0x12345678), "0x12345678");
}

static const char ptx_text[] =
    ".version 9.0\n"
    ".target sm_90\n"
    ".extern .func  (.param .b32 func_retval0) vprintf\n"
    "(\n\t.param .b64 vprintf_param_0,\n\t.param .b64 vprintf_param_1\n)\n;\n"
    ".visible .const .align 4 .b8 weights[256];\n"
    ".global .align 8 .u64 history;\n"
    ".global .attribute(.managed) .align 4 .f32 shared_by_all;\n"
    ".global .align 1 .b8 $str[3] = {37, 100, 0};\n"
    ".func  (.param .b64 func_retval0) _Z5grabsm(\n"
    "\t.param .b64 _Z5grabsm_param_0\n)\n{\n"
    "\tcall.uni (retval0), \n\tmalloc, \n\t(\n\tparam0\n\t);\n}\n"
    "\t// .globl\tfirst\n"
    ".visible .entry first(\n"
    "\t.param .u64 .ptr .align 1 first_param_0,\n"
    "\t.param .align 8 .b8 first_param_1[24],\n"
    "\t.param .f32 first_param_2,\n"
    "\t.param .u8 first_param_3\n"
    ")\n.maxntid 256\n.minnctapersm 2\n{\n"
    "\tst.global.f32 \t[%rd1], %f1;\n\tret;\n}\n"
    ".weak .entry second()\n{\n"
    "\tcall.uni (retval0), _Z5grabsm, (param0);\n"
    "\tsust.b.2d.b32.trap \t[%rd1, {%r1, %r2}], {%r3};\n}\n";

static void test_ptx() {
  std::istringstream in(ptx_text);
  pl::ptx_unit unit = pl::read_ptx(in);
  EXPECT(unit.found && unit.entries.size() == 2);
  auto &sizes = unit.entries["first"].parameters;
  EXPECT(sizes == std::vector<size_t>({8, 24, 4, 1}));
  auto &none = unit.entries["first"].effects;
  EXPECT(!none.surfaces && !none.calls && !none.heap && !none.launches);
  EXPECT(unit.entries["second"].parameters.empty());
  EXPECT(unit.entries["second"].effects.surfaces);
  EXPECT(unit.entries["second"].effects.calls);
  EXPECT(unit.functions.heap);
  std::string names;
  for (auto &v : unit.variables)
    names += v.first + v.second + ";";
  SAME(names, "history.u64;shared_by_all.f32;weights.b8;");
}

static void test_dynamic_bytes() {
  pl::kernel_row row = pl::read_kernel("k\t!513\tin:const float *");
  EXPECT(row.parameters.size() == 1 && pl::dynamic_bytes(row.dynamic, 200) == 513);
  row = pl::read_kernel("k\t!3 * ((smem + 127) / 128 * 128) + 1");
  EXPECT(pl::dynamic_bytes(row.dynamic, 200) == 769);
  EXPECT(pl::dynamic_bytes(pl::read_kernel("k\tn:int").dynamic, 200) == 200);
}

int main() {
  test_signatures();
  test_names();
  test_types();
  test_values();
  test_ptx();
  test_dynamic_bytes();
  return failures ? 1 : 0;
}
