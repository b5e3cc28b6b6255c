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

/* The arguments but those that only choose an overload, and the object of a method. */
typedef struct operands {
  const pl_node *items[8];
  int n;
  int64_t object; /* of the method; 0: none */
} operands;

static bool is_choice(const pl_type *type) {
  type = pl_no_reference(type);
  return !type || (pl_lint_is_object(type) && pl_str_has(type->spelling, "cuda::ptx::"));
}

static operands operands_of(pl_lint_run *r, const pl_node *call) {
  operands out = {0};
  const pl_node *member = pl_node_bare(call->kids[0]);
  for (uint32_t i = 1; i < call->nkids && out.n < 8; i++)
    if (call->kids[i] && !is_choice(call->kids[i]->type))
      out.items[out.n++] = call->kids[i];
  if (member && member->kind == PL_NODE_MEMBER && member->nkids &&
      !(member->is_arrow ? pl_lint_address_of(r, member->kids[0], &out.object)
                         : pl_lint_place(r, member->kids[0], &out.object)))
    out.object = -1;
  return out;
}

/* The barrier that an argument names, by its address or itself. */
static int64_t barrier_at(pl_lint_run *r, const pl_node *node) {
  const pl_type *type = node ? pl_no_reference(node->type) : NULL;
  int64_t addr = 0;
  bool known = type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY
                            ? pl_lint_address_of(r, node, &addr)
                            : pl_lint_place(r, node, &addr));
  return known ? addr : 0;
}

static int64_t count_of(pl_lint_run *r, const pl_node *call, const operands *ops, int i,
                        int64_t usual) {
  int64_t value = usual;
  if (i < ops->n && !pl_lint_number_of(r, ops->items[i], &value))
    pl_lint_fail(r, call, "how many arrive, or how many bytes come, depends on data");
  return value;
}

static void wait_for_phase(pl_lint_run *r, const pl_node *call, int64_t bar,
                           const pl_node *arg, bool by_parity, bool tries,
                           pl_lint_value *value) {
  int64_t number = 0;
  pl_lint_event_kind kind = by_parity ? PL_LINT_MBAR_PARITY : PL_LINT_MBAR_WAIT;
  bool known = by_parity ? arg && pl_lint_number_of(r, arg, &number)
                         : arrival_of(r, arg, &number);
  if (!known)
    pl_lint_fail(r, call, "for which phase this waits depends on data");
  else if (tries)
    *value = pl_lint_number(pl_lint_try_barrier(r, call, kind, bar, number));
  else
    pl_lint_barrier(r, call, kind, bar, number);
}

static void expect(pl_lint_run *r, const pl_node *call, int64_t bar, int64_t bytes) {
  pl_lint_barrier(r, call, PL_LINT_MBAR_EXPECT, bar, bytes);
}

static bool is_tests(pl_str name) {
  return pl_str_has(name, "try_wait") || pl_str_has(name, "test_wait");
}

static pl_lint_value arrive(pl_lint_run *r, const pl_node *call, int64_t bar,
                            int64_t count, bool drops) {
  pl_lint_barrier(r, call, PL_LINT_MBAR_ARRIVE, bar, count)->width = drops;
  return token_of(r, call);
}

/* cuda::ptx::, __mbarrier_: the barrier is an argument. */
static bool call_of_ptx(pl_lint_run *r, const pl_node *call, pl_str name,
                        pl_lint_value *value) {
  const operands ops = operands_of(r, call);
  int64_t bar = ops.n ? barrier_at(r, ops.items[0]) : 0;
  if (pl_str_is(name, "init")) {
    pl_lint_barrier(r, call, PL_LINT_MBAR_INIT, bar, count_of(r, call, &ops, 1, 0));
  } else if (pl_str_has(name, "expect_tx")) {
    expect(r, call, bar, count_of(r, call, &ops, 1, 0));
    if (pl_str_starts(name, "arrive"))
      *value = arrive(r, call, bar, 1, false);
  } else if (pl_str_starts(name, "arrive")) {
    *value = arrive(r, call, bar, count_of(r, call, &ops, 1, 1), pl_str_has(name, "drop"));
  } else if (is_tests(name)) {
    const pl_node *which = ops.n > 1 ? ops.items[1] : NULL;
    wait_for_phase(r, call, bar, which, pl_str_has(name, "parity"), true, value);
  } else if (pl_str_starts(name, "inval")) {
    return true;
  } else {
    pl_lint_fail(r, call, "'%.*s' is not known here", PL_FMT(call->name));
  }
  return true;
}

/* A bulk copy into shared memory, with its barrier last, or out of it. */
static void copy_in_bulk(pl_lint_run *r, const pl_node *call) {
  const operands ops = operands_of(r, call);
  int64_t to, from = 0, bytes;
  if (ops.n < 3 || !pl_lint_address_of(r, ops.items[0], &to) ||
      !pl_lint_number_of(r, ops.items[2], &bytes)) {
    pl_lint_fail(r, call, "what is copied where is not known");
    return;
  }
  if (!pl_lint_address_of(r, ops.items[1], &from))
    from = 0;
  if (ops.n == 4)
    pl_lint_bulk_copy(r, call, to, from, bytes, barrier_at(r, ops.items[3]));
  else
    pl_lint_copy(r, 0, from, bytes, call);
}

static bool call_of_device(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  const operands ops = operands_of(r, call);
  if (pl_str_is(call->name, "memcpy_async_tx")) {
    copy_in_bulk(r, call);
    return true;
  }
  int64_t bar = ops.n ? barrier_at(r, ops.items[0]) : 0;
  if (pl_str_is(call->name, "barrier_native_handle")) {
    *value = pl_lint_address(bar);
    return true;
  }
  if (pl_str_is(call->name, "barrier_expect_tx")) {
    expect(r, call, bar, count_of(r, call, &ops, 1, 0));
    return true;
  }
  if (!pl_str_is(call->name, "barrier_arrive_tx"))
    return false;
  expect(r, call, bar, count_of(r, call, &ops, 2, 0));
  *value = arrive(r, call, bar, count_of(r, call, &ops, 1, 1), false);
  return true;
}

/* Methods of cuda::barrier. */
static bool call_of_barrier(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  const operands ops = operands_of(r, call);
  pl_str name = call->name;
  const pl_node *which = ops.n ? ops.items[0] : NULL;
  if (pl_str_starts(name, "arrive")) {
    bool waits = pl_str_is(name, "arrive_and_wait");
    *value = arrive(r, call, ops.object, waits ? 1 : count_of(r, call, &ops, 0, 1),
                    pl_str_has(name, "drop"));
    if (waits)
      pl_lint_barrier(r, call, PL_LINT_MBAR_WAIT, ops.object, r->arrivals - 1);
    return true;
  }
  if (!pl_str_has(name, "wait"))
    return false;
  wait_for_phase(r, call, ops.object, which, pl_str_has(name, "parity"),
                 pl_str_starts(name, "try"), value);
  return true;
}

/* `block.barrier_arrive()` and `block.barrier_wait()`: a barrier of all threads. */
static bool call_of_block(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  const pl_node *member = pl_node_bare(call->kids[0]);
  bool arrives = pl_str_is(call->name, "barrier_arrive");
  if ((!arrives && !pl_str_is(call->name, "barrier_wait")) || !member ||
      member->kind != PL_NODE_MEMBER || pl_lint_width_of(member->kids[0]) != 0)
    return false;
  pl_lint_note_sync(r);
  if (r->maybe)
    pl_lint_fail(r, call, "data decides whether a barrier is come to");
  int64_t arg = arrives ? 1 : r->arrivals - 1;
  if (!arrives && call->nkids > 1)
    arrival_of(r, call->kids[1], &arg);
  pl_lint_event *event = pl_lint_emit(
      r, arrives ? PL_LINT_MBAR_ARRIVE : PL_LINT_MBAR_WAIT, call);
  event->object = PL_LINT_WHOLE_BLOCK;
  event->arg = arg;
  r->arrivals += arrives;
  if (arrives)
    *value = token_of(r, call);
  return true;
}

bool pl_lint_barrier_call(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  static const char ptx[] = "cuda::ptx::mbarrier_", own[] = "__mbarrier_";
  pl_str name = call->decl->qualified, plain = call->name;
  if (pl_str_starts(name, ptx) || pl_str_starts(plain, own)) {
    size_t skip = pl_str_starts(plain, own) ? sizeof own - 1 : strlen("mbarrier_");
    return call_of_ptx(r, call, (pl_str){plain.p + skip, plain.n - skip}, value);
  }
  if (pl_str_is(name, "cuda::init"))
    return call_of_ptx(r, call, plain, value);
  if (pl_str_starts(name, "cuda::barrier::"))
    return call_of_barrier(r, call, value);
  if (pl_str_starts(name, "cuda::device::"))
    return call_of_device(r, call, value);
  if (pl_str_is(name, "cuda::ptx::cp_async_bulk"))
    return copy_in_bulk(r, call), true;
  if (pl_str_starts(name, "cuda::ptx::cp_async_mbarrier_arrive")) {
    const operands ops = operands_of(r, call);
    pl_lint_copies_arrive(r, call, ops.n ? barrier_at(r, ops.items[0]) : 0,
                          pl_str_has(name, "noinc"));
    return true;
  }
  if (pl_str_starts(name, "cuda::ptx::cp_") && !pl_str_has(name, "_group")) {
    pl_lint_fail(r, call, "what '%.*s' copies is not known here", PL_FMT(plain));
    return true;
  }
  return pl_str_starts(name, "cooperative_groups::") && call_of_block(r, call, value);
}
