/* lint_values.c - what a thread's memory holds while its text is executed.
 *
 * Needs: declarations. Gives: cells of the thread's own objects, with a value each;
 * events for accesses to shared memory. Raises: why a kernel cannot be read. */
#include "lint_parts.h"

#include "call_summary.h"

#include <string.h>

void pl_lint_fail(pl_lint_run *r, const pl_node *at, const char *fmt, ...) {
  if (r->unread.n)
    return;
  va_list args;
  va_start(args, fmt);
  r->unread = pl_arena_vprintf(r->arena, fmt, args);
  va_end(args);
  r->unread_at = at;
}

bool pl_lint_failed(const pl_lint_run *r) { return r->unread.n > 0; }

pl_lint_value pl_lint_unknown(int64_t from) {
  return (pl_lint_value){.from = from};
}

pl_lint_value pl_lint_number(int64_t value) {
  return (pl_lint_value){.c = pl_const_int(value)};
}

pl_lint_value pl_lint_address(int64_t value) {
  return (pl_lint_value){.c = pl_const_make(8, true, value)};
}

int64_t pl_lint_size(const pl_type *type) {
  type = pl_no_reference(type);
  if (!type)
    return -1;
  if (type->kind == PL_TYPE_ARRAY && type->size < 0 && type->count >= 0) {
    int64_t element = pl_lint_size(type->element);
    return element < 0 ? -1 : element * type->count;
  }
  return type->size;
}

/* ---- objects that are not the thread's own -------------------------------------- */

static pl_lint_region *new_region(pl_lint_run *r, const pl_decl *decl, bool is_shared) {
  int64_t base =
      is_shared ? (int64_t)(++r->nshared) << PL_LINT_SHARED_SHIFT
                : (((int64_t)r->nregions + 2) << PL_LINT_FAR_SHIFT) + PL_LINT_MIDDLE;
  PL_PUSH(r->arena, r->regions, r->nregions, r->regions_cap,
          ((pl_lint_region){.decl = decl, .base = base, .is_shared = is_shared}));
  return &r->regions[r->nregions - 1];
}

/* All `extern __shared__` arrays are one object. */
static bool is_dynamic(const pl_decl *decl) {
  return decl->is_shared && decl->is_extern;
}

/* The object that a declaration outside of all functions is, or a shared one. */
static pl_lint_region *region_of_decl(pl_lint_run *r, const pl_decl *decl) {
  for (size_t i = 0; i < r->nregions; i++) {
    const pl_decl *other = r->regions[i].decl;
    if (other && (other == decl || (is_dynamic(decl) && is_dynamic(other))))
      return &r->regions[i];
  }
  return new_region(r, decl, decl->is_shared);
}

bool pl_lint_is_local(int64_t addr) {
  return addr >= PL_LINT_LOCAL && addr < PL_LINT_LOCAL + PL_LINT_LOCAL_BYTES;
}

bool pl_lint_is_shared(const pl_lint_run *r, int64_t addr) {
  int64_t window = addr >> PL_LINT_SHARED_SHIFT;
  return window >= 1 && window <= (int64_t)r->nshared;
}

pl_lint_region *pl_lint_region_at(const pl_lint_run *r, int64_t addr) {
  for (size_t i = 0; i < r->nregions; i++) {
    pl_lint_region *region = &r->regions[i];
    if (region->is_shared ? region->base >> PL_LINT_SHARED_SHIFT ==
                                addr >> PL_LINT_SHARED_SHIFT
                          : region->base >> PL_LINT_FAR_SHIFT ==
                                addr >> PL_LINT_FAR_SHIFT)
      return region;
  }
  return NULL;
}

/* The buffer whose address memory holds in a cell. */
static pl_lint_region *region_in_cell(pl_lint_run *r, int64_t cell) {
  for (size_t i = 0; i < r->nregions; i++)
    if (r->regions[i].key == cell)
      return &r->regions[i];
  pl_lint_region *made = new_region(r, NULL, false);
  made->key = cell;
  return made;
}

/* ---- the thread's own -------------------------------------------------------------- */

int64_t pl_lint_room(pl_lint_run *r, int64_t size, const pl_node *at) {
  size = size < 1 ? 1 : size;
  int64_t begin = (r->top + 15) / 16 * 16;
  if (begin + size > PL_LINT_LOCAL_BYTES) {
    pl_lint_fail(r, at, "the thread's own variables take more than %d bytes",
                 PL_LINT_LOCAL_BYTES);
    return PL_LINT_LOCAL;
  }
  r->top = begin + size;
  memset(r->local + begin, 0, (size_t)size * sizeof *r->local);
  return PL_LINT_LOCAL + begin;
}

void pl_lint_set_local(pl_lint_run *r, int64_t addr, pl_lint_value value) {
  pl_lint_value *cell = &r->local[addr - PL_LINT_LOCAL];
  if (r->maybe)
    PL_PUSH(r->arena, r->undo, r->nundo, r->undo_cap,
            ((pl_lint_undo){addr - PL_LINT_LOCAL, *cell}));
  *cell = value;
}

static size_t hash_of(const void *p, size_t cap) {
  return ((uintptr_t)p >> 4) * 0x9E3779B97F4A7C15u >> 40 & (cap - 1);
}

static pl_lint_cell *cell_of(const pl_lint_frame *frame, const pl_decl *decl) {
  if (!frame->cap)
    return NULL;
  size_t at = hash_of(decl, frame->cap);
  while (frame->cells[at].decl && frame->cells[at].decl != decl)
    at = (at + 1) & (frame->cap - 1);
  return &frame->cells[at];
}

static void grow_frame(pl_lint_run *r, pl_lint_frame *frame) {
  pl_lint_frame old = *frame;
  frame->cap = old.cap ? old.cap * 2 : 32;
  frame->cells = PL_NEW_ARRAY(r->arena, pl_lint_cell, frame->cap);
  for (size_t i = 0; i < old.cap; i++)
    if (old.cells[i].decl)
      *cell_of(frame, old.cells[i].decl) = old.cells[i];
}

pl_lint_frame *pl_lint_new_frame(pl_lint_run *r) {
  pl_lint_frame *frame = r->unused_frames;
  if (!frame)
    return PL_NEW(r->arena, pl_lint_frame);
  r->unused_frames = frame->up;
  pl_lint_cell *cells = frame->cells;
  size_t cap = frame->cap;
  if (frame->ncells)
    memset(cells, 0, cap * sizeof *cells);
  *frame = (pl_lint_frame){.cells = cells, .cap = cap};
  return frame;
}

void pl_lint_drop_frame(pl_lint_run *r, pl_lint_frame *frame) {
  frame->up = r->unused_frames;
  r->unused_frames = frame;
}

void pl_lint_bind(pl_lint_run *r, pl_lint_frame *frame, const pl_decl *decl,
                  int64_t addr) {
  if (frame->ncells * 2 >= frame->cap)
    grow_frame(r, frame);
  pl_lint_cell *cell = cell_of(frame, decl);
  frame->ncells += !cell->decl;
  *cell = (pl_lint_cell){decl, addr};
}

bool pl_lint_is_built_in(const pl_lint_run *r, const pl_decl *decl) {
  const pl_lint_cell *cell = cell_of(r->built_in, decl);
  return cell && cell->decl;
}

bool pl_lint_find(pl_lint_run *r, const pl_decl *decl, int64_t *addr) {
  for (const pl_lint_frame *frame = r->frame; frame; frame = frame->up) {
    const pl_lint_cell *cell = cell_of(frame, decl);
    if (cell && cell->decl) {
      *addr = cell->addr;
      return true;
    }
  }
  if (pl_lint_is_built_in(r, decl)) {
    *addr = cell_of(r->built_in, decl)->addr;
    return true;
  }
  if (decl->kind != PL_DECL_VAR || (decl->owner && !decl->is_shared && !decl->is_static))
    return false;
  *addr = region_of_decl(r, decl)->base;
  return true;
}

/* ---- accesses ------------------------------------------------------------------------ */

/* A slot that is filled again some rounds later, and not in the next one, is one of
 * several. */
static void note_turn(pl_lint_loop *loop, int64_t addr, uint64_t object) {
  loop->cell = loop->cell ? loop->cell : addr;
  if (loop->cell != addr)
    return;
  if (loop->filled && loop->round > loop->filled + 1)
    loop->turns |= object;
  loop->filled = loop->round;
}

void pl_lint_note_access(pl_lint_run *r, pl_lint_event_kind kind, int64_t addr,
                         int64_t from) {
  uint64_t object = (uint64_t)1 << (addr >> PL_LINT_SHARED_SHIFT) % 64;
  uint64_t copy = kind == PL_LINT_COPY ? object : 0, read = kind == PL_LINT_READ ? object : 0;
  uint64_t fill = copy || (kind == PL_LINT_WRITE && from) ? object : 0;
  r->filled |= fill;
  for (int i = 0; i < r->naround; i++) {
    r->around[i]->fills |= fill;
    r->around[i]->copies |= copy;
    r->around[i]->reads |= read;
    if (fill)
      note_turn(r->around[i], addr, object);
  }
}

static void access_shared(pl_lint_run *r, pl_lint_event_kind kind, int64_t addr,
                          int64_t width, int64_t from, const pl_node *at) {
  if (r->finds_loops)
    pl_lint_note_access(r, kind, addr, from);
  while (width > 0) {
    int64_t part = width > 32768 ? 32768 : width;
    pl_lint_event *event = pl_lint_emit(r, kind, at);
    event->addr = addr;
    event->width = (uint16_t)part;
    event->arg = from;
    addr += part;
    width -= part;
    from += from ? part : 0;
  }
}

static pl_lint_value typed(int64_t number, const pl_type *type, int64_t from) {
  return (pl_lint_value){.c = pl_const_convert(pl_const_make(8, false, number), type),
                         .from = from};
}

/* A number that the kernel is handed in a record. */
static pl_lint_value number_in_record(pl_lint_run *r, int64_t addr, const pl_type *type,
                                      const pl_node *at) {
  pl_lint_fields *fields = r->fields;
  for (size_t i = 0; i < fields->n; i++)
    if (fields->items[i].addr == addr)
      return typed(fields->items[i].value, type, 0);
  if (fields->n == PL_LINT_MOST_FIELDS || at->kind != PL_NODE_MEMBER)
    return pl_lint_unknown(0);
  fields->items[fields->n++] = (pl_lint_field){
      addr, pl_arena_cstr(r->unit->arena, at->name), PL_LINT_USUAL_SIZE};
  return typed(PL_LINT_USUAL_SIZE, type, 0);
}

/* A number that global memory holds: as offsets of rows are, each one more. */
static pl_lint_value number_in_memory(pl_lint_run *r, int64_t addr, const pl_type *type) {
  const pl_lint_region *region = pl_lint_region_at(r, addr);
  int64_t element = region && type->size > 0 ? (addr - region->base) / type->size : 0;
  return typed((element + 1) * r->held, type, addr);
}

pl_lint_value pl_lint_load(pl_lint_run *r, int64_t addr, const pl_type *type,
                           const pl_node *at) {
  type = pl_no_reference(type);
  if (pl_lint_is_local(addr)) {
    pl_lint_value value = r->local[addr - PL_LINT_LOCAL];
    bool given = addr < PL_LINT_LOCAL + r->given && type && !value.c.known;
    if (given && type->kind == PL_TYPE_POINTER)
      return pl_lint_address(region_in_cell(r, addr)->base);
    return given && pl_is_integer_type(type) ? number_in_record(r, addr, type, at) : value;
  }
  if (pl_lint_is_shared(r, addr)) {
    access_shared(r, PL_LINT_READ, addr, pl_lint_size(type), 0, at);
    return pl_lint_unknown(0);
  }
  if (type && type->kind == PL_TYPE_POINTER && addr > PL_LINT_LOCAL)
    return pl_lint_address(region_in_cell(r, addr)->base);
  if (r->holds && pl_is_integer_type(type) && type->size >= 4)
    return number_in_memory(r, addr, type);
  return pl_lint_unknown(addr);
}

void pl_lint_store(pl_lint_run *r, int64_t addr, const pl_type *type,
                   pl_lint_value value, const pl_node *at) {
  type = pl_no_reference(type);
  if (pl_lint_is_local(addr)) {
    bool number = pl_is_integer_type(type) || (type && type->kind == PL_TYPE_ENUM);
    if (number && value.c.known)
      value.c = pl_const_convert(value.c, type);
    else if (type && type->kind == PL_TYPE_FLOAT)
      value.c = pl_const_unknown;
    pl_lint_set_local(r, addr, value);
  } else if (pl_lint_is_shared(r, addr)) {
    access_shared(r, PL_LINT_WRITE, addr, pl_lint_size(type), value.from, at);
  }
}

void pl_lint_copy(pl_lint_run *r, int64_t to, int64_t from, int64_t size,
                  const pl_node *at) {
  int64_t source = 0;
  if (size <= 0)
    return;
  if (pl_lint_is_shared(r, from))
    access_shared(r, PL_LINT_READ, from, size, 0, at);
  else if (pl_lint_is_local(from))
    source = r->local[from - PL_LINT_LOCAL].from;
  else
    source = from;
  if (pl_lint_is_shared(r, to)) {
    access_shared(r, PL_LINT_WRITE, to, size, source, at);
    return;
  }
  for (int64_t i = 0; pl_lint_is_local(to) && i < size; i++) {
    bool own = pl_lint_is_local(from);
    pl_lint_set_local(r, to + i,
                      own ? r->local[from - PL_LINT_LOCAL + i]
                          : pl_lint_unknown(source ? source + i : 0));
  }
}

/* ---- events ----------------------------------------------------------------------------- */

static uint32_t site_of(pl_lint_run *r, const pl_node *node) {
  const pl_node *top = r->base ? r->base : node;
  if (r->nsites * 2 >= r->site_slots) {
    size_t slots = r->site_slots ? r->site_slots * 2 : 256;
    r->site_table = PL_NEW_ARRAY(r->arena, uint32_t, slots);
    r->site_slots = slots;
    for (size_t i = 0; i < r->nsites; i++) {
      size_t at = hash_of((const char *)r->sites[i].node + (uintptr_t)r->sites[i].top * 3,
                          slots);
      while (r->site_table[at])
        at = (at + 1) & (slots - 1);
      r->site_table[at] = (uint32_t)i + 1;
    }
  }
  size_t at = hash_of((const char *)node + (uintptr_t)top * 3, r->site_slots);
  for (; r->site_table[at]; at = (at + 1) & (r->site_slots - 1)) {
    const pl_lint_site *site = &r->sites[r->site_table[at] - 1];
    if (site->node == node && site->top == top)
      return r->site_table[at] - 1;
  }
  PL_PUSH(r->arena, r->sites, r->nsites, r->sites_cap,
          ((pl_lint_site){node, top, r->tile_loop}));
  r->site_table[at] = (uint32_t)r->nsites;
  return (uint32_t)r->nsites - 1;
}

/* The round, the statement of the kernel, that of what it calls. */
static uint64_t key_of(const pl_lint_run *r) {
  uint64_t base = r->base ? r->base->range.begin & 0x3fffff : 0;
  uint64_t inner = r->inner ? r->inner->range.begin & 0x3fffff : 0;
  return r->round_count << 44 | base << 22 | inner;
}

pl_lint_event *pl_lint_emit(pl_lint_run *r, pl_lint_event_kind kind,
                            const pl_node *at) {
  static pl_lint_event none;
  r->in_maybe += r->maybe > 0;
  r->emitted++;
  for (int i = 0; kind == PL_LINT_WARP && i < r->naround; i++)
    r->around[i]->meets = true;
  if (r->finds_loops || pl_lint_failed(r))
    return &none;
  if (r->nevents >= r->most_events) {
    pl_lint_fail(r, at, "it accesses shared memory more than %zu times",
                 r->most_events);
    return &none;
  }
  PL_PUSH(r->arena, r->events, r->nevents, r->events_cap,
          ((pl_lint_event){.kind = (uint8_t)kind,
                           .maybe = r->maybe > 0,
                           .site = site_of(r, at),
                           .round = r->tile_loop ? r->round : -1,
                           .key = key_of(r)}));
  return &r->events[r->nevents - 1];
}

void pl_lint_note_sync(pl_lint_run *r) {
  if (r->naround)
    r->around[r->naround - 1]->is_tile_loop = true;
}

/* ---- what need not be executed ----------------------------------------------------------- */

typedef struct quiet_walk {
  const pl_node *top;
  bool quiet;
} quiet_walk;

static bool is_declared_in(const pl_decl *decl, const pl_node *node) {
  return decl->node && pl_node_within(decl->node, node);
}

/* A number of the thread's own that decides nothing else: its type has no value
 * here, or it is declared in what is skipped. */
static bool may_be_set(const quiet_walk *w, const pl_node *target) {
  target = pl_node_bare((pl_node *)target);
  while (target && (target->kind == PL_NODE_SUBSCRIPT || target->kind == PL_NODE_MEMBER))
    target = target->nkids && !target->is_arrow ? pl_node_bare(target->kids[0]) : NULL;
  if (!target || target->kind != PL_NODE_REF || !target->decl || !target->decl->type)
    return false;
  const pl_type *type = pl_no_reference(target->decl->type);
  while (type->kind == PL_TYPE_ARRAY && type->element)
    type = type->element;
  return type->kind == PL_TYPE_FLOAT || is_declared_in(target->decl, w->top);
}

static bool is_own_object(const pl_decl *decl) {
  const pl_type *type = decl ? decl->type : NULL;
  return type && !decl->is_shared && !decl->is_volatile &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM ||
          decl->kind == PL_DECL_TEMPLATE_VALUE || decl->kind == PL_DECL_ENUM_CONSTANT) &&
         type->kind != PL_TYPE_POINTER && type->kind != PL_TYPE_REFERENCE &&
         type->kind != PL_TYPE_RECORD &&
         !(type->kind == PL_TYPE_ARRAY && type->element &&
           (type->element->kind == PL_TYPE_POINTER || type->element->kind == PL_TYPE_RECORD));
}

static bool is_quiet_call(const pl_node *node) {
  static const char *const names[] = {"fmaf", "fma",  "__fmaf_rn", "expf", "__expf",
                                      "fmaxf", "fminf", "sqrtf", "rsqrtf", "fabsf"};
  return PL_STR_IS_ONE(node->name, names) && node->decl && !node->decl->is_user;
}

static bool find_loud(pl_node *node, void *context) {
  quiet_walk *w = context;
  switch (node->kind) {
  case PL_NODE_COMPOUND:
  case PL_NODE_DECL_STMT:
  case PL_NODE_BINARY:
  case PL_NODE_PAREN:
  case PL_NODE_COND:
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_EMPTY:
  case PL_NODE_FOR:
    break;
  case PL_NODE_CAST:
    w->quiet = w->quiet && node->type && node->type->kind != PL_TYPE_POINTER;
    break;
  case PL_NODE_VAR:
    w->quiet = w->quiet && node->decl && is_own_object(node->decl);
    break;
  case PL_NODE_REF:
    w->quiet = w->quiet && node->decl &&
               (is_own_object(node->decl) || node->decl->kind == PL_DECL_FUNC);
    break;
  case PL_NODE_SUBSCRIPT:
    w->quiet = w->quiet && node->kids[0]->type &&
               node->kids[0]->type->kind == PL_TYPE_ARRAY;
    break;
  case PL_NODE_CALL:
    w->quiet = w->quiet && is_quiet_call(node);
    break;
  case PL_NODE_ASSIGN:
    w->quiet = w->quiet && !node->decl && may_be_set(w, node->kids[0]);
    break;
  case PL_NODE_UNARY:
    w->quiet = w->quiet && node->op != PL_OP_DEREF && node->op != PL_OP_ADDR &&
               (!pl_node_is_step(node) || may_be_set(w, node->kids[0]));
    break;
  default:
    w->quiet = false;
  }
  return w->quiet;
}

static bool works_quietly(const pl_node *node) {
  quiet_walk w = {node, node->kind == PL_NODE_FOR || node->kind == PL_NODE_ASSIGN};
  if (w.quiet)
    pl_node_walk((pl_node *)node, find_loud, &w);
  return w.quiet;
}

static pl_lint_fact *slot_of(pl_lint_run *r, const pl_node *node) {
  size_t at = hash_of(node, r->facts_cap);
  while (r->facts[at].node && r->facts[at].node != node)
    at = (at + 1) & (r->facts_cap - 1);
  return &r->facts[at];
}

pl_lint_fact *pl_lint_fact_of(pl_lint_run *r, const pl_node *node) {
  if (r->nfacts * 2 >= r->facts_cap) {
    pl_lint_fact *old = r->facts;
    size_t n = r->facts_cap;
    r->facts_cap = n ? n * 2 : 256;
    r->facts = PL_NEW_ARRAY(r->arena, pl_lint_fact, r->facts_cap);
    for (size_t i = 0; i < n; i++)
      if (old[i].node)
        *slot_of(r, old[i].node) = old[i];
  }
  pl_lint_fact *fact = slot_of(r, node);
  r->nfacts += !fact->node;
  fact->node = node;
  return fact;
}

bool pl_lint_is_quiet(pl_lint_run *r, const pl_node *node) {
  pl_lint_fact *fact = pl_lint_fact_of(r, node);
  if (!fact->knows_quiet) {
    fact->knows_quiet = true;
    fact->is_quiet = works_quietly(node);
  }
  return fact->is_quiet;
}
