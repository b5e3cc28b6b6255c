/* lint_widths.c - are asynchronous copies of a width that there is, and aligned to it? Do
 * accesses end in the memory that the launch gives?
 *
 * Needs: the accesses of a run. Gives: faults. Raises nothing. Source: PTX ISA, cp.async:
 * 4, 8 or 16 bytes, both addresses aligned to as many; cp.async.bulk: multiples of 16,
 * aligned to that; CUDA C++ Programming Guide, Pipeline Primitives. */
#include "lint_parts.h"

static bool is_width(int64_t bytes) { return bytes == 4 || bytes == 8 || bytes == 16; }

/* A buffer whose begin a copy of that width from elsewhere needs aligned: two copies at
 * different places of one unit cannot both be. */
static bool is_known_aligned(const pl_lint_run *r, int64_t from, int64_t bytes) {
  const pl_lint_region *region = pl_lint_region_at(r, from);
  for (size_t i = 0; region && i < r->nevents; i++) {
    const pl_lint_event *event = &r->events[i];
    bool same = event->kind == PL_LINT_COPY ? event->width == bytes
                                            : event->kind == PL_LINT_BULK && bytes == 16;
    if (same && event->arg && (event->arg - region->base) % bytes == 0 &&
        pl_lint_region_at(r, event->arg) == region)
      return true;
  }
  return false;
}

static void blame(pl_lint_run *r, pl_lint_faults *faults, const pl_lint_event *event,
                  int thread, pl_lint_fault_kind kind, int64_t off) {
  pl_lint_fault fault = {.kind = kind,
                         .what = {event->site, thread, event->round, event->addr},
                         .other = {.thread = -1},
                         .is_certain = true,
                         .tiles = -1,
                         .number = event->width,
                         .number2 = off};
  pl_lint_add_fault(r, faults, fault);
}

void pl_lint_check_widths(pl_lint_run *r, pl_lint_faults *faults) {
  for (int t = 0; t < r->threads; t++)
    for (size_t i = r->traces[t].first; i < r->traces[t].first + r->traces[t].n; i++) {
      const pl_lint_event *event = &r->events[i];
      if (event->kind != PL_LINT_COPY && event->kind != PL_LINT_BULK)
        continue;
      bool bulk = event->kind == PL_LINT_BULK;
      int64_t bytes = bulk ? 16 : event->width;
      if (bulk ? event->width % 16 != 0 : !is_width(bytes))
        blame(r, faults, event, t, PL_LINT_NARROW, 0);
      else if (event->addr % bytes)
        blame(r, faults, event, t, PL_LINT_MISALIGNED, event->addr % bytes);
      else if (event->arg && event->arg % bytes && is_known_aligned(r, event->arg, bytes))
        blame(r, faults, event, t, PL_LINT_MISALIGNED, -(event->arg % bytes));
    }
}

/* How far an access reaches into dynamic shared memory; 0: it is of something else. */
static int64_t dynamic_end(const pl_lint_run *r, const pl_lint_event *event) {
  const pl_lint_region *region =
      event->kind <= PL_LINT_BULK ? pl_lint_region_at(r, event->addr) : NULL;
  return region && region->is_shared && region->decl && region->decl->is_extern
             ? event->addr - region->base + event->width
             : 0;
}

void pl_lint_check_ends(pl_lint_run *r, pl_lint_faults *faults) {
  for (int t = 0; r->knows_smem && t < r->threads; t++)
    for (size_t i = r->traces[t].first; i < r->traces[t].first + r->traces[t].n; i++) {
      const pl_lint_event *event = &r->events[i];
      int64_t end = event->maybe ? 0 : dynamic_end(r, event);
      if (end > r->at->smem) {
        blame(r, faults, event, t, PL_LINT_BEYOND_SHARED, 0);
        faults->items[faults->n - 1].number = end;
        faults->items[faults->n - 1].number2 = r->at->smem;
        return;
      }
    }
}
