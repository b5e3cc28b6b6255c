/* runner.cpp - runs an original kernel and its rewritten forms block by block
 * on the host, watches their memory, and compares what they leave behind.
 *
 *   runner PLAN
 *
 * PLAN is text: src/validate/emulator/emu_plan.c writes it, src/validate/emulator/emu_findings.c reads the report
 * from stdout. A kernel is a shared object whose memory accesses call the
 * __tsan_ functions of run_hooks.h. Each byte (or aligned word, while nothing
 * smaller is touched) has a cell that says who wrote and who read it since the
 * last barrier; a byte of shared memory also has flags: written since the block
 * began, and target of a copy that has not been waited for.
 *
 * Two accesses of one barrier interval conflict when one is a write, the threads
 * differ, and no __syncwarp of their common warp lies between. */
#include "run_cases.h"

static void add_object(const char *path) {
  Kernel *k = &kernels[n_kernels];
  paths[n_kernels++] = strdup(path);
  if (strcmp(path, "-") != 0) {
    fprintf(out, "load\t%d\n", n_kernels - 1);
    fflush(out);
    load_object(k, path);
  }
}

static void read_argument(Case *c, const char *line) {
  Argument *a = &c->args[c->n_args++];
  memset(a, 0, sizeof *a);
  sscanf(line, "arg %c %c %c %lld %lld %lld %lf %lf", &a->kind, &a->direction,
         &a->fill, &a->count, &a->value, &a->below, &a->low, &a->high);
  a->as_reached = a->kind == 'b' && a->count < 0;
}

static void read_case(Case *c, const char *line) {
  unsigned long long seed = 0;
  memset(c, 0, sizeof *c);
  sscanf(line, "case %d %d %llu", &c->id, &c->launch, &seed);
  c->seed = seed;
}

static void read_shape(Case *c, const char *line) {
  int so = 0;
  Shape s = {};
  if (sscanf(line, "shape %d %u %u %u %u %u %u %zu", &so, &s.grid.x, &s.grid.y,
             &s.grid.z, &s.block.x, &s.block.y, &s.block.z, &s.smem) == 8 &&
      so >= 0 && so < MAX_SO)
    c->shapes[so] = s;
}

static void read_plan(FILE *plan) {
  static Case now;
  static char line[8192];
  while (fgets(line, sizeof line, plan)) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "object ", 7))
      add_object(line + 7);
    else if (!strncmp(line, "cases ", 6)) {
      n_cases = atoi(line + 6);
      cases_done = 0;
    } else if (!strncmp(line, "budget ", 7))
      budget_ms = atof(line + 7);
    else if (!strncmp(line, "timeout ", 8))
      timeout_seconds = atoi(line + 8);
    else if (!strcmp(line, "strict"))
      strict = true;
    else if (!strcmp(line, "trace"))
      traces = true;
    else if (sscanf(line, "replay %d %d", &replayed.order, &replayed.landing) == 2)
      replayed.asked = true;
    else if (!strncmp(line, "case ", 5))
      read_case(&now, line);
    else if (!strncmp(line, "shape ", 6))
      read_shape(&now, line);
    else if (!strncmp(line, "arg ", 4))
      read_argument(&now, line);
    else if (!strcmp(line, "go"))
      run_case(&now);
  }
}

int main(int argc, char **argv) {
  FILE *plan = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!plan)
    return 2;
  open_report();
  size_t fence = (size_t)64 << 20;
  char *whole = (char *)reserve(ARENA + 2 * fence);
  mprotect(whole, fence, PROT_NONE);
  mprotect(whole + fence + ARENA, fence, PROT_NONE);
  arena = whole + fence;
  stacks = (char *)reserve((size_t)MAX_THREADS * STACK);
  catch_faults();
  read_plan(plan);
  fprintf(out, "end\n");
  fflush(out);
  _exit(0);
}
