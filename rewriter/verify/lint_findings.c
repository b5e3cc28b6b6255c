/* lint_findings.c - what is wrong, in words, with who does what when.
 *
 * Needs: faults. Gives: findings, in the order of the text. Raises nothing. */
#include "lint_parts.h"

#include <stdlib.h>
#include <string.h>

static const char *const ids[PL_LINT_FAULTS] = {
#define X(number, name, title) "PL" #number,
#include "faults.def"
#undef X
};

typedef struct teller {
  const pl_unit *unit;
  pl_arena *arena;
  const pl_lint_fault *fault;
  const pl_lint_run *run;
} teller;

static const pl_lint_site *site_of(const teller *t, const pl_lint_act *act) {
  return &t->run->sites[act->site];
}

/* The node of a site that stands in the file. */
static const pl_node *node_of(const pl_lint_site *site) {
  return site->node->range.end ? site->node : site->top;
}

static pl_str object_at(const teller *t, int64_t addr) {
  const pl_lint_region *region = addr > 0 ? pl_lint_region_at(t->run, addr) : NULL;
  return region && region->decl ? region->decl->name : PL_STR("shared memory");
}

/* ", in round 3", "ahead of the loop". */
static const char *when_of(const teller *t, const pl_lint_act *act) {
  const pl_lint_site *site = site_of(t, act);
  if (act->round >= 0)
    return pl_arena_cstr(t->arena,
                         pl_arena_printf(t->arena, ", in round %d of its loop", act->round));
  const pl_node *top = site->top;
  for (size_t i = 0; i < t->run->nloops; i++)
    if (t->run->loops[i].is_tile_loop && top->range.end &&
        t->run->loops[i].node->range.begin > top->range.begin)
      return ", ahead of the loop";
  return ", behind the loop";
}

static const char *verb_of(const teller *t, const pl_lint_act *act, bool writes) {
  const pl_node *node = site_of(t, act)->node;
  if (!writes)
    return "reads";
  bool copies = node->kind == PL_NODE_ASM ||
                (node->kind == PL_NODE_CALL && pl_str_has(node->name, "memcpy_async"));
  return copies ? "copies into" : "writes";
}

static const char *sizes_of(const teller *t) {
  const pl_lint_fault *f = t->fault;
  if (f->tiles < 0)
    return "";
  pl_text out = {.arena = t->arena};
  pl_text_printf(&out, ", with %lld tile%s", (long long)f->tiles,
                 f->tiles == 1 ? "" : "s");
  if (f->size_name)
    pl_text_printf(&out, " (%s = %lld)", f->size_name, (long long)(f->tiles * f->unit));
  return pl_arena_cstr(t->arena, pl_text_view(&out));
}

static pl_note note_at(const teller *t, const pl_node *node, pl_str message) {
  pl_note note = {.begin = node->range.begin,
                  .end = node->range.end,
                  .message = pl_arena_cstr(t->arena, message)};
  pl_unit_position(t->unit, note.begin, &note.line, &note.column);
  return note;
}

/* " (from line 12)", of what a function does that the kernel calls there. */
static const char *caller_of(const teller *t, const pl_lint_act *act) {
  const pl_lint_site *site = site_of(t, act);
  pl_range inner = site->node->range, outer = site->top->range;
  unsigned line, column;
  if (!inner.end || !outer.end || pl_range_inside(inner, outer))
    return "";
  pl_unit_position(t->unit, outer.begin, &line, &column);
  return pl_arena_cstr(t->arena, pl_arena_printf(t->arena, " (from line %u)", line));
}

static pl_note note_of(const teller *t, const pl_lint_act *act, bool writes) {
  pl_str name = object_at(t, act->addr);
  return note_at(t, node_of(site_of(t, act)),
                 pl_arena_printf(t->arena, "thread %d %s '%.*s' here%s%s%s", act->thread,
                                 verb_of(t, act, writes), PL_FMT(name), caller_of(t, act),
                                 when_of(t, act), sizes_of(t)));
}

/* ---- one sentence a kind ------------------------------------------------------------- */

static pl_str tell_order(const teller *t, pl_str name) {
  const pl_lint_fault *f = t->fault;
  pl_arena *a = t->arena;
  switch (f->kind) {
  case PL_LINT_MISSING_WAIT:
    return pl_arena_printf(a, "'%.*s' is read while a copy into it is in flight: nothing "
                              "waits for it", PL_FMT(name));
  case PL_LINT_SHALLOW_WAIT:
    return pl_arena_printf(a, "'%.*s' is read while a copy into it is in flight: the wait "
                              "before leaves it so", PL_FMT(name));
  case PL_LINT_NO_BARRIER:
    return f->number
               ? pl_arena_printf(a, "'%.*s' is read where another thread copied to: no "
                                    "barrier follows that thread's wait", PL_FMT(name))
               : pl_arena_printf(a, "'%.*s' is read where another thread wrote: no barrier "
                                    "stands between", PL_FMT(name));
  case PL_LINT_OVERWRITTEN:
    return pl_arena_printf(a, "'%.*s' is overwritten while another thread may still read "
                              "it: no barrier stands between", PL_FMT(name));
  case PL_LINT_FEW_BUFFERS:
    return pl_arena_printf(a, "a tile in '%.*s' is overwritten before it was read: there "
                              "are too few buffers for loads that far ahead", PL_FMT(name));
  case PL_LINT_CONDITIONAL_COMMIT:
    return pl_arena_printf(a, "'%.*s' is read while a copy into it is in flight: a commit "
                              "that is not made each round lets the wait count wrongly",
                           PL_FMT(name));
  case PL_LINT_DIVERGENT_COMMIT:
    return pl_arena_printf(a, "'%.*s' is read while a copy into it is in flight: its "
                              "thread never commits it, others do", PL_FMT(name));
  default:
    return (pl_str){0};
  }
}

static pl_str tell_tiles(const teller *t, pl_str name) {
  const pl_lint_fault *f = t->fault;
  pl_arena *a = t->arena;
  long long tiles = (long long)f->tiles, read = (long long)f->number,
            usual = (long long)f->number2;
  switch (f->kind) {
  case PL_LINT_LITERAL_STAGE:
    return pl_arena_printf(a, "the last stage of '%.*s' is a constant: it is not that of "
                              "the last tile of %lld", PL_FMT(name), tiles);
  case PL_LINT_TILE_SKIPPED:
    return pl_arena_printf(a, "a tile is loaded into '%.*s' and never read: %lld of %lld "
                              "parts are", PL_FMT(name), read, usual);
  case PL_LINT_TILE_TWICE:
    return read ? pl_arena_printf(a, "a tile in '%.*s' is read %lld times, others %lld",
                                  PL_FMT(name), read, usual)
                : pl_arena_printf(a, "one tile is stored into '%.*s' a second time, in the "
                                     "place of another", PL_FMT(name));
  case PL_LINT_UNFILLED:
    return pl_arena_printf(a, "'%.*s' is read where nothing was stored", PL_FMT(name));
  case PL_LINT_BEYOND_LAST:
    return pl_arena_printf(a, "'%.*s' is read for a tile beyond the last: %lld parts are, "
                              "of %lld", PL_FMT(name), read, usual);
  default:
    return tell_order(t, name);
  }
}

static pl_str tell(const teller *t) {
  const pl_lint_fault *f = t->fault;
  pl_str name = object_at(t, f->what.addr);
  switch (f->kind) {
  case PL_LINT_DIVERGENT_BARRIER:
    return PL_STR("not all threads come to this barrier as often");
  case PL_LINT_STUCK:
    return PL_STR("threads wait here for what never comes: a stage that is not released "
                  "or not committed, or a barrier that too few arrive at");
  case PL_LINT_MISALIGNED:
    return pl_arena_printf(t->arena, "a copy of %lld bytes %s at %lld bytes from a multiple "
                                     "of its size", (long long)f->number,
                           f->number2 < 0 ? "reads" : "writes",
                           (long long)(f->number2 < 0 ? -f->number2 : f->number2));
  case PL_LINT_NARROW:
    return pl_arena_printf(t->arena, "a copy of %lld bytes: asynchronous ones are of 4, 8 "
                                     "or 16, in bulk of multiples of 16", (long long)f->number);
  case PL_LINT_BEYOND_SHARED:
    return pl_arena_printf(t->arena, "an access ends %lld bytes into dynamic shared memory, "
                                     "and the launch gives %lld%s", (long long)f->number,
                           (long long)f->number2, sizes_of(t));
  default:
    return tell_tiles(t, name);
  }
}

/* ---- who does what -------------------------------------------------------------------- */

static bool writes_what(pl_lint_fault_kind kind) {
  return kind == PL_LINT_OVERWRITTEN || kind == PL_LINT_FEW_BUFFERS ||
         kind == PL_LINT_TILE_SKIPPED || kind == PL_LINT_MISALIGNED || kind == PL_LINT_NARROW;
}

static void add_notes(const teller *t, pl_lint_finding *finding) {
  const pl_lint_fault *f = t->fault;
  pl_note *notes = PL_NEW_ARRAY(t->arena, pl_note, 4);
  size_t n = 0;
  bool waits = f->kind == PL_LINT_DIVERGENT_BARRIER || f->kind == PL_LINT_STUCK;
  if (f->other.thread >= 0 && !waits && f->kind != PL_LINT_LITERAL_STAGE)
    notes[n++] = note_of(t, &f->other, f->kind != PL_LINT_OVERWRITTEN);
  if (f->wait && f->kind <= PL_LINT_NO_BARRIER && f->kind != PL_LINT_MISSING_WAIT)
    notes[n++] = note_at(
        t, node_of(&t->run->sites[f->wait - 1]),
        f->number && f->kind != PL_LINT_NO_BARRIER
            ? pl_arena_printf(t->arena, "that thread's last wait before: it leaves %lld group%s",
                              (long long)f->number, f->number == 1 ? "" : "s")
            : PL_STR("the last wait before"));
  if (waits) {
    notes[n++] = note_at(t, node_of(site_of(t, &f->what)),
                         pl_arena_printf(t->arena, "thread %d waits here%s%s", f->what.thread,
                                         when_of(t, &f->what), sizes_of(t)));
    if (f->other.thread >= 0)
      notes[n++] = note_at(
          t, node_of(site_of(t, &f->other)),
          pl_arena_printf(t->arena,
                          f->number < 0 ? "thread %d has left without coming here so often"
                                        : "thread %d waits here",
                          f->other.thread));
  } else if (f->kind != PL_LINT_MISALIGNED && f->kind != PL_LINT_NARROW &&
             f->kind != PL_LINT_BEYOND_SHARED) {
    bool writes = writes_what(f->kind) || (f->kind == PL_LINT_TILE_TWICE && !f->number);
    notes[n++] = note_of(t, &f->what, writes);
  }
  finding->notes = notes;
  finding->nnotes = n;
}

static int by_place(const void *a, const void *b) {
  const pl_lint_finding *x = a, *y = b;
  if (x->begin != y->begin)
    return x->begin < y->begin ? -1 : 1;
  return strcmp(x->id, y->id);
}

/* Once for all instantiations. */
static bool is_told(const pl_lint_report *report, const pl_lint_finding *f) {
  for (size_t i = 0; i < report->nfindings; i++)
    if (report->findings[i].begin == f->begin &&
        strcmp(report->findings[i].id, f->id) == 0)
      return true;
  return false;
}

void pl_lint_say(const pl_unit *unit, const pl_func *kernel,
                 const pl_lint_faults *faults, pl_arena *arena, pl_lint_report *report) {
  size_t first = report->nfindings;
  pl_str name = kernel->qualified.n ? kernel->qualified : kernel->name;
  for (size_t i = 0; i < faults->n; i++) {
    const teller t = {unit, arena, &faults->items[i], faults->items[i].run};
    const pl_node *at = node_of(site_of(&t, &t.fault->what));
    pl_lint_finding finding = {.id = ids[t.fault->kind],
                               .kernel = pl_arena_cstr(arena, name),
                               .begin = at->range.begin,
                               .end = at->range.end};
    pl_unit_position(unit, finding.begin, &finding.line, &finding.column);
    if (is_told(report, &finding))
      continue;
    finding.message = pl_arena_cstr(arena, tell(&t));
    add_notes(&t, &finding);
    PL_PUSH(arena, report->findings, report->nfindings, report->findings_cap, finding);
  }
  if (report->nfindings > first)
    qsort(report->findings + first, report->nfindings - first,
          sizeof *report->findings, by_place);
}
