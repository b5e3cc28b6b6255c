/* tune.c - see tune.h. */
#include "tune.h"

#include <math.h>
#include <string.h>

/* No launch of a kernel may pay for the others: a variant that makes one of
 * them slower than this is not taken. */
#define LEAST_SPEEDUP 0.99

static bool is_proven(const pl_tune_row *row) {
  return row->outcome == PL_OUTCOME_EQUAL;
}

static bool is_timed(const pl_tune_row *row) {
  return row->ms > 0 && row->ms_original > 0 && isfinite(row->ms) &&
         isfinite(row->ms_original);
}

static bool is_variant(const pl_tune_row *row, const char *variant) {
  return strcmp(row->variant, variant) == 0;
}

static const pl_tune_row *find(const pl_tune_row *rows, size_t n,
                               const char *variant, int launch) {
  for (size_t i = 0; i < n; i++)
    if (is_variant(&rows[i], variant) && rows[i].launch == launch)
      return &rows[i];
  return NULL;
}

/* Proven on every launch of the kernel, and timed wherever any was. */
static bool is_candidate(const pl_tune_row *rows, size_t n,
                         const char *variant) {
  bool timed = false;
  for (size_t i = 0; i < n; i++) {
    const pl_tune_row *mine = find(rows, n, variant, rows[i].launch);
    if (!mine || !is_proven(mine) || (is_timed(&rows[i]) && !is_timed(mine)))
      return false;
    timed |= is_timed(mine);
  }
  return timed;
}

double pl_tune_speedup(const pl_tune_row *rows, size_t n,
                       const char *variant) {
  double logs = 0;
  size_t timed = 0;
  if (!is_candidate(rows, n, variant))
    return 0;
  for (size_t i = 0; i < n; i++)
    if (is_variant(&rows[i], variant) && is_timed(&rows[i])) {
      logs += log(rows[i].ms_original / rows[i].ms);
      timed++;
    }
  return exp(logs / (double)timed);
}

/* How far the median lies above the least time, as a part of it: what the
 * machine did to the measurement. The greatest over the launches. */
static double noise_of(const pl_tune_row *rows, size_t n,
                       const char *variant) {
  double noise = 0;
  for (size_t i = 0; i < n; i++)
    if (is_variant(&rows[i], variant) && is_timed(&rows[i]) &&
        rows[i].ms_min > 0 && rows[i].ms_min < rows[i].ms)
      noise = fmax(noise, 1 - rows[i].ms_min / rows[i].ms);
  return noise;
}

static bool slows_a_launch(const pl_tune_row *rows, size_t n,
                           const char *variant) {
  for (size_t i = 0; i < n; i++)
    if (is_variant(&rows[i], variant) && is_timed(&rows[i]) &&
        rows[i].ms_original / rows[i].ms < LEAST_SPEEDUP)
      return true;
  return false;
}

static bool is_undone(const pl_tune_row *rows, size_t n,
                      const char *variant) {
  for (size_t i = 0; i < n; i++)
    if (is_variant(&rows[i], variant) && rows[i].is_undone)
      return true;
  return false;
}

static bool is_picked_by_model(const pl_tune_row *rows, size_t n,
                               const char *variant) {
  for (size_t i = 0; i < n; i++)
    if (is_variant(&rows[i], variant) && rows[i].is_auto)
      return true;
  return false;
}

/* Whether a gain is one: at least what was asked for, and more than noise. */
static bool is_gain(const pl_tune_row *rows, size_t n, const char *variant,
                    double min_gain) {
  double gain = pl_tune_speedup(rows, n, variant) - 1;
  /* A hair of slack, so that 1.01 counts as one percent in binary too. */
  return gain > 0 && gain >= min_gain - 1e-12 &&
         gain > noise_of(rows, n, variant) && !slows_a_launch(rows, n, variant);
}

/* Two that the noise does not tell apart: then the cost model's choice counts,
 * so that a record does not flip from run to run. */
static bool is_better(const pl_tune_row *rows, size_t n, const char *variant,
                      const char *best) {
  double mine = pl_tune_speedup(rows, n, variant);
  double its = pl_tune_speedup(rows, n, best);
  bool mine_picked = is_picked_by_model(rows, n, variant);
  bool its_picked = is_picked_by_model(rows, n, best);
  double tie = fmin(0.005, fmax(noise_of(rows, n, variant),
                                noise_of(rows, n, best)));
  if (mine_picked != its_picked && fabs(mine / its - 1) <= tie)
    return mine_picked;
  return mine > its;
}

/* The best of those whose machine code was, or was not, seen to overlap. */
static const char *best_of(const pl_tune_row *rows, size_t n, double min_gain,
                           bool undone) {
  const char *best = NULL;
  for (size_t i = 0; i < n; i++) {
    const char *variant = rows[i].variant;
    if (is_undone(rows, n, variant) == undone &&
        is_gain(rows, n, variant, min_gain) &&
        (!best || is_better(rows, n, variant, best)))
      best = variant;
  }
  return best;
}

static bool any_candidate(const pl_tune_row *rows, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (is_candidate(rows, n, rows[i].variant))
      return true;
  return false;
}

static const char *reason_to_keep(const pl_tune_row *rows, size_t n,
                                  double min_gain) {
  double best = 0;
  for (size_t i = 0; i < n; i++)
    best = fmax(best, pl_tune_speedup(rows, n, rows[i].variant));
  return best > 1 && best - 1 >= min_gain
             ? "no gain that stands out of the noise on every launch"
             : "no proven variant is faster";
}

pl_tune_decision pl_tune_decide(const pl_tune_row *rows, size_t n,
                                double min_gain) {
  pl_tune_decision d = {PL_TUNE_UNKNOWN, NULL, 1, false,
                        "no variant was both proven and timed"};
  for (size_t i = 0; i < n; i++)
    d.found |= rows[i].outcome == PL_OUTCOME_FINDING;
  if (!any_candidate(rows, n))
    return d;
  const char *seen = best_of(rows, n, min_gain, false);
  d.variant = seen ? seen : best_of(rows, n, min_gain, true);
  d.outcome = d.variant ? PL_TUNE_TAKE : PL_TUNE_KEEP;
  if (d.variant)
    d.speedup = pl_tune_speedup(rows, n, d.variant);
  d.why = !d.variant ? reason_to_keep(rows, n, min_gain)
          : seen     ? "the fastest that is proven"
                     : "the fastest that is proven; its machine code was not "
                       "seen to overlap";
  return d;
}
