/* lint_tiles.c - is each tile read as often as every other?
 *
 * Needs: the runs of a series in which the number of tiles grows by one, and who read
 * what was written when. Tiles are told apart by the address of global memory that they
 * were loaded from. Gives: tiles that are skipped, read again, or read though there are
 * none; last stages that are a constant. Raises nothing.
 *
 * How many parts are read of T tiles is p T + q for all T that are large; what small T
 * do otherwise is wrong, and so is q < 0 where all parts were loaded. */
#include "lint_parts.h"

#include <stdlib.h>

typedef struct stream {
  const pl_decl *decl; /* of the buffer, or */
  int64_t key;         /* ... the cell that holds its address */
} stream;

typedef struct part {
  int64_t offset; /* in the buffer */
  bool is_read;
  size_t fill;
} part;

typedef struct parts {
  part *items;
  size_t n, cap;
  int64_t read;
} parts;

static stream stream_of(const pl_lint_run *r, const pl_lint_fill *fill) {
  const pl_lint_region *region = fill->from ? pl_lint_region_at(r, fill->from) : NULL;
  return region ? (stream){region->decl, region->key} : (stream){0};
}

static bool is_of(const pl_lint_run *r, const pl_lint_fill *fill, stream s,
                  int64_t *offset) {
  const pl_lint_region *region =
      fill->from ? pl_lint_region_at(r, fill->from) : NULL;
  if (!region || region->decl != s.decl || region->key != s.key ||
      (fill->redone && !fill->is_read))
    return false;
  *offset = fill->from - region->base;
  return true;
}

/* The parts of a buffer that a run has loaded, each once. */
static parts parts_of(const pl_lint_turn *turn, stream s) {
  parts out = {0};
  for (size_t i = 0; i < turn->done.nfills; i++) {
    const pl_lint_fill *fill = &turn->done.fills[i];
    int64_t offset;
    if (!is_of(turn->run, fill, s, &offset))
      continue;
    part *same = NULL;
    for (size_t k = 0; k < out.n && !same; k++)
      if (out.items[k].offset == offset)
        same = &out.items[k];
    if (!same) {
      PL_PUSH(turn->run->arena, out.items, out.n, out.cap, ((part){offset, false, i}));
      same = &out.items[out.n - 1];
    }
    if (!fill->is_read)
      continue;
    out.read += !same->is_read;
    same->is_read = true;
  }
  return out;
}

static pl_lint_act act_of_fill(const pl_lint_fill *fill) {
  return (pl_lint_act){fill->site, fill->thread, fill->round, fill->addr};
}

static pl_lint_act act_of_use(const struct pl_lint_use *use) {
  return (pl_lint_act){use->site, use->thread, use->round, use->addr};
}

static void add(pl_lint_turn *turn, pl_lint_faults *faults, pl_lint_fault fault) {
  fault.tiles = turn->tiles;
  fault.is_certain = true;
  pl_lint_add_fault(turn->run, faults, fault);
}

/* The first part that was loaded and is not read. */
static void blame_skipped(pl_lint_turn *turn, const parts *all, int64_t expected,
                          pl_lint_faults *faults) {
  for (size_t i = 0; i < all->n; i++) {
    const pl_lint_fill *fill = &turn->done.fills[all->items[i].fill];
    if (all->items[i].is_read || fill->maybe)
      continue;
    bool lost = fill->overwritten > 0 && i + 1 < all->n;
    add(turn, faults,
        (pl_lint_fault){.kind = lost ? PL_LINT_FEW_BUFFERS : PL_LINT_TILE_SKIPPED,
                        .what = act_of_fill(fill),
                        .other = {.thread = -1},
                        .number = all->read,
                        .number2 = expected});
    return;
  }
}

static void blame_beyond(pl_lint_turn *turn, const parts *all, int64_t expected,
                         pl_lint_faults *faults) {
  for (size_t i = all->n; i > 0; i--) {
    const pl_lint_fill *fill = &turn->done.fills[all->items[i - 1].fill];
    if (!all->items[i - 1].is_read || !fill->nuses)
      continue;
    add(turn, faults,
        (pl_lint_fault){.kind = PL_LINT_BEYOND_LAST,
                        .what = act_of_use(&fill->uses[0]),
                        .other = act_of_fill(fill),
                        .number = all->read,
                        .number2 = expected});
    return;
  }
}

/* Whether a part is read in more than one round: none is, then, where there are too few
 * for a round. */
static bool is_window(const pl_lint_turn *turn, stream s) {
  int64_t offset, rounds = 0, all = 0;
  for (size_t i = 0; i < turn->done.nfills; i++) {
    const pl_lint_fill *fill = &turn->done.fills[i];
    if (!fill->is_read || !is_of(turn->run, fill, s, &offset))
      continue;
    all++;
    for (size_t u = 1; u < fill->nuses; u++)
      if (fill->uses[u].seq != fill->uses[0].seq) {
        rounds++;
        break;
      }
  }
  return rounds * 2 > all;
}

/* How many parts a tile has, by what is loaded, and how many more are read than T
 * tiles have, where T is not small. */
static void line_of(pl_lint_turn *turns, size_t n, stream s, int64_t *p, int64_t *q) {
  parts last = parts_of(&turns[n - 1], s), before = parts_of(&turns[n - 2], s);
  *p = (int64_t)last.n - (int64_t)before.n;
  *q = INT64_MIN;
  for (size_t i = 0; i < n; i++) {
    int64_t more = parts_of(&turns[i], s).read - *p * turns[i].tiles;
    if (turns[i].tiles >= 3 && more > *q)
      *q = more;
  }
}

static const pl_lint_fill *first_unread(const pl_lint_turn *turn, const parts *all) {
  size_t i = 0;
  while (i + 1 < all->n && all->items[i].is_read)
    i++;
  return &turn->done.fills[all->items[i].fill];
}

/* Whether what was loaded last is not read: a tile of `p` parts, or two, and no part else. */
static bool leaves_out_last(const parts *all, int64_t p, int64_t missing) {
  if (missing > 2 * p || missing % p || missing > (int64_t)all->n)
    return false;
  for (int64_t i = 0; i < missing; i++)
    if (all->items[all->n - 1 - (size_t)i].is_read)
      return false;
  return true;
}

/* Fewer than all are read however many there are: the last one is left out, or many
 * are lost. A first one that is not read may be meant so. */
static void check_always(pl_lint_turn *turn, const parts *all, int64_t p,
                         pl_lint_faults *faults) {
  int64_t expected = p * turn->tiles;
  bool last = !all->items[all->n - 1].is_read;
  if (last && (expected - all->read <= 2 || leaves_out_last(all, p, expected - all->read))) {
    const parts one = {all->items + all->n - 1, 1, 0, all->read};
    blame_skipped(turn, &one, expected, faults);
  } else if (expected - all->read > 2 && first_unread(turn, all)->overwritten) {
    blame_skipped(turn, all, expected, faults);
  }
}

static void check_counts(pl_lint_turn *turns, size_t n, stream s, pl_lint_faults *faults) {
  int64_t p, q;
  line_of(turns, n, s, &p, &q);
  parts last = parts_of(&turns[n - 1], s);
  if (p <= 0 || !last.read)
    return;
  if (q < 0 && (int64_t)last.n >= p * turns[n - 1].tiles)
    check_always(&turns[n - 1], &last, p, faults);
  for (size_t i = 0; i < n; i++) {
    parts all = parts_of(&turns[i], s);
    int64_t tiles = turns[i].tiles, expected = p * tiles + q;
    if (expected < 0 || (tiles == 0 && q > 0))
      expected = tiles ? 0 : all.read > q ? q < 0 ? 0 : q : all.read;
    if (all.read == 0 && is_window(&turns[n - 1], s))
      continue;
    if (all.read < expected)
      blame_skipped(&turns[i], &all, expected, faults);
    else if (all.read > expected)
      blame_beyond(&turns[i], &all, expected, faults);
  }
}

/* ---- how often ------------------------------------------------------------------------ */

static int64_t times_read(const pl_lint_fill *fill, const pl_node *node,
                          const struct pl_lint_use **last) {
  int64_t times = 0;
  for (size_t i = 0; i < fill->nuses; i++)
    if (fill->uses[i].node == node) {
      times++;
      *last = &fill->uses[i];
    }
  return times;
}

/* How often most of the parts are read at a place; 0: there is no such number. */
static int64_t usual_times(const pl_lint_turn *turn, stream s, const pl_node *node) {
  int64_t counts[16] = {0}, all = 0, best = 0, offset;
  for (size_t i = 0; i < turn->done.nfills; i++) {
    const struct pl_lint_use *last;
    if (!is_of(turn->run, &turn->done.fills[i], s, &offset))
      continue;
    int64_t times = times_read(&turn->done.fills[i], node, &last);
    if (times <= 0)
      continue;
    all++;
    counts[times < 15 ? times : 15]++;
  }
  for (int k = 1; k < 15; k++)
    if (counts[k] > counts[best])
      best = k;
  return all >= 4 && counts[best] * 2 > all ? best : 0;
}

/* Whether its tiles lie in several buffers. With one, what is read behind the loop is
 * the last tile, and may be meant. */
static bool has_slots(const pl_lint_turn *turn, stream s) {
  int64_t addr = 0, offset;
  for (size_t i = 0; i < turn->done.nfills; i++) {
    const pl_lint_fill *fill = &turn->done.fills[i];
    if (!is_of(turn->run, fill, s, &offset))
      continue;
    if (addr && fill->addr != addr)
      return true;
    addr = fill->addr;
  }
  return false;
}

/* Whether some thread comes to both loops. */
static bool one_role(const pl_lint_run *r, const pl_node *a, const pl_node *b) {
  uint32_t roles[2] = {0};
  for (size_t i = 0; i < r->nloops; i++) {
    roles[0] |= r->loops[i].node == a ? r->loops[i].roles : 0;
    roles[1] |= r->loops[i].node == b ? r->loops[i].roles : 0;
  }
  return (roles[0] & roles[1]) != 0;
}

/* A place that reads a tile more often than other tiles, and so does each that reads it:
 * what one alone reads again, as the fragment that is fetched ahead behind the last tile,
 * is no tile. What a loop leaves behind is none to a later loop. NULL: there is none. */
static const struct pl_lint_use *again(const pl_lint_turn *large, stream s,
                                       const pl_lint_run *run, const pl_lint_fill *fill,
                                       int64_t *times, int64_t *usual) {
  const struct pl_lint_use *found = NULL;
  const pl_node *loop = run->sites[fill->site].loop;
  for (size_t u = 0; u < fill->nuses; u++) {
    const struct pl_lint_use *last = NULL;
    const pl_node *reads_in = run->sites[fill->uses[u].site].loop;
    if (loop && reads_in && loop != reads_in && one_role(run, loop, reads_in))
      continue;
    int64_t others = usual_times(large, s, fill->uses[u].node);
    int64_t own = times_read(fill, fill->uses[u].node, &last);
    if (others && own <= others)
      return NULL;
    if (!others || found)
      continue;
    found = last;
    *times = own;
    *usual = others;
  }
  return found;
}

static void check_times(pl_lint_turn *turns, size_t n, stream s, pl_lint_faults *faults) {
  const pl_lint_turn *large = &turns[n - 1];
  int64_t offset;
  if (!has_slots(large, s))
    return;
  for (size_t i = 0; i < n; i++)
    for (size_t f = 0; f < turns[i].done.nfills; f++) {
      const pl_lint_fill *fill = &turns[i].done.fills[f];
      if (!is_of(turns[i].run, fill, s, &offset))
        continue;
      int64_t times, usual;
      const struct pl_lint_use *use = again(large, s, turns[i].run, fill, &times, &usual);
      if (!use)
        continue;
      add(&turns[i], faults,
          (pl_lint_fault){.kind = PL_LINT_TILE_TWICE,
                          .what = act_of_use(use),
                          .other = act_of_fill(fill),
                          .number = times,
                          .number2 = usual});
      return;
    }
}

/* The parts that one thread stores at one place of a loop, and ahead of it what is as
 * large, in their order. */
typedef struct row {
  const pl_lint_fill *fills[PL_LINT_MOST_DEPTH];
  int64_t offsets[PL_LINT_MOST_DEPTH];
  int n;
} row;

/* Whether what is stored ahead of the loop is replaced there by another place than this. */
static bool is_of_another(const pl_lint_turn *turn, const pl_lint_fill *ahead,
                          const pl_node *node) {
  bool other = false;
  for (size_t i = 0; i < turn->done.nfills; i++) {
    const pl_lint_fill *fill = &turn->done.fills[i];
    const pl_lint_site *site = &turn->run->sites[fill->site];
    if (!site->loop || fill->addr != ahead->addr)
      continue;
    if (site->node == node)
      return false;
    other = true;
  }
  return other;
}

static row row_of(const pl_lint_turn *turn, stream s, const pl_lint_fill *of) {
  row out = {0};
  const pl_lint_site *site = &turn->run->sites[of->site];
  for (size_t i = 0; i < turn->done.nfills && out.n < PL_LINT_MOST_DEPTH; i++) {
    const pl_lint_fill *fill = &turn->done.fills[i];
    const pl_lint_site *other = &turn->run->sites[fill->site];
    bool ahead = !other->loop && fill->seq < of->seq;
    if (fill->thread != of->thread || fill->cells != of->cells || !fill->is_read ||
        (other->node != site->node && (!ahead || is_of_another(turn, fill, site->node))) ||
        !is_of(turn->run, fill, s, &out.offsets[out.n]))
      continue;
    out.fills[out.n++] = fill;
  }
  return out;
}

/* Which of a row is stored a second time, where all others are as far apart but one that
 * may be left out; 0: none. A last one that comes again, and none is left out, is the
 * border of a clamped index. */
static int stored_again(const row *all) {
  int64_t step = 0, last = 0;
  for (int k = 1; all->n > 3 && k < all->n; k++) {
    last = all->offsets[k] - all->offsets[k - 1];
    if (last && (!step || llabs(last) < llabs(step)))
      step = last;
  }
  int twice = 0, zeros = 0, holes = 0, others = 0;
  for (int k = 1; step && k < all->n; k++) {
    int64_t one = all->offsets[k] - all->offsets[k - 1];
    if (one == 0)
      twice = k;
    zeros += one == 0;
    holes += one == 2 * step;
    others += one != 0 && one != step && one != 2 * step;
  }
  return zeros == 1 && holes <= 1 && !others && (last || holes) ? twice : 0;
}

/* One part that is stored twice in a row. */
static void check_stale(pl_lint_turn *turn, stream s, pl_lint_faults *faults) {
  for (size_t i = 0; turn->tiles >= 4 && i < turn->done.nfills; i++) {
    const pl_lint_fill *fill = &turn->done.fills[i];
    int64_t offset;
    if (!fill->is_read || !turn->run->sites[fill->site].loop ||
        !is_of(turn->run, fill, s, &offset))
      continue;
    row all = row_of(turn, s, fill);
    int twice = stored_again(&all);
    /* the second time by the loop itself; another loop has what is ahead of it. More than
       there are tiles: none is lost, and what is ahead may be for itself. */
    if (!twice || all.n > turn->tiles || !turn->run->sites[all.fills[twice]->site].loop)
      continue;
    add(turn, faults,
        (pl_lint_fault){.kind = PL_LINT_TILE_TWICE,
                        .what = act_of_fill(all.fills[twice]),
                        .other = act_of_fill(all.fills[twice - 1]),
                        .number = 0});
    return;
  }
}

/* ---- a stage that is written as a number -------------------------------------------------- */

/* When a loop stored a tile for the last time. */
static uint64_t last_store(const pl_lint_turn *turn) {
  uint64_t seq = 0;
  for (size_t f = 0; f < turn->done.nfills; f++) {
    const pl_lint_fill *fill = &turn->done.fills[f];
    if (turn->run->sites[fill->site].loop && fill->seq > seq)
      seq = fill->seq;
  }
  return seq;
}

/* The one address that a place behind the loop reads from; 0: none, or several. */
static int64_t only_read(const pl_lint_turn *turn, const pl_node *node, const pl_node *top) {
  uint64_t stored = last_store(turn);
  int64_t addr = 0;
  for (size_t f = 0; f < turn->done.nfills; f++)
    for (size_t u = 0; u < turn->done.fills[f].nuses; u++) {
      const struct pl_lint_use *use = &turn->done.fills[f].uses[u];
      const pl_lint_site *site = &turn->run->sites[use->site];
      if (use->node != node || site->top != top || site->loop || use->seq < stored)
        continue;
      if (addr && addr != use->addr)
        return 0;
      addr = use->addr;
    }
  return addr;
}

/* Whether one place behind the loop reads from one address for every number of
 * tiles. */
static bool is_literal(pl_lint_turn *turns, size_t n, const pl_lint_site *site) {
  int64_t same = 0;
  int seen = 0;
  for (size_t i = 0; i < n && !site->loop; i++) {
    int64_t addr = turns[i].tiles >= 2 ? only_read(&turns[i], site->node, site->top) : 0;
    if (!addr)
      continue;
    if (seen && addr != same)
      return false;
    same = addr;
    seen++;
  }
  return seen >= 3;
}

/* A place behind the loop that reads an object, always at one address; NULL: there is
 * none. */
static const struct pl_lint_use *literal_use(pl_lint_turn *turns, size_t n, int64_t addr) {
  const pl_lint_turn *turn = &turns[n - 1];
  for (size_t f = 0; f < turn->done.nfills; f++)
    for (size_t u = 0; u < turn->done.fills[f].nuses; u++) {
      const struct pl_lint_use *use = &turn->done.fills[f].uses[u];
      if (use->addr >> PL_LINT_SHARED_SHIFT == addr >> PL_LINT_SHARED_SHIFT &&
          is_literal(turns, n, &turn->run->sites[use->site]))
        return use;
    }
  return NULL;
}

/* How often the tiles of all runs are as they should be. */
static bool is_right_for_some(pl_lint_turn *turns, size_t n, stream s) {
  int64_t p, q;
  line_of(turns, n, s, &p, &q);
  for (size_t i = 0; i < n; i++)
    if (turns[i].tiles >= 2 && parts_of(&turns[i], s).read == p * turns[i].tiles)
      return true;
  return false;
}

/* Where only some numbers of tiles are wrong, and a place behind the loop names its
 * stage by a number, that is what is wrong. */
static void find_literal(pl_lint_turn *turns, size_t n, pl_lint_faults *faults) {
  for (size_t i = 0; i < faults->n; i++) {
    pl_lint_fault *fault = &faults->items[i];
    bool counts = fault->kind == PL_LINT_TILE_SKIPPED || fault->kind == PL_LINT_TILE_TWICE ||
                  fault->kind == PL_LINT_UNFILLED || fault->kind == PL_LINT_FEW_BUFFERS;
    const struct pl_lint_use *use =
        counts && fault->tiles >= 1 ? literal_use(turns, n, fault->what.addr) : NULL;
    if (!use)
      continue;
    for (size_t f = 0; f < turns[n - 1].done.nfills; f++) {
      const pl_lint_fill *fill = &turns[n - 1].done.fills[f];
      stream s = stream_of(turns[n - 1].run, fill);
      if (fill->addr >> PL_LINT_SHARED_SHIFT != fault->what.addr >> PL_LINT_SHARED_SHIFT ||
          (!s.decl && !s.key) || !is_right_for_some(turns, n, s))
        continue;
      fault->kind = PL_LINT_LITERAL_STAGE;
      fault->what = act_of_use(use);
      fault->run = turns[n - 1].run;
      fault->other = (pl_lint_act){.thread = -1};
      break;
    }
  }
}

/* ---- all ------------------------------------------------------------------------------------ */

enum { MOST_STREAMS = 32 };

/* The buffers of global memory that a run loads from. */
static size_t streams_of(const pl_lint_turn *turn, stream *out) {
  size_t n = 0;
  for (size_t f = 0; f < turn->done.nfills && n < MOST_STREAMS; f++) {
    stream s = stream_of(turn->run, &turn->done.fills[f]);
    bool known = !s.decl && !s.key;
    for (size_t k = 0; k < n; k++)
      known = known || (out[k].decl == s.decl && out[k].key == s.key);
    if (!known)
      out[n++] = s;
  }
  return n;
}

/* Whether the runs are of so many tiles each, in one loop that each comes to once. */
static bool is_series(const pl_lint_turn *turns, size_t n) {
  if (n < 3 || turns[n - 1].tiles != turns[n - 2].tiles + 1)
    return false;
  for (size_t i = 0; i < n; i++)
    if (!turns[i].once)
      return false;
  return true;
}

void pl_lint_check_tiles(pl_lint_turn *turns, size_t n, pl_lint_faults *faults) {
  stream all[MOST_STREAMS];
  if (!is_series(turns, n))
    return;
  size_t nall = streams_of(&turns[n - 1], all);
  for (size_t k = 0; k < nall; k++) {
    check_counts(turns, n, all[k], faults);
    check_times(turns, n, all[k], faults);
    for (size_t i = 0; i < n; i++)
      check_stale(&turns[i], all[k], faults);
  }
  find_literal(turns, n, faults);
}

void pl_lint_check_parts(pl_lint_turn *turns, size_t n, pl_lint_turn *rest, size_t nrest,
                         pl_lint_faults *faults) {
  stream all[MOST_STREAMS];
  if (!is_series(turns, n))
    return;
  size_t nall = streams_of(&turns[n - 1], all);
  for (size_t k = 0; k < nall; k++) {
    int64_t left = 0; /* of whole tiles as many are loaded and not read */
    for (size_t i = 0; i < n; i++) {
      parts whole = parts_of(&turns[i], all[k]);
      left = (int64_t)whole.n - whole.read > left ? (int64_t)whole.n - whole.read : left;
    }
    for (size_t i = 0; i < nrest; i++) {
      parts some = parts_of(&rest[i], all[k]);
      if ((int64_t)some.n - some.read > left)
        blame_skipped(&rest[i], &some, (int64_t)some.n - left, faults);
    }
  }
}
