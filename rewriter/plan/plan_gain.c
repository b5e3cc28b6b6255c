/* plan_gain.c - what is a form expected to gain, and within which bounds?
 *
 * Needs: a loop's facts and blocks, the form that was taken. Gives: its gain, of which
 * nine in ten recorded launches had more than the lower end and nine in ten less than
 * the upper one. Raises nothing: plan_auto.c says what follows.
 *
 * A line for each of five classes of launches, through the logarithms of what they
 * gained (plan_gain.def, which says how it was fitted). Residuals of launches that the
 * line had not seen give the interval, a class its own. */
#include "forms.h"
#include "plan.h"

#include <math.h>

#define MULTIPROCESSORS 128 /* about as many as large GPUs have */
#define SCHEDULERS 4        /* of each */
#define USUAL_GRID 1024     /* where the source does not say; and that fills a GPU */
#define USUAL_THREADS 128
#define COST_OF_COPY 8 /* instructions: address, guard, load and store */

typedef struct line {
  double base, of[PL_GAIN_TERMS]; /* of the logarithm */
  double low, high;               /* residuals */
} line;

static const line lines[] = {
#define X(class, ...) {__VA_ARGS__},
#include "plan_gain.def"
#undef X
};

static int64_t warps_of(const pl_loop *loop) {
  return ((loop->threads > 0 ? loop->threads : USUAL_THREADS) + 31) / 32;
}

static int64_t grid_of(const pl_loop *loop) {
  return loop->facts.grid > 0 ? loop->facts.grid : USUAL_GRID;
}

/* Of a multiprocessor, as far as the grid gives it some. */
static int64_t blocks_of(const pl_loop *loop) {
  int64_t given = (grid_of(loop) + MULTIPROCESSORS - 1) / MULTIPROCESSORS;
  int64_t room = loop->blocks_before > 0 ? loop->blocks_before : 1;
  return given < room ? given : room;
}

bool pl_leaves_gpu_empty(const pl_loop *loop) {
  int64_t grid = loop->facts.grid;
  int64_t given = (grid + MULTIPROCESSORS - 1) / MULTIPROCESSORS;
  int64_t warps = loop->threads > 0 ? warps_of(loop) : SCHEDULERS + 1;
  return grid > 0 && (grid < MULTIPROCESSORS || given * warps <= SCHEDULERS);
}

/* In the order of PL_GAIN_TERMS' names in plan_gain.def. */
static void find_terms(const pl_loop *loop, double *terms) {
  const pl_loop_facts *facts = &loop->facts;
  double copies = facts->narrow + facts->middle + facts->wide + facts->made;
  double operations = facts->operations > 0 ? facts->operations : facts->reads;
  double instructions = facts->reads + operations + COST_OF_COPY * copies;
  double shared = loop->smem_before > 0 ? (double)loop->smem_before : 0;
  terms[0] = log((facts->reads + 1) / (copies + 1));
  terms[1] = log((double)(blocks_of(loop) * warps_of(loop)) * (instructions + 1));
  terms[2] = log((double)grid_of(loop));
  terms[3] = log(1 + shared);
  terms[4] = facts->operations > 0;
  terms[5] = pl_narrowest_copy(loop) >= 16;
}

/* Of the compiled form the instructions of a tile, for each of the kernel as it is. The
 * blocks that its registers leave told nothing more (docs/model-against-measured.md). */
static bool find_compiled_term(const pl_loop *loop, double *term) {
  pl_compiled compiled;
  *term = 0;
  if (pl_variant_is_async(loop->variant) || pl_leaves_gpu_empty(loop) ||
      !pl_compiled_as(loop, loop->variant, &compiled))
    return false;
  if (compiled.longer > 0)
    *term = fmin(fmax(log(compiled.longer), -1), 0.5);
  return true;
}

void pl_foresee_gain(pl_loop *loop) {
  pl_gain *gain = &loop->gain;
  bool copies = pl_variant_is_async(loop->variant);
  gain->compiled = find_compiled_term(loop, &gain->terms[6]);
  gain->class = gain->compiled ? 4 : 2 * copies + pl_leaves_gpu_empty(loop);
  const line *l = &lines[gain->class];
  double sum = l->base;
  find_terms(loop, gain->terms);
  for (int i = 0; i < PL_GAIN_TERMS; i++)
    sum += l->of[i] * gain->terms[i];
  gain->low = exp(sum + l->low);
  gain->middle = exp(sum);
  gain->high = exp(sum + l->high);
}
