/* host_state.c - variables and what changes them. See host.h.
 *
 * Needs: values. Gives: scopes, cells, the trail by which a doubtful branch is
 * undone. Raises: nothing. */
#include "host.h"

#include <string.h>

pl_host_cell *pl_host_behind(pl_host_cell *cell) {
  while (cell && cell->reference)
    cell = cell->reference;
  return cell;
}

static pl_host_cell *find_cell(pl_host_cell *cells, const char *name) {
  for (; cells; cells = cells->next)
    if (strcmp(cells->name, name) == 0)
      return cells;
  return NULL;
}

pl_host_cell *pl_host_look_up(pl_host *h, const char *name) {
  for (pl_host_scope *s = h->scope; s; s = s->up) {
    pl_host_cell *cell = find_cell(s->cells, name);
    if (!cell && s->self)
      cell = find_cell(s->self->fields, name);
    if (cell)
      return pl_host_behind(cell);
  }
  return NULL;
}

pl_host_value *pl_host_self(const pl_host *h) {
  for (const pl_host_scope *s = h->scope; s; s = s->up)
    if (s->self)
      return s->self;
  return NULL;
}

pl_host_binding *pl_host_bound(const pl_host *h, const char *name) {
  for (const pl_host_scope *s = h->scope; s; s = s->up)
    for (pl_host_binding *b = s->bindings; b; b = b->next)
      if (strcmp(b->name, name) == 0)
        return b;
  return NULL;
}

pl_host_cell *pl_host_declare(pl_host *h, const char *name) {
  pl_host_cell *cell = PL_NEW(h->arena, pl_host_cell);
  cell->name = name;
  cell->next = h->scope->cells;
  h->scope->cells = cell;
  return cell;
}

pl_host_cell *pl_host_field(pl_host *h, pl_host_cell *record, const char *name,
                            bool make) {
  pl_host_value *v = &record->value;
  pl_host_cell *field = v->kind == PL_HOST_RECORD ? find_cell(v->fields, name)
                                                  : NULL;
  if (field || !make)
    return pl_host_behind(field);
  if (v->kind != PL_HOST_RECORD) {
    if (v->kind != PL_HOST_UNKNOWN)
      return NULL;
    pl_host_assign(h, record, (pl_host_value){.kind = PL_HOST_RECORD});
  }
  field = PL_NEW(h->arena, pl_host_cell);
  field->name = name;
  field->next = v->fields;
  v->fields = field;
  return field;
}

void pl_host_assign(pl_host *h, pl_host_cell *cell, pl_host_value value) {
  if (!cell || h->skipping)
    return;
  pl_host_trail step = {cell, cell->value};
  PL_PUSH(h->arena, h->trail, h->n_trail, h->cap_trail, step);
  value.lvalue = NULL;
  cell->value = value;
}

/* Records are values: their fields are cells of their own. */
pl_host_value pl_host_copy(pl_host *h, const pl_host_value *value) {
  pl_host_value copy = *value;
  copy.lvalue = NULL;
  if (value->kind != PL_HOST_RECORD)
    return copy;
  copy.fields = NULL;
  for (const pl_host_cell *f = value->fields; f; f = f->next) {
    pl_host_cell *field = PL_NEW(h->arena, pl_host_cell);
    *field = *f;
    field->value = pl_host_copy(h, &f->value);
    field->next = copy.fields;
    copy.fields = field;
  }
  return copy;
}

pl_host_value pl_host_dim3(pl_host *h, const pl_host_value *xyz, size_t n) {
  static const char *const names[] = {"z", "y", "x"};
  pl_host_value v = {.kind = PL_HOST_RECORD};
  for (size_t i = 0; i < 3; i++) {
    pl_host_cell *field = PL_NEW(h->arena, pl_host_cell);
    field->name = names[i];
    field->type = "unsigned";
    field->value = 2 - i < n ? pl_host_to_int(h, &xyz[2 - i])
                             : pl_host_int(h, 1);
    field->next = v.fields;
    v.fields = field;
  }
  return v;
}

static bool is_in(const pl_host_trail *steps, size_t n,
                  const pl_host_cell *cell) {
  for (size_t i = 0; i < n; i++)
    if (steps[i].cell == cell)
      return true;
  return false;
}

pl_host_trail *pl_host_undo(pl_host *h, size_t mark, size_t *n) {
  pl_host_trail *changed = NULL;
  size_t cap = 0;
  *n = 0;
  for (size_t i = mark; i < h->n_trail; i++) {
    pl_host_trail now = {h->trail[i].cell, h->trail[i].cell->value};
    if (!is_in(changed, *n, now.cell))
      PL_PUSH(h->arena, changed, *n, cap, now);
  }
  while (h->n_trail > mark) {
    pl_host_trail step = h->trail[--h->n_trail];
    step.cell->value = step.old;
  }
  return changed;
}
