/* pl_validate.cuh - the original and a rewritten form leave the same bits.
 *
 * On every set of sizes: the original twice (does it agree with itself?), then
 * the form, from the same inputs and the same poison. On the heaviest set many
 * times more, with other inputs, some of them beside a kernel that keeps the
 * GPU busy. */
#ifndef PL_VALIDATE_CUH
#define PL_VALIDATE_CUH

#include "pl_case.cuh"

#include <math.h>

struct ValidateOptions {
  int repeats = 12;
  int originals = 8; /* runs of the original after a difference */
  u64 seed = 20240601;
  const char *only_sizes = NULL; /* the set of this text alone, with that very seed */
  char *where = NULL; /* said to the parent process: what is at work */
};

struct Session {
  Pool pool;
  Comparer compare;
  cudaStream_t stream = NULL, busy_stream = NULL;
  u32 *busy_memory = NULL;
  int processors = 1;
};

enum { BUSY_WORDS = 1 << 24 };

static void open_session(Session *s, bool tight) {
  s->pool.tight = tight;
  require(cudaFree(0), "CUDA cannot be used");
  int device = 0;
  require(cudaGetDevice(&device), "device");
  require(cudaDeviceGetAttribute(&s->processors,
                                 cudaDevAttrMultiProcessorCount, device),
          "device");
  require(cudaStreamCreateWithFlags(&s->stream, cudaStreamNonBlocking),
          "stream");
  require(cudaStreamCreateWithFlags(&s->busy_stream, cudaStreamNonBlocking),
          "stream");
  s->compare.stream = s->stream;
}

/* About two milliseconds of work on every multiprocessor. */
static void start_busy(Session *s) {
  if (!s->busy_memory) {
    require(cudaMalloc((void **)&s->busy_memory, BUSY_WORDS * sizeof(u32)),
            "cudaMalloc");
    require(cudaMemset(s->busy_memory, 1, BUSY_WORDS * sizeof(u32)), "memset");
    require(cudaDeviceSynchronize(), "memset");
  }
  keep_busy<<<(unsigned)s->processors, 512, 0, s->busy_stream>>>(
      s->busy_memory, BUSY_WORDS, 4000000);
  require(cudaGetLastError(), "busy kernel");
}

static double half_value(u16 bits, int kind) {
  if (kind == PL_KIND_BFLOAT16) {
    u32 word = (u32)bits << 16;
    float f;
    memcpy(&f, &word, 4);
    return f;
  }
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 31  ? (mantissa ? NAN : INFINITY)
                 : exponent == 0 ? ldexp(mantissa, -24)
                                 : ldexp(mantissa + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

static double number_value(const char *p, int kind, unsigned size) {
  double d;
  float f;
  u16 half;
  if (kind == PL_KIND_FLOAT && size == 8)
    return memcpy(&d, p, 8), d;
  if (kind == PL_KIND_FLOAT)
    return memcpy(&f, p, 4), (double)f;
  if (is_real(kind))
    return memcpy(&half, p, 2), half_value(half, kind);
  long long whole = 0;
  memcpy(&whole, p, size > 8 ? 8 : size);
  if (kind == PL_KIND_SIGNED && size < 8)
    whole = (long long)((u64)whole << (64 - 8 * size)) >> (64 - 8 * size);
  return (double)whole;
}

/* Two numbers that differ, in decimal, or in bits where that shows nothing. */
static std::string pair_text(const char *got, const char *want, Numbers n) {
  char text[160];
  double a = number_value(got, n.kind, n.size);
  double b = number_value(want, n.kind, n.size);
  u64 x = 0, y = 0;
  memcpy(&x, got, n.size > 8 ? 8 : n.size);
  memcpy(&y, want, n.size > 8 ? 8 : n.size);
  if (a == b || (a != a && b != b))
    snprintf(text, sizeof text, "bits 0x%llx, should be 0x%llx", x, y);
  else
    snprintf(text, sizeof text, "%.9g, should be %.9g", a, b);
  return text;
}

/* The tolerances by which a difference is classified, never forgiven. */
static double tolerance_of(Numbers n) {
  if (!is_real(n.kind))
    return 0;
  return n.size == 8 ? 1e-9 : n.size == 4 ? 1e-3 : 1e-2;
}

static bool is_close(double got, double want, double tolerance) {
  return got == want ||
         fabs(got - want) <= tolerance * (fabs(want) > 1 ? fabs(want) : 1);
}

struct HostCopy {
  std::vector<char> got, want;
};

static HostCopy copy_to_host(const Buffer &b) {
  HostCopy h = {std::vector<char>(b.bytes), std::vector<char>(b.bytes)};
  require(cudaMemcpy(h.got.data(), b.work.data, b.bytes,
                     cudaMemcpyDeviceToHost),
          "copy");
  require(cudaMemcpy(h.want.data(), b.wanted, b.bytes, cudaMemcpyDeviceToHost),
          "copy");
  return h;
}

static bool all_close(const HostCopy &h, Numbers n) {
  double tolerance = tolerance_of(n);
  for (size_t at = 0; at + n.size <= h.got.size(); at += n.size)
    if (memcmp(&h.got[at], &h.want[at], n.size) &&
        !is_close(number_value(&h.got[at], n.kind, n.size),
                  number_value(&h.want[at], n.kind, n.size), tolerance))
      return false;
  return true;
}

/* "C[17]: 1.5, should be 2 (3 of 4096 differ, all within 0.001)" */
static std::string difference_text(const Buffer &b, Difference d) {
  HostCopy h = copy_to_host(b);
  Numbers n = numbers_of(*b.param);
  size_t at = d.first * b.param->size;
  while (at + n.size < h.got.size() &&
         !memcmp(&h.got[at], &h.want[at], n.size))
    at += n.size;
  std::string text = b.arg->name + "[" + std::to_string(d.first) +
                     "]: " + pair_text(&h.got[at], &h.want[at], n) + " (" +
                     std::to_string(d.count) + " of " +
                     std::to_string(b.arg->count) + " differ";
  char within[48];
  snprintf(within, sizeof within, ", all within %g", tolerance_of(n));
  bool close = tolerance_of(n) > 0 && all_close(h, n);
  return text + (close ? within : "") + ")";
}

/* What the last run left that it should not have; "" where all is well. */
static std::string look_for_difference(Session *s, const Case &c) {
  for (const Buffer &b : c.buffers) {
    if (!b.bytes)
      continue;
    Difference d = s->compare.elements(b.work.data, b.wanted,
                                       (size_t)b.arg->count, b.param->size);
    if (d.count)
      return difference_text(b, d);
  }
  return "";
}

static std::string look_for_broken_guard(Session *s, const Case &c) {
  for (size_t i = 0; i < c.buffers.size() && !s->pool.tight; i++) {
    const Buffer &b = c.buffers[i];
    if (!is_buffer(*b.arg))
      continue;
    std::string place =
        broken_guard(&s->compare, b.work, c.seed + 1000 * (i + 1));
    if (!place.empty())
      return "writes " + b.arg->name + " " + place;
  }
  return "";
}

/* Does the original, run again and again, ever disagree with its first run? */
static std::string disagrees(Session *s, const Form &original, const Case &c,
                             int runs) {
  for (int i = 0; i < runs; i++) {
    if (i % 2)
      start_busy(s);
    run(original, c, s->stream);
    std::string text = look_for_difference(s, c);
    if (!text.empty())
      return text;
  }
  return "";
}

/* With what makes it again: run --sizes TEXT --seed N. */
static void fail(const std::string &verdict, const std::string &text,
                 const Case &c, const std::string &how) {
  throw Failure{verdict, text + " [" + c.set->text + how + ", seed " +
                             std::to_string(c.seed) + "]"};
}

static void run_original(Session *s, const Form &original, const Case &c,
                         int again) {
  run(original, c, s->stream);
  std::string guard = look_for_broken_guard(s, c);
  if (!guard.empty())
    fail("original-out-of-bounds", guard, c, "");
  keep_wanted(c, s->stream);
  std::string text = disagrees(s, original, c, again);
  if (!text.empty())
    fail("nondeterministic", text, c, "");
}

/* Runs the rewritten form and compares. */
static void run_form(Session *s, const Form &original, const Form &form,
                     const Case &c, const ValidateOptions &o, bool busy) {
  std::string how = busy ? ", beside a busy kernel" : "";
  if (busy)
    start_busy(s);
  run(form, c, s->stream);
  std::string guard = look_for_broken_guard(s, c);
  if (!guard.empty())
    fail("out-of-bounds", guard, c, how);
  std::string text = look_for_difference(s, c);
  if (text.empty())
    return;
  if (!disagrees(s, original, c, o.originals).empty())
    fail("nondeterministic", text, c, how);
  fail("differs", text, c, how);
}

static void say_where(const ValidateOptions &o, const SizeSet &set) {
  if (o.where)
    snprintf(o.where, 256, "%s", set.text.c_str());
}

/* The set with the most blocks: repeated, since it has the most to go wrong. */
static const SizeSet *heaviest(const Plan &plan) {
  const SizeSet *best = NULL;
  for (const SizeSet &s : plan.sets)
    if (!s.is_target && (!best || blocks_of(s) >= blocks_of(*best)))
      best = &s;
  return best;
}

static void validate_once(Session *s, const Form &original, const Form &form,
                          const SizeSet &set, const ValidateOptions &o,
                          u64 seed) {
  say_where(o, set);
  Case c = make_case(&s->pool, set, original);
  refresh(&c, seed, s->stream);
  run_original(s, original, c, 1);
  run_form(s, original, form, c, o, false);
}

static void validate_repeatedly(Session *s, const Form &original,
                                const Form &form, const SizeSet &set,
                                const ValidateOptions &o) {
  say_where(o, set);
  Case c = make_case(&s->pool, set, original);
  for (int i = 0; i < o.repeats; i++) {
    refresh(&c, o.seed + 77 * (u64)i, s->stream);
    run_original(s, original, c, 0);
    run_form(s, original, form, c, o, i % 4 == 3);
  }
}

/* Throws the finding. *runs counts the sets that were compared. */
static void validate(Session *s, const Plan &plan, const Form &original,
                     const Form &form, const ValidateOptions &o, int *sets) {
  check_same_signature(original, form);
  for (const SizeSet &set : plan.sets) {
    if (set.is_target || (o.only_sizes && set.text != o.only_sizes))
      continue;
    check_signature(original, set);
    validate_once(s, original, form, set, o,
                  o.only_sizes ? o.seed : o.seed + 31 * (u64)*sets);
    ++*sets;
  }
  if (o.only_sizes)
    return;
  if (const SizeSet *set = heaviest(plan))
    validate_repeatedly(s, original, form, *set, o);
}

#endif
