/* lint_barriers.c - barriers that are objects: arrivals, tokens, phases, expected bytes,
 * and the bulk copies that they keep account of.
 *
 * Needs: names of libcu++, cuda::ptx and of the mbarrier intrinsics; lint_asm.c comes here
 * with the same in assembly. Gives: events. Raises: which barrier, or phase, is not known.
 * Sources: PTX ISA, mbarrier and cp.async.bulk; libcu++, cuda::barrier. */
#include "lint_parts.h"

#include <string.h>

/* ---- what is done to a barrier ---------------------------------------------------------- */

pl_lint_event *pl_lint_barrier(pl_lint_run *r, const pl_node *at, pl_lint_event_kind kind,
                               int64_t addr, int64_t arg) {
  static pl_lint_event none;
  if (kind != PL_LINT_MBAR_INIT)
    pl_lint_note_sync(r);
  if (!pl_lint_is_shared(r, addr))
    pl_lint_fail(r, at, "which barrier this is is not known");
  else if (r->maybe)
    pl_lint_fail(r, at, "data decides whether a barrier is come to");
  if (pl_lint_failed(r))
    return &none;
  pl_lint_event *event = pl_lint_emit(r, kind, at);
  event->object = (int32_t)addr;
  event->arg = arg;
  r->arrivals += kind == PL_LINT_MBAR_ARRIVE;
  return event;
}

void pl_lint_meet(pl_lint_run *r, const pl_node *at, int32_t object, int64_t threads,
                  bool waits) {
  const int64_t args[] = {threads, 1, r->arrivals++};
  for (int i = 0; i < 2 + waits; i++) {
    static const pl_lint_event_kind kinds[] = {PL_LINT_MBAR_INIT, PL_LINT_MBAR_ARRIVE,
                                               PL_LINT_MBAR_WAIT};
    pl_lint_event *event = pl_lint_emit(r, kinds[i], at);
    event->object = object;
    event->arg = args[i];
  }
}

bool pl_lint_try_barrier(pl_lint_run *r, const pl_node *at, pl_lint_event_kind kind,
                         int64_t addr, int64_t arg) {
  bool again = r->tried == addr;
  r->tried = again ? 0 : addr;
  if (again) {
    r->tries++;
    pl_lint_barrier(r, at, kind, addr, arg);
  }
  return again;
}

void pl_lint_bulk_copy(pl_lint_run *r, const pl_node *at, int64_t to, int64_t from,
                       int64_t bytes, int64_t bar) {
  enum { PART = 1 << 14 };
  if (!pl_lint_is_shared(r, bar))
    pl_lint_fail(r, at, "which barrier keeps account of the copies is not known");
  for (int64_t i = 0; pl_lint_is_shared(r, to) && i < bytes; i += PART) {
    pl_lint_event *event = pl_lint_emit(r, PL_LINT_BULK, at);
    event->addr = to + i;
    event->arg = from ? from + i : 0;
    event->width = (uint16_t)(bytes - i < PART ? bytes - i : PART);
    event->object = (int32_t)bar;
  }
}

void pl_lint_copies_arrive(pl_lint_run *r, const pl_node *at, int64_t bar, bool counts) {
  size_t first = r->finds_loops ? r->nevents : r->traces[r->thread].first;
  for (size_t i = r->nevents; i > first; i--)
    if (r->events[i - 1].kind == PL_LINT_COPY && !r->events[i - 1].object)
      r->events[i - 1].object = (int32_t)bar;
  if (counts)
    pl_lint_barrier(r, at, PL_LINT_MBAR_ARRIVE, bar, 1);
  else
    pl_lint_note_sync(r);
}

/* ---- tokens ------------------------------------------------------------------------------ */

/* The last arrival of the thread, as an object or a number. */
static pl_lint_value token_of(pl_lint_run *r, const pl_node *call) {
  pl_lint_value number = {.c = pl_const_make(8, true, r->arrivals - 1)};
  if (!pl_lint_is_object(call->type))
    return number;
  int64_t at = pl_lint_room(r, pl_lint_size(call->type), call);
  pl_lint_set_local(r, at, number);
  return pl_lint_address(at);
}

static bool arrival_of(pl_lint_run *r, const pl_node *token, int64_t *arrival) {
  token = pl_node_bare((pl_node *)token);
  while (token && token->kind == PL_NODE_CALL && token->nkids == 2 &&
         pl_str_is(token->name, "move"))
    token = pl_node_bare(token->kids[1]);
  if (token && pl_lint_number_of(r, token, arrival))
    return true;
  pl_lint_fail(r, token, "which arrival this waits for is not known");
  return false;
}

/* ---- calls ------------------------------------------------------------------------------- */

/* The object of a method, and the arguments but those that only choose an overload. */
typedef struct operands {
  const pl_node *items[8];
  int n;
} operands;

static bool is_choice(const pl_type *type) {
  type = pl_no_reference(type);
  return !type || (pl_lint_is_object(type) && pl_str_has(type->spelling, "cuda::ptx::"));
}

static operands operands_of(const pl_node *call) {
  operands out = {0};
  const pl_node *member = pl_node_bare(call->kids[0]);
  if (member && member->kind == PL_NODE_MEMBER && member->nkids)
    out.items[out.n++] = member->kids[0];
  for (uint32_t i = 1; i < call->nkids && out.n < 8; i++)
    if (call->kids[i] && !is_choice(call->kids[i]->type))
      out.items[out.n++] = call->kids[i];
  return out;
}

/* The barrier that the i-th operand names, by its address or itself; 0: not known. */
static int64_t barrier_at(pl_lint_run *r, const operands *ops, int i) {
  const pl_type *type = i < ops->n ? pl_no_reference(ops->items[i]->type) : NULL;
  int64_t addr = 0;
  bool known = type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY
                            ? pl_lint_address_of(r, ops->items[i], &addr)
                            : pl_lint_place(r, ops->items[i], &addr));
  return known ? addr : 0;
}

static int64_t count_of(pl_lint_run *r, const pl_node *call, const operands *ops, int i,
                        int64_t usual) {
  int64_t value = usual;
  if (i < ops->n && !pl_lint_number_of(r, ops->items[i], &value))
    pl_lint_fail(r, call, "how many arrive, or how many bytes come, depends on data");
  return value;
}

static void wait_for_phase(pl_lint_run *r, const pl_node *call, pl_str name,
                           const operands *ops, int64_t bar, pl_lint_value *value) {
  int64_t number = 0;
  bool by_parity = pl_str_has(name, "parity"), tries = !pl_str_starts(name, "wait");
  pl_lint_event_kind kind = by_parity ? PL_LINT_MBAR_PARITY : PL_LINT_MBAR_WAIT;
  const pl_node *which = ops->n > 1 ? ops->items[1] : NULL;
  bool known = by_parity ? which && pl_lint_number_of(r, which, &number)
                         : arrival_of(r, which, &number);
  if (!known)
    pl_lint_fail(r, call, "for which phase this waits depends on data");
  else if (tries)
    *value = pl_lint_number(pl_lint_try_barrier(r, call, kind, bar, number));
  else
    pl_lint_barrier(r, call, kind, bar, number);
}

/* What cuda::barrier's methods, cuda::device, cuda::ptx and the intrinsics call alike. */
static void use_barrier(pl_lint_run *r, const pl_node *call, pl_str name,
                        pl_lint_value *value) {
  const operands ops = operands_of(call);
  int64_t bar = barrier_at(r, &ops, 0);
  bool arrives = pl_str_starts(name, "arrive"), expects = pl_str_has(name, "_tx");
  bool alone = pl_str_is(name, "arrive_tx"); /* both: how many arrive, then the bytes */
  if (pl_str_is(name, "native_handle")) {
    *value = pl_lint_address(bar);
  } else if (pl_str_is(name, "init")) {
    pl_lint_barrier(r, call, PL_LINT_MBAR_INIT, bar, count_of(r, call, &ops, 1, 0));
  } else if (arrives || expects) {
    int64_t count = expects && !alone ? 1 : count_of(r, call, &ops, 1, 1);
    if (expects)
      pl_lint_barrier(r, call, PL_LINT_MBAR_EXPECT, bar,
                      count_of(r, call, &ops, alone ? 2 : 1, 0));
    if (arrives)
      pl_lint_barrier(r, call, PL_LINT_MBAR_ARRIVE, bar, count)->width =
          pl_str_has(name, "drop");
    if (pl_str_is(name, "arrive_and_wait"))
      pl_lint_barrier(r, call, PL_LINT_MBAR_WAIT, bar, r->arrivals - 1);
    else if (arrives)
      *value = token_of(r, call);
  } else if (pl_str_has(name, "wait")) {
    wait_for_phase(r, call, name, &ops, bar, value);
  } else if (!pl_str_starts(name, "inval")) {
    pl_lint_fail(r, call, "'%.*s' is not known here", PL_FMT(call->name));
  }
}

/* A bulk copy into shared memory, with its barrier last, or out of it. */
static void copy_in_bulk(pl_lint_run *r, const pl_node *call) {
  const operands ops = operands_of(call);
  int64_t to, from = 0, bytes;
  if (ops.n < 3 || !pl_lint_address_of(r, ops.items[0], &to) ||
      !pl_lint_number_of(r, ops.items[2], &bytes)) {
    pl_lint_fail(r, call, "what is copied where is not known");
    return;
  }
  if (!pl_lint_address_of(r, ops.items[1], &from))
    from = 0;
  if (ops.n == 4)
    pl_lint_bulk_copy(r, call, to, from, bytes, barrier_at(r, &ops, 3));
  else
    pl_lint_copy(r, 0, from, bytes, call);
}

/* `block.barrier_arrive()` and `block.barrier_wait()`: a barrier of all threads. */
static bool call_of_block(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  const operands ops = operands_of(call);
  bool arrives = pl_str_is(call->name, "barrier_arrive");
  int64_t arrival = r->arrivals - 1;
  if ((!arrives && !pl_str_is(call->name, "barrier_wait")) || !ops.n ||
      pl_lint_width_of(ops.items[0]) != 0)
    return false;
  pl_lint_note_sync(r);
  if (r->maybe)
    pl_lint_fail(r, call, "data decides whether a barrier is come to");
  if (arrives) {
    pl_lint_meet(r, call, PL_LINT_WHOLE_BLOCK, r->threads, false);
    *value = token_of(r, call);
    return true;
  }
  if (ops.n > 1)
    arrival_of(r, ops.items[1], &arrival);
  pl_lint_event *event = pl_lint_emit(r, PL_LINT_MBAR_WAIT, call);
  event->object = PL_LINT_WHOLE_BLOCK;
  event->arg = arrival;
  return true;
}

bool pl_lint_barrier_call(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  static const char *const owners[] = {"cuda::ptx::mbarrier_", "cuda::device::barrier_",
                                       "cuda::barrier::", "__mbarrier_"};
  pl_str name = call->decl->qualified;
  for (size_t i = 0; i < sizeof owners / sizeof *owners; i++) {
    size_t n = strlen(owners[i]);
    if (!pl_str_starts(name, owners[i]))
      continue;
    use_barrier(r, call, (pl_str){name.p + n, name.n - n}, value);
    return true;
  }
  if (pl_str_is(name, "cuda::init")) {
    use_barrier(r, call, call->name, value);
  } else if (pl_str_is(name, "cuda::ptx::cp_async_bulk") ||
             pl_str_is(name, "cuda::device::memcpy_async_tx") ||
             pl_str_is(name, "cuda::device::experimental::cp_async_bulk_global_to_shared")) {
    copy_in_bulk(r, call);
  } else if (pl_str_starts(call->name, "fence_proxy_async")) {
    *value = pl_lint_unknown(0); /* the two proxies are taken to see the same (docs/lint.md) */
  } else if (pl_str_starts(name, "cuda::ptx::cp_async_mbarrier_arrive")) {
    const operands ops = operands_of(call);
    pl_lint_copies_arrive(r, call, barrier_at(r, &ops, 0), pl_str_has(name, "noinc"));
  } else if (pl_str_starts(name, "cuda::ptx::cp_") && !pl_str_has(name, "_group")) {
    pl_lint_fail(r, call, "what '%.*s' copies is not known here", PL_FMT(call->name));
  } else {
    return pl_str_starts(name, "cooperative_groups::") && call_of_block(r, call, value);
  }
  return true;
}
