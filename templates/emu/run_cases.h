/* run_cases.h - a case: original and forms on one set of sizes, and what
 * differs. */
#ifndef PL_RUN_CASES_H
#define PL_RUN_CASES_H

#include "run_arguments.h"

static void make_order(u16 *order, int how) {
  for (int i = 0; i < n_threads; i++)
    order[i] = (u16)(how == BACKWARD ? n_threads - 1 - i : i);
  for (int i = n_threads - 1; how == SHUFFLED && i > 0; i--) {
    u32 j = schedule_random.below((u32)i + 1);
    u16 t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
}

static void run_grid(const u16 *order, u64 pattern) {
  for (unsigned z = 0; z < gridDim.z; z++)
    for (unsigned y = 0; y < gridDim.y; y++)
      for (unsigned x = 0; x < gridDim.x; x++) {
        blockIdx = {x, y, z};
        run_block(order, pattern);
        given_up = n_findings >= MANY_FINDINGS;
        if (given_up)
          return;
      }
}

static void print_findings() {
  for (int i = 0; i < n_findings; i++) {
    const Finding *f = &findings[i];
    fprintf(out, "finding\t%s\t%x\t%x\t%d\t%d\t%ld\t%d\t%d\t%u\t%u\t%u\t%d\t%d",
            f->kind, f->code, f->other_code, f->space, f->index, f->offset,
            f->thread, f->other_thread, f->block.x, f->block.y, f->block.z,
            f->count, n_threads);
    for (int g = 0; g < f->n_groups; g++)
      fprintf(out, "\t%c %d %d %d %d", f->groups[g].how, f->groups[g].line,
              f->groups[g].count, f->groups[g].first, f->groups[g].last);
    fprintf(out, "\n");
  }
  if (blocks_ordered)
    fprintf(out, "ordered\n");
  if (short_barrier.line)
    fprintf(out, "short\t%d\t%d\t%d\n", short_barrier.line,
            short_barrier.ended, n_threads);
}

static double now_ms() {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static const u64 POISON[] = {0xffffffffffffffffull, 0x4142c3444546c748ull,
                             0xfbadfeedfbadfeedull, 0x7fc17fc27fc37fc4ull};
/* Not 0: a class's array has a guard beside it, whose first byte says that the
 * compiler's constructors have run. */
static const u64 NEARLY_ZERO = 1;

static void set_up_run(const Case *c, Kernel *k, int so, u64 seed) {
  const Shape *s = &c->shapes[so];
  kernel_now = k;
  blockDim = s->block;
  gridDim = s->grid;
  n_threads = (int)(s->block.x * s->block.y * s->block.z);
  schedule_random.state = seed;
  shape_static(k);
  shape_shared(&dynamic_shared, SPACE_DYNAMIC, pl_dynamic_shared, s->smem);
  n_findings = 0;
  short_barrier.line = 0;
  first_block = block_now + 1;
  run_began = latest;
  blocks_ordered = false;
  crossing.n = 0;
  given_up = false;
  twin.n = 0;
  restore(c, k);
}

/* Did the run before read shared memory that nothing had written? */
static bool read_unwritten() {
  for (int i = 0; i < n_findings; i++)
    if (!strcmp(findings[i].kind, "uninitialised"))
      return true;
  return false;
}

/* One run of one kernel; the time it took, and its findings printed. */
static double run(const Case *c, int so, int order_kind, int landing_kind,
                  u64 pattern) {
  static u16 order[MAX_THREADS];
  static void *args[MAX_ARGS];
  u64 seed = c->seed * 64 + (u64)order_kind * 8 + (u64)landing_kind;
  fprintf(out, "run\t%d\t%d\t%d\t%d\n", c->id, so, order_kind, landing_kind);
  fflush(out);
  set_up_run(c, &kernels[so], so, seed);
  landing = landing_kind;
  make_order(order, order_kind);
  for (int i = 0; i < c->n_args; i++)
    args[i] = (void *)c->args[i].scalar;
  call_args = args;
  double start = now_ms();
  set_timer(timeout_seconds);
  if (sigsetjmp(give_up, 1) == 0) {
    running = true;
    run_grid(order, pattern);
  }
  running = false;
  forget_copies();
  set_timer(0);
  print_findings();
  return now_ms() - start;
}

static size_t count_differing(const Argument *a, unsigned size) {
  const char *got = (const char *)a->scalar[0];
  size_t n = 0;
  for (size_t at = 0; at + size <= a->bytes; at += size)
    n += memcmp(a->reference + at, got + at, size) != 0;
  return n;
}

static void print_difference(const char *what, int index, const pl_param *p,
                             const Argument *a, size_t at) {
  const char *want = a->reference, *got = (const char *)a->scalar[0];
  unsigned size = p->size / p->lanes;
  size_t element = at / size;
  double reals[2] = {0, 0};
  u64 bits[2] = {0, 0};
  const char *sides[2] = {want, got};
  for (int s = 0; s < 2; s++) {
    memcpy(&bits[s], sides[s] + element * size, size > 8 ? 8 : size);
    float f;
    memcpy(&f, &bits[s], 4);
    reals[s] = f;
    if (size == 8)
      memcpy(&reals[s], &bits[s], 8);
  }
  fprintf(out, "%s\t%d\t%zu\t%llx\t%llx", what, index, element,
         (unsigned long long)bits[0], (unsigned long long)bits[1]);
  if (p->kind == PL_KIND_FLOAT)
    fprintf(out, "\t%.9g\t%.9g", reals[0], reals[1]);
  else if (p->kind == PL_KIND_SIGNED)
    fprintf(out, "\t%lld\t%lld", (long long)(bits[0] << (64 - 8 * size)) >> (64 - 8 * size),
           (long long)(bits[1] << (64 - 8 * size)) >> (64 - 8 * size));
  else
    fprintf(out, "\t0x%llx\t0x%llx", (unsigned long long)bits[0],
           (unsigned long long)bits[1]);
  fprintf(out, "\t%zu\t%zu\n", count_differing(a, size), a->bytes / size);
}

/* The first number of an argument that differs; NULL: all are the same. */
static const char *compare(const Case *c, const char *what) {
  for (int i = 0; i < c->n_args; i++) {
    const Argument *a = &c->args[i];
    const char *got = (const char *)a->scalar[0];
    if (a->kind != 'b' || memcmp(a->reference, got, a->bytes) == 0)
      continue;
    size_t at = 0;
    while (a->reference[at] == got[at])
      at++;
    const pl_param *p = &kernels[0].entry.params[i];
    print_difference(what, i, p, a, at);
    return got + at / (p->size / p->lanes) * (p->size / p->lanes);
  }
  return NULL;
}

static void keep_reference(Case *c) {
  for (int i = 0; i < c->n_args; i++)
    if (c->args[i].kind == 'b')
      memcpy(c->args[i].reference, (const void *)c->args[i].scalar[0],
             c->args[i].bytes);
}

static const struct {
  int order, landing;
} SCHEDULES[] = {{FORWARD, LATE},  {BACKWARD, EARLY},     {SHUFFLED, SOMETIME},
                 {BACKWARD, LATE}, {SHUFFLED, EARLY}, {FORWARD, SOMETIME}};

/* Where a plan asks for one of them, it alone. */
static struct {
  bool asked;
  int order, landing;
} replayed;

static bool traces; /* who wrote what differs is told */

/* Runs `so` once more, silently, and says who wrote what stands at `p` last. */
static void trace_writer(const Case *c, int so, int order, int landing_kind,
                         u64 pattern, const char *p) {
  FILE *told = out;
  out = fopen("/dev/null", "w");
  watched = {(uintptr_t)p, (uintptr_t)p + 1, false, {0, 0, 0}, 0, 0};
  if (out)
    run(c, so, order, landing_kind, pattern);
  watched.from = watched.to = 0;
  if (out)
    fclose(out);
  out = told;
  if (watched.found)
    fprintf(out, "writer\t%d\t%u\t%u\t%u\t%d\t%x\n", so, watched.block.x,
            watched.block.y, watched.block.z, watched.thread, watched.code);
  else
    fprintf(out, "writer\t%d\n", so);
}

/* Both sides' writers of the first number that differs, once a launch and object. */
static void trace(const Case *c, int so, int order, int landing_kind,
                  u64 pattern, const char *p) {
  static int traced[MAX_SO]; /* the launch, plus 1 */
  if (!traces || traced[so] == c->launch + 1)
    return;
  traced[so] = c->launch + 1;
  trace_writer(c, so, order, landing_kind, pattern, p);
  trace_writer(c, 0, FORWARD, EARLY, POISON[0], p);
}

/* Schedules for this case: as many as the time allows, the first case all, the
 * others starting where the one before stopped; three where the object makes no copies
 * that could land some time, since the orders of threads are three. Shared memory begins
 * with other values from run to run, unless the original reads what it has not written:
 * then with those that it found there. */
static void run_rewritten(const Case *c, int so, double original_ms,
                          bool unwritten, const char *differing) {
  static int next;
  double room = budget_ms / ((original_ms + 0.05) * n_cases);
  int n = cases_done == 0 || room > 6 ? 6 : room < 2 ? 2 : (int)room;
  if (original_ms > 500 || replayed.asked)
    n = 1;
  for (int i = 0; i < n && endless[so] != c->launch + 1; i++) {
    if (i == 3 && !kernels[so].makes_copies)
      break;
    int order = SCHEDULES[(next + i) % 6].order;
    int landing_kind = SCHEDULES[(next + i) % 6].landing;
    if (replayed.asked) {
      order = replayed.order;
      landing_kind = replayed.landing;
    }
    u64 pattern = POISON[unwritten ? 0 : (order + 2 * landing_kind) & 3];
    run(c, so, order, landing_kind, pattern);
    const char *at = given_up ? NULL : compare(c, differing);
    if (at && so > 0)
      trace(c, so, order, landing_kind, pattern, at);
  }
  if (so == n_kernels - 1)
    next += n;
}

static bool same_signature(const pl_kernel *a, const pl_kernel *b) {
  if (a->n_params != b->n_params)
    return false;
  for (int i = 0; i < a->n_params; i++)
    if (a->params[i].is_pointer != b->params[i].is_pointer ||
        a->params[i].size != b->params[i].size)
      return false;
  return !strict || !strcmp(a->types, b->types);
}

/* The original once more, in another order and with other values in shared
 * memory that it has not written. */
static void run_again(const Case *c, u64 poison) {
  if (n_findings >= MANY_FINDINGS || endless[0] == c->launch + 1)
    return;
  run(c, 0, SHUFFLED, LATE, poison);
  if (!given_up)
    compare(c, "nondeterministic");
}

static bool has_open_buffers(const Case *c) {
  for (int i = 0; i < c->n_args; i++)
    if (c->args[i].as_reached)
      return true;
  return false;
}

static void size_open_buffers(Case *c, size_t bytes) {
  const pl_kernel *k = &kernels[0].entry;
  for (int i = 0; i < c->n_args && i < k->n_params; i++) {
    Argument *a = &c->args[i];
    size_t size = k->params[i].size ? k->params[i].size : 1;
    if (a->as_reached)
      a->count = (long long)((bytes ? bytes : reached[i]) + size - 1) /
                 (long long)size;
  }
}

static bool left_its_buffers() {
  for (int i = 0; i < n_findings; i++)
    if (!strcmp(findings[i].kind, "out-of-bounds") ||
        !strcmp(findings[i].kind, "fault"))
      return true;
  return false;
}

/* Runs a kernel in buffers of `bytes`, and says nothing of what it finds. */
static bool reaches_within(Case *c, int so, size_t bytes) {
  FILE *told = out;
  int ended = endless[so];
  size_open_buffers(c, bytes);
  memset(reached, 0, sizeof reached);
  out = fopen("/dev/null", "w");
  bool fits = out && prepare(c);
  measuring = true;
  if (fits)
    run(c, so, FORWARD, EARLY, POISON[0]);
  measuring = false;
  if (out)
    fclose(out);
  out = told;
  endless[so] = ended;
  forget(c);
  return !fits || !left_its_buffers();
}

/* Buffers whose size nobody has said are as long as the original reaches, so that
 * a form that reaches further is found. Of two kernels that are compared, and where data
 * decides how far the first reaches, as the values that a histogram counts, they are as
 * long as either reaches. */
static void find_reach(Case *c) {
  const size_t most = (size_t)1 << 28;
  size_t bytes = (size_t)1 << 20, own[MAX_ARGS], least[MAX_ARGS];
  while (!reaches_within(c, 0, bytes) && bytes < most)
    bytes *= 16;
  memcpy(own, reached, sizeof own);
  zeros = strict;
  if (strict)
    reaches_within(c, 0, bytes);
  zeros = false;
  memcpy(least, reached, sizeof least);
  for (int so = 1; so < n_kernels && memcmp(own, least, sizeof own); so++) {
    if (!kernels[so].handle || !find_kernel(&kernels[so], c->launch))
      continue;
    reaches_within(c, so, bytes);
    for (int i = 0; i < c->n_args; i++)
      if (least[i] != own[i] && reached[i] > own[i])
        own[i] = reached[i];
  }
  memcpy(reached, own, sizeof reached);
  size_open_buffers(c, 0);
}

static void run_case(Case *c) {
  fprintf(out, "begin\t%d\n", c->id);
  launch_now = c->launch;
  if (endless[0] == c->launch + 1)
    return;
  bool found = find_kernel(&kernels[0], c->launch);
  if (found && has_open_buffers(c))
    find_reach(c);
  if (!found || !prepare(c)) {
    forget(c);
    return;
  }
  double ms = run(c, 0, FORWARD, EARLY, POISON[0]);
  bool unwritten = read_unwritten();
  keep_reference(c);
  run_again(c, POISON[1]);
  if (unwritten)
    run_again(c, NEARLY_ZERO);
  for (int so = 1; so < n_kernels && endless[0] != c->launch + 1; so++) {
    if (!kernels[so].handle || !find_kernel(&kernels[so], c->launch))
      continue;
    if (same_signature(&kernels[0].entry, &kernels[so].entry))
      run_rewritten(c, so, ms, unwritten, "differs");
    else
      fprintf(out, "signature\t%d\t%d\t%s\t%s\n", c->id, so,
              kernels[0].entry.types, kernels[so].entry.types);
  }
  if (n_kernels == 1 && endless[0] != c->launch + 1)
    run_rewritten(c, 0, ms, unwritten, "nondeterministic");
  cases_done++;
  forget(c);
}

#endif
