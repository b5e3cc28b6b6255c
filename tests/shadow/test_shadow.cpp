/* test_shadow.cpp - the checker over a pretended driver: what it finds, what it
 * leaves behind, what it names.
 *
 *   test_shadow DIR NAME: one test in its own process; DIR is the checker's */
#include "fake_cuda.h"
#include "pl_shadow_abi.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

static pl_shadow_run_function *shadow_run;
static int failures;

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("line %d: not so: %s\n", __LINE__, #condition);                   \
      failures++;                                                              \
    }                                                                          \
  } while (0)

enum { N = 300 };
static float *in, *out;
static long runs; /* of the original */

static float *pointer(void **arguments, int i) {
  return *(float **)arguments[i];
}

static void twice(void **a) {
  runs++;
  for (int i = 0; i < N; i++)
    pointer(a, 1)[i] = 2 * pointer(a, 0)[i];
}
static void twice_rewritten(void **a) {
  long before = runs;
  twice(a);
  runs = before;
}
static void twice_but_one(void **a) {
  twice_rewritten(a);
  pointer(a, 1)[17] = 1.5f;
  pointer(a, 1)[18] = 1.5f;
}
static void twice_and_input(void **a) {
  twice_rewritten(a);
  pointer(a, 0)[0] = -1;
}

static void *launched; /* the CUfunction at hand */

static int run_original(const pl_shadow_call *call) {
  return fake_launch(launched, call->arguments);
}

static int launch(void *function, int line, void **arguments,
                  int captures = 0) {
  pl_shadow_call call = {};
  call.version = PL_SHADOW_VERSION;
  call.line = line;
  call.captures = captures;
  call.function = launched = function;
  call.arguments = arguments;
  call.run = run_original;
  call.block[2] = 1;
  return shadow_run(&call);
}

static void fill() {
  in = (float *)fake_allocate(N * sizeof(float));
  out = (float *)fake_allocate(N * sizeof(float));
  for (int i = 0; i < N; i++)
    in[i] = (float)i;
}

/* The launch of a kernel whose rewritten form is `rewritten`. */
static void launch_twice(fake_kernel *rewritten, int times = 1) {
  fill();
  void *k = fake_program_kernel("_Z5twicePKfPf", twice);
  fake_rewritten_kernel("_Z5twicePKfPf", rewritten);
  void *arguments[] = {&in, &out};
  for (int i = 0; i < times; i++) {
    in[1] = (float)(i + 1);
    EXPECT(launch(k, 41, arguments) == 0);
  }
  for (int i = 2; i < N; i++)
    EXPECT(in[i] == (float)i && out[i] == 2 * (float)i);
  EXPECT(in[0] == 0 && out[1] == 2 * in[1]);
}

static void twice_by_layers(void **a) {
  if (fake_layers() == 2)
    twice_rewritten(a);
}
static void test_layers() { launch_twice(twice_by_layers); }

static void test_equal() { launch_twice(twice_rewritten); }
static void test_many() {
  launch_twice(twice_rewritten, 12);
  EXPECT(runs == 12);
}
static void test_differs() { launch_twice(twice_but_one); }
static void test_input() { launch_twice(twice_and_input); }

static void test_launch_failed() {
  fake_refuse_launches(701);
  launch_twice(twice_rewritten);
}

static void break_device(void **) { fake_break(700); }
static void test_crash() {
  launch_twice(break_device);
  EXPECT(!"reached");
}

static void hang(void **) { fake_never_ready(1); }
static void test_timeout() {
  launch_twice(hang);
  EXPECT(!"reached");
}

static void unsteady(void **a) {
  pointer(a, 1)[3] = (float)++runs;
}
static void test_nondeterministic() {
  fill();
  void *k = fake_program_kernel("_Z5twicePKfPf", unsteady);
  fake_rewritten_kernel("_Z5twicePKfPf", unsteady);
  void *arguments[] = {&in, &out};
  EXPECT(launch(k, 41, arguments) == 0);
}

static void test_unchanged() {
  fill();
  memset(in, 0, N * sizeof(float));
  void *k = fake_program_kernel("_Z5twicePKfPf", twice);
  fake_rewritten_kernel("_Z5twicePKfPf", twice_rewritten);
  void *arguments[] = {&in, &out};
  launch(k, 41, arguments);
}

static void test_captured() {
  fill();
  void *k = fake_program_kernel("_Z5twicePKfPf", twice);
  fake_rewritten_kernel("_Z5twicePKfPf", twice_but_one);
  void *arguments[] = {&in, &out};
  fake_capture(1);
  launch(k, 41, arguments);
  fake_capture(0);
  launch(k, 42, arguments, 1);
  EXPECT(runs == 2 && out[17] == 34);
}

/* A struct with two pointers and a hole, as an argument by value. */
struct problem {
  int n;
  const float *in;
  float *out;
};
static void by_struct(void **a) {
  problem *p = (problem *)a[0];
  for (int i = 0; i < p->n; i++)
    p->out[i] = p->in[i] + 1;
}
static void by_struct_wrong(void **a) {
  by_struct(a);
  ((problem *)a[0])->out[5] = 0;
}
static void test_struct() {
  fill();
  problem p = {N, in, out};
  void *k = fake_program_kernel("_Z4makeI7problemEvT_", by_struct);
  fake_rewritten_kernel("_Z4makeI7problemEvT_", by_struct_wrong);
  void *arguments[] = {&p};
  launch(k, 50, arguments);
  EXPECT(out[5] == 6);
}

/* Pointers in device memory, one of them to more pointers. */
static void by_pointers(void **a) {
  float ***outer = *(float ****)a[0];
  for (int i = 0; i < N; i++)
    (*outer)[1][i] = (*outer)[0][i] + 1;
}
static void by_pointers_wrong(void **a) {
  by_pointers(a);
  (**(float ****)a[0])[1][299] = 0;
}
static void test_pointers() {
  fill();
  float **inner = (float **)fake_allocate(2 * sizeof(float *));
  float ***outer = (float ***)fake_allocate(sizeof(float **));
  inner[0] = in, inner[1] = out, *outer = inner;
  void *k = fake_program_kernel("_Z4deepPPPf", by_pointers);
  fake_rewritten_kernel("_Z4deepPPPf", by_pointers_wrong);
  void *arguments[] = {&outer};
  launch(k, 60, arguments);
  EXPECT(out[299] == 300);
}

/* The same memory as numbers and as pointers: it is searched. */
static void test_mixed() {
  fill();
  float **inner = (float **)fake_allocate(2 * sizeof(float *));
  float ***outer = (float ***)fake_allocate(sizeof(float **));
  inner[0] = in, inner[1] = out, *outer = inner;
  void *k = fake_program_kernel("_Z5mixedPfPPPf", [](void **a) {
    by_pointers(a + 1);
  });
  fake_rewritten_kernel("_Z5mixedPfPPPf", [](void **a) {
    by_pointers_wrong(a + 1);
  });
  void *arguments[] = {&outer, &outer};
  launch(k, 61, arguments);
  EXPECT(out[299] == 300);
}

static void test_unknown_pointer() {
  fill();
  float *nowhere = (float *)0x700000000000;
  void *k = fake_program_kernel("_Z5twicePKfPf", [](void **) { runs++; });
  fake_rewritten_kernel("_Z5twicePKfPf", twice_rewritten);
  void *arguments[] = {&nowhere, &out};
  launch(k, 41, arguments);
  EXPECT(runs == 1);
}

/* An end that is only compared with. */
static void test_end_pointer() {
  fill();
  float *end = in + N;
  void *k = fake_program_kernel("_Z5twicePKfPf", [](void **) { out[0]++; });
  fake_rewritten_kernel("_Z5twicePKfPf", [](void **) { out[0]++; });
  void *arguments[] = {&end, &out};
  launch(k, 41, arguments);
  EXPECT(out[0] == 1);
}

/* Both arguments point into one allocation, one of them to its middle. */
static void test_shared_pool() {
  in = (float *)fake_allocate(2 * N * sizeof(float));
  out = in + N;
  in[2] = 2;
  void *k = fake_program_kernel("_Z5twicePKfPf", twice);
  fake_rewritten_kernel("_Z5twicePKfPf", [](void **a) {
    twice_rewritten(a);
    pointer(a, 0)[2] = 9;
  });
  void *arguments[] = {&in, &out};
  launch(k, 41, arguments);
  EXPECT(in[2] == 2 && out[2] == 4);
}

static int count = 5, count_twin = -7;
static void test_variable() {
  fill();
  fake_variable("counter", &count, &count_twin, sizeof count);
  void *k = fake_program_kernel("_Z5countv", [](void **) { count++; });
  fake_rewritten_kernel("_Z5countv", [](void **) { count_twin++; });
  launch(k, 70, nullptr);
  launch(k, 70, nullptr);
  EXPECT(count == 7);
}
static void test_variable_differs() {
  fake_variable("counter", &count, &count_twin, sizeof count);
  void *k = fake_program_kernel("_Z5countv", [](void **) { count++; });
  fake_rewritten_kernel("_Z5countv", [](void **) { count_twin += 2; });
  launch(k, 70, nullptr);
  EXPECT(count == 6);
}
static void test_variable_lost() {
  fake_variable("counter", nullptr, &count_twin, sizeof count);
  void *k = fake_program_kernel("_Z5countv", [](void **) { count++; });
  fake_rewritten_kernel("_Z5countv", [](void **) { count_twin++; });
  launch(k, 70, nullptr);
  EXPECT(count == 6);
}

/* Not among the rewritten kernels. */
static void test_other_kernel() {
  void *k = fake_program_kernel("_Z5otherv", [](void **) { runs++; });
  EXPECT(launch(k, 80, nullptr) == 0 && runs == 1);
}

static void test_surface() {
  void *k = fake_program_kernel("_Z5paintv", [](void **) { runs++; });
  fake_rewritten_kernel("_Z5paintv", [](void **) {});
  launch(k, 90, nullptr);
  EXPECT(runs == 1);
}

/* ---- several forms, timed -------------------------------------------------- */

static void twice_again(void **a) { twice_rewritten(a); }

/* It works on its own result: run on anything but what the launch found it would
 * leave something else. */
static void add_to(void **a) {
  runs++;
  for (int i = 0; i < N; i++)
    pointer(a, 1)[i] += pointer(a, 0)[i];
}
static void add_to_rewritten(void **a) { add_to(a); }
static void add_to_again(void **a) { add_to(a); }

static void launch_forms(fake_kernel *original, fake_kernel *first,
                         fake_kernel *second) {
  fill();
  fake_takes(original, 3), fake_takes(first, 2), fake_takes(second, 1.5f);
  void *k = fake_program_kernel("_Z5twicePKfPf", original);
  fake_rewritten_kernel("_Z5twicePKfPf", first);
  fake_second_kernel("_Z5twicePKfPf", second);
  void *arguments[] = {&in, &out};
  for (int i = 0; i < 7; i++) {
    in[1] = (float)(i + 1);
    EXPECT(launch(k, 41, arguments) == 0);
  }
}

static void test_forms() {
  launch_forms(twice, twice_rewritten, twice_again);
  for (int i = 2; i < N; i++)
    EXPECT(in[i] == (float)i && out[i] == 2 * (float)i);
  EXPECT(out[1] == 14);
}

static void test_forms_in_place() {
  launch_forms(add_to, add_to_rewritten, add_to_again);
  for (int i = 2; i < N; i++)
    EXPECT(out[i] == 7 * (float)i);
  EXPECT(out[1] == 28);
}

static void test_form_differs() {
  launch_forms(twice, twice_rewritten, twice_but_one);
  EXPECT(out[17] == 34 && out[1] == 14);
}

static int second_twin = -9;
static void test_form_variables() {
  fill();
  fake_variable("counter", &count, &count_twin, sizeof count);
  fake_takes([](void **) {}, 0);
  void *k = fake_program_kernel("_Z5countv", [](void **) { count++; });
  fake_rewritten_kernel("_Z5countv", [](void **) { count_twin++; });
  fake_second_kernel("_Z5countv", [](void **) { count_twin++, second_twin++; });
  for (int i = 0; i < 3; i++)
    launch(k, 70, nullptr);
  EXPECT(count == 8);
}

static const struct {
  const char *name;
  void (*run)();
} tests[] = {
    {"forms", test_forms},
    {"forms-in-place", test_forms_in_place},
    {"form-differs", test_form_differs},
    {"form-variables", test_form_variables},
    {"equal", test_equal},
    {"many", test_many},
    {"differs", test_differs},
    {"input", test_input},
    {"launch-failed", test_launch_failed},
    {"crash", test_crash},
    {"timeout", test_timeout},
    {"nondeterministic", test_nondeterministic},
    {"unchanged", test_unchanged},
    {"captured", test_captured},
    {"struct", test_struct},
    {"pointers", test_pointers},
    {"mixed", test_mixed},
    {"unknown-pointer", test_unknown_pointer},
    {"end-pointer", test_end_pointer},
    {"shared-pool", test_shared_pool},
    {"layers", test_layers},
    {"variable", test_variable},
    {"variable-differs", test_variable_differs},
    {"variable-lost", test_variable_lost},
    {"other-kernel", test_other_kernel},
    {"surface", test_surface},
};

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  void *library =
      dlopen((std::string(argv[1]) + "/pl_shadow.so").c_str(), RTLD_NOW);
  if (!library) {
    printf("%s\n", dlerror());
    return 2;
  }
  shadow_run = (pl_shadow_run_function *)dlsym(library, "pl_shadow_run");
  for (auto &test : tests)
    if (strcmp(test.name, argv[2]) == 0)
      test.run();
  return failures ? 1 : 0;
}
