/* pl_bench.cuh - the original and its forms, timed side by side.
 *
 * One process, one set of buffers: a round times every form once, the rounds go
 * round in turns, so that a change of clocks meets all forms alike. Where the
 * buffers would stay in the L2 cache, several copies of them take turns. */
#ifndef PL_BENCH_CUH
#define PL_BENCH_CUH

#include "pl_validate.cuh"

#include <algorithm>
#include <functional>

struct BenchOptions {
  int least_rounds = 9, most_rounds = 25;
  double form_ms = 150; /* timed, a form */
  u64 seed = 20240602;
  std::function<void(size_t)> begin; /* told which form runs next */
};

struct Timed {
  Form form;
  bool equal;    /* of a kernel with one side alone: it does no harm */
  std::string detail;
  int batch; /* launches a measurement */
  std::vector<double> ms;
};

/* Copies of the working buffers; the first is the case's own. */
struct Copies {
  std::vector<Arguments> arguments;
  size_t next = 0;

  Arguments *take() {
    Arguments *a = &arguments[next];
    next = (next + 1) % arguments.size();
    return a;
  }
};

static size_t working_set(const Case &c) {
  size_t sum = 0;
  for (const Buffer &b : c.buffers)
    sum += b.bytes;
  return sum;
}

static size_t l2_bytes() {
  int device = 0, bytes = 0;
  require(cudaGetDevice(&device), "device");
  require(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device),
          "device");
  return (size_t)bytes;
}

/* A kernel that works on its own results may not be launched twice on them
 * where they are indices. */
static bool may_be_repeated(const Case &c) {
  for (const Buffer &b : c.buffers)
    if (b.arg->direction == 'x' && is_buffer(*b.arg) &&
        !is_real(numbers_of(*b.param).kind))
      return false;
  return true;
}

static size_t copies_wanted(const Case &c) {
  size_t set = working_set(c), twice = 2 * l2_bytes();
  if (set == 0 || set >= twice || !may_be_repeated(c))
    return 1;
  size_t n = twice / set + 1;
  return n > 96 ? 96 : n;
}

static char *copy_of(const char *from, size_t bytes) {
  char *p = NULL;
  require(cudaMalloc((void **)&p, bytes ? bytes : 1), "cudaMalloc");
  require(cudaMemcpy(p, from, bytes, cudaMemcpyDeviceToDevice), "copy");
  return p;
}

static Copies make_copies(const Case &c) {
  Copies copies;
  size_t n = copies_wanted(c);
  for (size_t k = 0; k < n; k++) {
    Case other = c;
    for (Buffer &b : other.buffers)
      if (k > 0 && is_buffer(*b.arg))
        b.work.data = copy_of(b.work.data, b.bytes);
    copies.arguments.push_back(Arguments(other));
  }
  return copies;
}

static void restore_results(const Case &c, cudaStream_t stream) {
  for (size_t i = 0; i < c.buffers.size(); i++)
    if (c.buffers[i].arg->direction == 'x')
      restore(c, i, stream);
}

struct Clock {
  cudaEvent_t begin, end;
};

static Clock make_clock() {
  Clock c;
  require(cudaEventCreate(&c.begin), "event");
  require(cudaEventCreate(&c.end), "event");
  return c;
}

/* Milliseconds a launch. */
static double measure(const Timed &t, const Case &c, Copies *copies,
                      const Clock &clock, cudaStream_t stream) {
  restore_results(c, stream);
  require(cudaEventRecord(clock.begin, stream), "event");
  int error = 0;
  for (int i = 0; i < t.batch && !error; i++) {
    error = start(t.form, c, copies->take(), stream);
  }
  require(cudaEventRecord(clock.end, stream), "event");
  if (!error)
    error = cudaStreamSynchronize(stream);
  if (error)
    throw crash(t.form, c, error);
  float ms = 0;
  require(cudaEventElapsedTime(&ms, clock.begin, clock.end), "event");
  return (double)ms / t.batch;
}

/* Warms up, and finds how many launches make a measurement long enough. */
static double warm_up(Timed *t, const Case &c, Copies *copies,
                      const Clock &clock, cudaStream_t stream) {
  t->batch = 1;
  measure(*t, c, copies, clock, stream);
  double ms = measure(*t, c, copies, clock, stream);
  if (ms < 0.5 && may_be_repeated(c))
    t->batch = (int)std::min(50.0, ceil(0.5 / std::max(ms, 0.002)));
  return measure(*t, c, copies, clock, stream) * t->batch;
}

/* Runs the original until the clocks have had time to rise. */
static void heat(const Timed &original, const Case &c, Copies *copies,
                 const Clock &clock, cudaStream_t stream) {
  for (double ms = 0; ms < 60;)
    ms += std::max(0.5, measure(original, c, copies, clock, stream) *
                            original.batch);
}

static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  size_t n = v.size();
  return n == 0 ? 0 : n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* A kernel with one side alone may find nonsense where its indices come from;
 * what writes to inputs or beside buffers would spoil the others' runs. */
static std::string look_for_harm(Session *s, const Case &c) {
  for (const Buffer &b : c.buffers) {
    if (!b.bytes || b.arg->direction != 'i')
      continue;
    Difference d = s->compare.elements(b.work.data, b.initial,
                                       (size_t)b.arg->count, b.param->size);
    if (d.count)
      return "changes its input " + b.arg->name;
  }
  return "";
}

/* Does each form leave the original's bits at these sizes too? */
static void compare_forms(Session *s, std::vector<Timed> *forms, const Case &c,
                          const BenchOptions &o) {
  run((*forms)[0].form, c, s->stream);
  keep_wanted(c, s->stream);
  for (size_t i = 0; i < forms->size(); i++) {
    Timed &t = (*forms)[i];
    o.begin(i);
    run(t.form, c, s->stream);
    t.detail = is_side(t.form.label) ? look_for_harm(s, c)
                                     : look_for_difference(s, c);
    if (t.detail.empty())
      t.detail = look_for_broken_guard(s, c);
    t.equal = t.detail.empty();
  }
}

/* The forms whose times mean something. */
static std::vector<size_t> timed_forms(const std::vector<Timed> &forms) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < forms.size(); i++)
    if (forms[i].equal || !is_side(forms[i].form.label))
      chosen.push_back(i);
  return chosen;
}

static void time_forms(Session *s, std::vector<Timed> *forms, const Case &c,
                       const BenchOptions &o) {
  restore_all(c, s->stream);
  require(cudaStreamSynchronize(s->stream), "restore");
  Copies copies = make_copies(c);
  Clock clock = make_clock();
  double slowest = 0;
  std::vector<size_t> chosen = timed_forms(*forms);
  heat((*forms)[0], c, &copies, clock, s->stream);
  for (size_t i : chosen) {
    o.begin(i);
    slowest = std::max(slowest,
                       warm_up(&(*forms)[i], c, &copies, clock, s->stream));
  }
  int rounds = (int)(o.form_ms / std::max(slowest, 1e-3));
  rounds = std::max(o.least_rounds, std::min(o.most_rounds, rounds));
  for (int r = 0; r < rounds; r++)
    for (size_t k = 0; k < chosen.size(); k++) {
      size_t i = chosen[(k + (size_t)r) % chosen.size()];
      o.begin(i);
      (*forms)[i].ms.push_back(
          measure((*forms)[i], c, &copies, clock, s->stream));
    }
}

static void bench(Session *s, const SizeSet &set, std::vector<Timed> *forms,
                  const BenchOptions &o) {
  check_signature((*forms)[0].form, set);
  Case c = make_case(&s->pool, set, (*forms)[0].form);
  refresh(&c, o.seed, s->stream);
  compare_forms(s, forms, c, o);
  time_forms(s, forms, c, o);
}

#endif
