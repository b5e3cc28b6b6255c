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

static void run_grid(const Case *c, const u16 *order, u64 pattern) {
  for (unsigned z = 0; z < c->grid.z; z++)
    for (unsigned y = 0; y < c->grid.y; y++)
      for (unsigned x = 0; x < c->grid.x; x++) {
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
    fprintf(out, "finding\t%s\t%x\t%x\t%d\t%d\t%ld\t%d\t%d\n", f->kind, f->code,
           f->other_code, f->space, f->index, f->offset, f->thread,
           f->other_thread);
  }
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
  kernel_now = k;
  blockDim = c->block;
  gridDim = c->grid;
  n_threads = (int)(c->block.x * c->block.y * c->block.z);
  schedule_random.state = seed;
  shape_static(k);
  shape_shared(&dynamic_shared, SPACE_DYNAMIC, pl_dynamic_shared, c->smem[so]);
  n_findings = 0;
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
  u64 seed = (u64)c->id * 64 + (u64)order_kind * 8 + (u64)landing_kind;
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
    run_grid(c, order, pattern);
  }
  running = false;
  forget_copies();
  set_timer(0);
  print_findings();
  return now_ms() - start;
}

static void print_difference(const char *what, int index, const pl_param *p,
                             const char *want, const char *got, size_t at) {
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
    fprintf(out, "\t%.9g\t%.9g\n", reals[0], reals[1]);
  else if (p->kind == PL_KIND_SIGNED)
    fprintf(out, "\t%lld\t%lld\n", (long long)(bits[0] << (64 - 8 * size)) >> (64 - 8 * size),
           (long long)(bits[1] << (64 - 8 * size)) >> (64 - 8 * size));
  else
    fprintf(out, "\t0x%llx\t0x%llx\n", (unsigned long long)bits[0],
           (unsigned long long)bits[1]);
}

static void compare(const Case *c, const char *what) {
  for (int i = 0; i < c->n_args; i++) {
    const Argument *a = &c->args[i];
    const char *got = (const char *)a->scalar[0];
    if (a->kind != 'b' || memcmp(a->reference, got, a->bytes) == 0)
      continue;
    size_t at = 0;
    while (a->reference[at] == got[at])
      at++;
    print_difference(what, i, &kernels[0].entry.params[i], a->reference, got,
                     at);
    return;
  }
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

/* Schedules for this case: as many as the time allows, the first case all, the
 * others starting where the one before stopped. Shared memory begins with other
 * values from run to run, unless the original reads what it has not written:
 * then with those that it found there. */
static void run_rewritten(const Case *c, int so, double original_ms,
                          bool unwritten) {
  static int next;
  double room = budget_ms / ((original_ms + 0.05) * n_cases);
  int most = copies_seen || cases_done == 0 ? 6 : 3;
  int n = cases_done == 0 ? most : room < 2 ? 2 : room > most ? most : (int)room;
  if (original_ms > 500)
    n = 1;
  for (int i = 0; i < n && endless[so] != c->launch + 1; i++) {
    int s = (next + i) % 6;
    run(c, so, SCHEDULES[s].order, SCHEDULES[s].landing,
        POISON[unwritten ? 0 : (SCHEDULES[s].order + 2 * SCHEDULES[s].landing) & 3]);
    if (!given_up)
      compare(c, "differs");
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
  return true;
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

/* Runs the original in buffers of `bytes`, and says nothing of what it finds. */
static bool reaches_within(Case *c, size_t bytes) {
  FILE *told = out;
  int ended = endless[0];
  size_open_buffers(c, bytes);
  memset(reached, 0, sizeof reached);
  out = fopen("/dev/null", "w");
  bool fits = out && prepare(c);
  measuring = true;
  if (fits)
    run(c, 0, FORWARD, EARLY, POISON[0]);
  measuring = false;
  if (out)
    fclose(out);
  out = told;
  endless[0] = ended;
  forget(c);
  return !fits || !left_its_buffers();
}

/* Buffers whose size nobody has said are as long as the original reaches, so that
 * a form that reaches further is found. */
static void find_reach(Case *c) {
  const size_t most = (size_t)1 << 28;
  size_t bytes = (size_t)1 << 20;
  while (!reaches_within(c, bytes) && bytes < most)
    bytes *= 16;
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
      run_rewritten(c, so, ms, unwritten);
    else
      fprintf(out, "signature\t%d\t%d\n", c->id, so);
  }
  cases_done++;
  forget(c);
}

#endif
