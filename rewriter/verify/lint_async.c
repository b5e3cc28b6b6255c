/* lint_async.c - calls of the toolkit: copies, waits, barriers, groups, places.
 *
 * Needs: async_operations.def, the names of CUDA's functions. Gives: events. Raises: why
 * what one of them does is not known. Sources: CUDA C++ Programming Guide, Pipeline
 * Primitives, Cooperative Groups (wait and wait_prior are collective: they end with a
 * barrier of the group), Asynchronous Barrier; libcu++, cuda::pipeline. */
#include "lint_parts.h"

#include "async_operations.h"
#include "call_summary.h"
#include "effects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- groups ----------------------------------------------------------------------- */

/* How many threads a group of this type has; 0: all of the block, -1: not known. */
static int64_t width_of_group(const pl_type *type) {
  static const char tile[] = "thread_block_tile<";
  type = pl_no_reference(type);
  if (!type)
    return -1;
  for (size_t i = 0; i + sizeof tile - 1 < type->spelling.n; i++)
    if (memcmp(type->spelling.p + i, tile, sizeof tile - 1) == 0)
      return atoll(type->spelling.p + i + sizeof tile - 1);
  return pl_str_has(type->spelling, "thread_block") ? 0 : -1;
}

/* The same of what is given for a group: `this_thread()` is of a general type. */
int64_t pl_lint_width_of(const pl_node *group) {
  const pl_node *bare = pl_node_bare((pl_node *)group);
  const pl_node *made = bare && bare->kind == PL_NODE_REF && bare->decl ? bare->decl->init
                                                                       : bare;
  made = pl_node_bare((pl_node *)made);
  if (made && made->kind == PL_NODE_CALL && pl_str_is(made->name, "this_thread"))
    return 1;
  return width_of_group(bare ? bare->type : NULL);
}

static void barrier(pl_lint_run *r, const pl_node *at, int64_t width) {
  pl_lint_note_sync(r);
  if (r->maybe) {
    pl_lint_fail(r, at, "data decides whether a barrier is come to");
    return;
  }
  pl_lint_event *event =
      pl_lint_emit(r, width ? PL_LINT_WARP : PL_LINT_BARRIER, at);
  event->object = (int32_t)width;
  event->arg = width ? -1 : 0;
}

static void sync_group(pl_lint_run *r, const pl_node *call, const pl_node *group) {
  int64_t width = pl_lint_width_of(group);
  if (width < 0)
    pl_lint_fail(r, call, "which threads wait here is not known");
  else if (width > 32)
    pl_lint_fail(r, call, "a barrier of a tile of more than a warp");
  else if (width != 1)
    barrier(r, call, width);
}

/* ---- numbers ----------------------------------------------------------------------- */

/* N of `wait_prior<N>()`. */
static bool written_number(const pl_node *call, int64_t *value) {
  *value = call->template_value;
  return call->has_template_value;
}

bool pl_lint_number_of(pl_lint_run *r, const pl_node *node, int64_t *out) {
  pl_lint_value value = pl_lint_eval(r, node);
  if (pl_lint_is_object(node->type) && value.c.known)
    value = pl_lint_load(r, value.c.bits, node->type, node);
  *out = value.c.bits;
  return value.c.known;
}

bool pl_lint_address_of(pl_lint_run *r, const pl_node *node, int64_t *out) {
  pl_lint_value value = pl_lint_eval(r, node);
  *out = value.c.bits;
  return value.c.known;
}

/* ---- copies ------------------------------------------------------------------------- */

void pl_lint_async_copy(pl_lint_run *r, const pl_node *at, int64_t to, int64_t from,
                        int64_t bytes, int32_t object) {
  if (!pl_lint_is_shared(r, to) || bytes <= 0 || bytes > 32768)
    return;
  if (r->finds_loops)
    pl_lint_note_access(r, PL_LINT_COPY, to, from);
  pl_lint_event *event = pl_lint_emit(r, PL_LINT_COPY, at);
  event->addr = to;
  event->arg = from;
  event->width = (uint16_t)bytes;
  event->object = object;
}

/* The thread's part of what a group copies together. */
static void copy_part(pl_lint_run *r, const pl_node *at, int64_t to, int64_t from,
                      int64_t bytes, int64_t width, int32_t object) {
  int64_t piece = bytes % 16 == 0 && to % 16 == 0 ? 16 : bytes % 4 == 0 && to % 4 == 0 ? 4 : 1;
  int64_t threads = width ? width : r->threads, rank = r->thread % threads;
  for (int64_t i = rank * piece; i < bytes; i += threads * piece)
    pl_lint_async_copy(r, at, to + i, from ? from + i : 0, piece, object);
}

static void note_commit(pl_lint_run *r, const pl_node *at) {
  pl_lint_note_sync(r);
  if (r->maybe)
    pl_lint_fail(r, at, "data decides whether copies are committed");
  pl_lint_emit(r, PL_LINT_COMMIT, at);
  r->groups++;
}

static void note_wait(pl_lint_run *r, const pl_node *at, pl_lint_event_kind kind,
                      int64_t arg) {
  pl_lint_note_sync(r);
  if (r->maybe)
    pl_lint_fail(r, at, "data decides whether copies are waited for");
  pl_lint_emit(r, kind, at)->arg = arg;
}

static void copy_of_thread(pl_lint_run *r, const pl_node *call) {
  int64_t to, from = 0, bytes;
  bool known = call->nkids >= 4 && pl_lint_address_of(r, call->kids[1], &to);
  if (known && !pl_lint_address_of(r, call->kids[2], &from))
    from = 0;
  known = known && pl_lint_number_of(r, call->kids[3], &bytes);
  for (uint32_t i = 4; i < call->nkids; i++)
    pl_lint_eval(r, call->kids[i]);
  if (!known)
    pl_lint_fail(r, call, "what is copied where depends on data");
  else
    pl_lint_async_copy(r, call, to, from, bytes, 0);
}

static void copy_of_group(pl_lint_run *r, const pl_node *call) {
  int64_t to, from = 0, bytes, width = pl_lint_width_of(call->kids[1]);
  bool layouts = call->nkids == 6;
  bool known = call->nkids >= 5 && width >= 0 && pl_lint_address_of(r, call->kids[2], &to);
  if (known && !pl_lint_address_of(r, call->kids[layouts ? 4 : 3], &from))
    from = 0;
  known = known && pl_lint_number_of(r, call->kids[layouts ? 3 : 4], &bytes);
  if (known && layouts) {
    int64_t limit, size = pl_lint_size(pl_no_reference(call->kids[2]->type)->element);
    known = pl_lint_number_of(r, call->kids[5], &limit) && size > 0;
    bytes = (limit < bytes ? limit : bytes) * size;
  }
  if (!known) {
    pl_lint_fail(r, call, "what is copied where is not known");
    return;
  }
  copy_part(r, call, to, from, bytes, width, 0);
  note_commit(r, call);
}

/* ---- pipelines ------------------------------------------------------------------------ */

static pl_lint_pipe *pipe_at(pl_lint_run *r, const pl_node *call, const pl_node *object,
                             bool arrow) {
  int64_t addr;
  bool known =
      arrow ? pl_lint_address_of(r, object, &addr) : pl_lint_place(r, object, &addr);
  if (known && pl_lint_is_local(addr)) {
    pl_lint_value value = r->local[addr - PL_LINT_LOCAL];
    if (value.c.known && value.c.bits >= 1 && value.c.bits <= (int64_t)r->npipes)
      return &r->pipes[value.c.bits - 1];
  }
  pl_lint_fail(r, call, "how this pipeline was made is not seen");
  return NULL;
}

/* N of `pipeline_shared_state<scope, N>`. */
static int64_t stages_of(const pl_type *type) {
  type = pl_no_reference(type);
  if (type && type->kind == PL_TYPE_POINTER)
    type = type->element;
  pl_str s = type ? type->spelling : (pl_str){0};
  size_t at = s.n;
  while (at > 0 && s.p[at - 1] != ',')
    at--;
  while (at < s.n && s.p[at] == ' ')
    at++;
  if (at < s.n && s.p[at] == '\'') { /* as a character: '\x02' */
    if (at + 2 < s.n && s.p[at + 1] == '\\' && s.p[at + 2] == 'x')
      return strtoll(s.p + at + 3, NULL, 16);
    static const char escapes[] = "abtnvfr";
    const char *escape = at + 2 < s.n && s.p[at + 1] == '\\'
                             ? strchr(escapes, s.p[at + 2])
                             : NULL;
    static const int codes[] = {7, 8, 9, 10, 11, 12, 13};
    return escape ? codes[escape - escapes] : 0;
  }
  return at < s.n ? strtoll(s.p + at, NULL, 10) : 0;
}

/* The name of a pipeline: the address of its state, or, where it is made there once
 * more, one of the bytes behind. */
static int32_t object_made_at(pl_lint_run *r, const pl_node *call, int64_t state) {
  int64_t before = 0;
  for (size_t i = 0; i < r->npipes; i++)
    before += r->pipes[i].state == state;
  const pl_type *type = pl_no_reference(call->kids[2]->type);
  type = type && type->element ? type->element : type;
  if (before >= pl_lint_size(type))
    pl_lint_fail(r, call, "a pipeline is made too often");
  return (int32_t)(state + before);
}

/* That of a group ends with a barrier of the group: each finds the state as it is made, and
 * what the others have stored ahead of it. */
static pl_lint_value make_pipe(pl_lint_run *r, const pl_node *call) {
  pl_lint_pipe pipe = {0};
  int64_t state, role = 3, stages = 0;
  if (call->nkids > 1) {
    if (pl_lint_width_of(call->kids[1]) != 0 || call->nkids < 3 ||
        !pl_lint_address_of(r, call->kids[2], &state) || !pl_lint_is_shared(r, state) ||
        (stages = stages_of(call->kids[2]->type)) <= 0)
      pl_lint_fail(r, call, "which threads take part in the pipeline is not known");
    else
      pipe = (pl_lint_pipe){.object = object_made_at(r, call, state), .state = state};
  }
  if (call->nkids > 3) {
    const pl_type *type = pl_no_reference(call->kids[3]->type);
    int64_t given;
    if (!pl_lint_number_of(r, call->kids[3], &given))
      pl_lint_fail(r, call, "which role a thread has in the pipeline depends on data");
    role = type && type->kind == PL_TYPE_ENUM ? (given == 0 ? 1 : 2)
                                              : (r->thread < given ? 1 : 2);
  }
  if (pipe.object) {
    pl_lint_event *event = pl_lint_emit(r, PL_LINT_PIPE_MAKE, call);
    event->object = pipe.object;
    event->arg = role;
    event->width = (uint16_t)stages;
    barrier(r, call, 0);
  }
  PL_PUSH(r->arena, r->pipes, r->npipes, r->pipes_cap, pipe);
  int64_t size = pl_lint_size(call->type), at = pl_lint_room(r, size, call);
  pl_lint_set_local(r, at, pl_lint_number((int64_t)r->npipes));
  return pl_lint_address(at);
}

static void commit_own(pl_lint_run *r, const pl_node *call, pl_lint_pipe *pipe) {
  note_commit(r, call);
  PL_PUSH(r->arena, pipe->groups, pipe->ngroups, pipe->groups_cap, r->groups - 1);
}

static void wait_own(pl_lint_run *r, const pl_node *call, pl_lint_pipe *pipe,
                     int64_t stages) {
  if (stages > (int64_t)pipe->ngroups)
    stages = (int64_t)pipe->ngroups;
  if (stages > pipe->waited)
    pipe->waited = stages;
  note_wait(r, call, PL_LINT_WAIT_GROUP, stages ? pipe->groups[stages - 1] : -1);
}

static void use_pipe(pl_lint_run *r, const pl_node *call, pl_lint_pipe *pipe,
                     pl_async_role role) {
  static const pl_lint_event_kind of_block[] = {
      [PL_ASYNC_ACQUIRE] = PL_LINT_PIPE_ACQUIRE,
      [PL_ASYNC_COMMIT] = PL_LINT_PIPE_COMMIT,
      [PL_ASYNC_WAIT_OLDEST] = PL_LINT_PIPE_WAIT,
      [PL_ASYNC_RELEASE] = PL_LINT_PIPE_RELEASE,
      [PL_ASYNC_QUIT] = PL_LINT_PIPE_QUIT};
  pl_lint_note_sync(r);
  if (pipe->object) {
    if (r->maybe)
      pl_lint_fail(r, call, "data decides whether a pipeline is used");
    pl_lint_emit(r, of_block[role], call)->object = pipe->object;
  } else if (role == PL_ASYNC_COMMIT) {
    commit_own(r, call, pipe);
  } else if (role == PL_ASYNC_WAIT_OLDEST) {
    wait_own(r, call, pipe, pipe->waited + 1);
  }
}

/* ---- copies of libcu++ ---------------------------------------------------------------------- */

/* Copies of libcu++: the last argument keeps account of them. */
static void copy_of_object(pl_lint_run *r, const pl_node *call) {
  uint32_t n = call->nkids;
  const pl_node *keeper = n > 4 ? call->kids[n - 1] : NULL;
  const pl_type *type = keeper ? pl_no_reference(keeper->type) : NULL;
  int64_t to, from = 0, bytes, width = 1;
  uint32_t first = n == 6 ? 2 : 1;
  if (!type || (n != 5 && n != 6)) {
    pl_lint_fail(r, call, "a form of this copy that is not known");
    return;
  }
  if (n == 6)
    width = pl_lint_width_of(call->kids[1]);
  bool known = width >= 0 && pl_lint_address_of(r, call->kids[first], &to);
  if (known && !pl_lint_address_of(r, call->kids[first + 1], &from))
    from = 0;
  if (!known || !pl_lint_number_of(r, call->kids[first + 2], &bytes)) {
    pl_lint_fail(r, call, "what is copied where is not known");
    return;
  }
  int32_t object = 0;
  if (pl_str_has(type->spelling, "barrier<")) {
    int64_t addr;
    if (!pl_lint_place(r, keeper, &addr) || !pl_lint_is_shared(r, addr))
      pl_lint_fail(r, call, "which barrier keeps account of the copies is not known");
    object = (int32_t)addr;
  } else {
    const pl_lint_pipe *pipe = pipe_at(r, call, keeper, false);
    object = pipe ? pipe->object : 0;
  }
  if (width == 1 && bytes <= 16)
    pl_lint_async_copy(r, call, to, from, bytes, object);
  else
    copy_part(r, call, to, from, bytes, width, object);
}

/* ---- asynchronous operations ---------------------------------------------------------------- */

static const struct {
  const char *name;
  pl_async_role role;
  pl_async_keeper keeper;
} operations[] = {
#define X(name, role, keeper) {name, PL_ASYNC_##role, PL_KEPT_BY_##keeper},
#include "async_operations.def"
#undef X
};

static void wait_for(pl_lint_run *r, const pl_node *call, pl_async_keeper keeper,
                     bool all) {
  int64_t prior = 0;
  bool known = keeper == PL_KEPT_BY_THREAD
                   ? call->nkids == 2 && pl_lint_number_of(r, call->kids[1], &prior)
                   : all || written_number(call, &prior);
  if (!known || call->nkids != 2) {
    pl_lint_fail(r, call, "for which copies this waits is not known");
    return;
  }
  if (keeper == PL_KEPT_BY_OBJECT) {
    pl_lint_pipe *pipe = pipe_at(r, call, call->kids[1], false);
    int64_t stages = pipe ? (int64_t)pipe->ngroups - prior : 0;
    if (pipe)
      wait_own(r, call, pipe, stages < 0 ? 0 : stages);
    return;
  }
  note_wait(r, call, PL_LINT_WAIT, prior);
  if (keeper == PL_KEPT_BY_GROUP)
    sync_group(r, call, call->kids[1]);
}

static pl_lint_value asynchronous(pl_lint_run *r, const pl_node *call, size_t which) {
  pl_async_role role = operations[which].role;
  pl_async_keeper keeper = operations[which].keeper;
  bool of_barrier = pl_str_has(call->decl->qualified, "cuda::barrier");
  pl_lint_value none = pl_lint_unknown(0);
  const pl_node *member = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  switch (role) {
  case PL_ASYNC_COPY:
    if (keeper == PL_KEPT_BY_THREAD)
      copy_of_thread(r, call);
    else if (keeper == PL_KEPT_BY_GROUP)
      copy_of_group(r, call);
    else
      copy_of_object(r, call);
    return none;
  case PL_ASYNC_WAIT:
    wait_for(r, call, keeper, pl_str_is(call->name, "wait"));
    return none;
  default:
    break;
  }
  if (of_barrier || keeper != PL_KEPT_BY_OBJECT) {
    if (role == PL_ASYNC_COMMIT)
      note_commit(r, call);
    return none;
  }
  pl_lint_pipe *pipe = member && member->kind == PL_NODE_MEMBER && member->nkids
                           ? pipe_at(r, call, member->kids[0], member->is_arrow)
                           : NULL;
  if (pipe)
    use_pipe(r, call, pipe, role);
  return none;
}

/* ---- where a thread is, and other numbers ----------------------------------------------------- */

static bool rank_of(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  const pl_node *member = pl_node_bare(call->kids[0]);
  const pl_node *group = member && member->nkids ? member->kids[0] : NULL;
  int64_t width = group ? pl_lint_width_of(group) : -1, n = r->threads, k = r->thread;
  if (width < 0)
    return false;
  if (width > 0) {
    bool meta = pl_str_starts(call->name, "meta_group");
    int64_t groups = (n + width - 1) / width;
    n = meta ? groups : width;
    k = meta ? k / width : k % width;
  }
  bool size = pl_str_is(call->name, "size") || pl_str_is(call->name, "num_threads") ||
              pl_str_is(call->name, "meta_group_size");
  *value = (pl_lint_value){.c = pl_const_make(4, true, size ? n : k)};
  return true;
}

static pl_lint_value triple(pl_lint_run *r, const pl_node *call, const int64_t *numbers) {
  int64_t at = pl_lint_room(r, 12, call);
  for (int i = 0; i < 3; i++)
    pl_lint_set_local(r, at + 4 * i,
                      (pl_lint_value){.c = pl_const_make(4, true, numbers[i])});
  return pl_lint_address(at);
}

static bool group_function(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  if (!pl_str_starts(call->decl->qualified, "cooperative_groups::"))
    return false;
  const pl_node *member = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  const pl_node *group =
      member && member->kind == PL_NODE_MEMBER && member->nkids ? member->kids[0] : NULL;
  if (pl_str_is(call->name, "sync")) {
    sync_group(r, call, group ? group : call->nkids > 1 ? call->kids[1] : NULL);
    return true;
  }
  if (group && (pl_str_is(call->name, "thread_rank") || pl_str_is(call->name, "size") ||
                pl_str_is(call->name, "num_threads") ||
                pl_str_starts(call->name, "meta_group")))
    return rank_of(r, call, value);
  if (pl_str_is(call->name, "thread_index")) {
    *value = triple(r, call, r->index);
    return true;
  }
  if (pl_str_is(call->name, "group_index")) {
    int64_t none[3] = {0};
    *value = triple(r, call, none);
    return true;
  }
  if (pl_str_is(call->name, "group_dim") || pl_str_is(call->name, "dim_threads")) {
    *value = triple(r, call, r->at->block);
    return true;
  }
  return false;
}

static bool smaller(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  bool least = pl_str_is(call->name, "min") || pl_str_is(call->name, "umin");
  if ((!least && !pl_str_is(call->name, "max") && !pl_str_is(call->name, "umax")) ||
      call->nkids != 3)
    return false;
  pl_lint_value a = pl_lint_eval(r, call->kids[1]), b = pl_lint_eval(r, call->kids[2]);
  pl_const less = pl_const_binary(PL_OP_LT, a.c, b.c, NULL);
  *value = !less.known ? pl_lint_unknown(a.from ? a.from : b.from)
           : (less.bits != 0) == least ? a
                                       : b;
  if (less.known && pl_is_integer_type(pl_no_reference(call->type)))
    value->c = pl_const_convert(value->c, call->type);
  return true;
}

static bool arithmetic(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  if (smaller(r, call, value))
    return true;
  if ((pl_str_is(call->name, "__mul24") || pl_str_is(call->name, "__umul24")) &&
      call->nkids == 3) {
    pl_lint_value a = pl_lint_eval(r, call->kids[1]), b = pl_lint_eval(r, call->kids[2]);
    value->c = pl_const_binary(PL_OP_MUL, a.c, b.c, call->type);
    return true;
  }
  if (call->nkids == 2 &&
      (pl_str_starts(call->name, "__cvta_") || pl_str_is(call->name, "move") ||
       pl_str_is(call->name, "forward") || pl_str_is(call->name, "__builtin_assume_aligned"))) {
    *value = pl_lint_eval(r, call->kids[1]);
    return true;
  }
  if (pl_str_is(call->name, "abs") && call->nkids == 2) {
    *value = pl_lint_eval(r, call->kids[1]);
    if (value->c.known && value->c.bits < 0)
      value->c = pl_const_unary(PL_OP_MINUS, value->c, call->type);
    return true;
  }
  bool broadcast = pl_str_is(call->name, "__shfl_sync") && call->nkids >= 4;
  if (broadcast) { /* of what is the same in a warp */
    pl_lint_eval(r, call->kids[1]);
    *value = pl_lint_eval(r, call->kids[2]);
    pl_lint_eval(r, call->kids[3]);
    return true;
  }
  return false;
}

/* What a warp loads together: each lane a part, after all have come there. */
static bool load_fragment(pl_lint_run *r, const pl_node *call) {
  int64_t from = 0, step = 0, rows, columns, size;
  bool loads = pl_str_is(call->name, "load_matrix_sync");
  if (!loads && !pl_str_is(call->name, "store_matrix_sync"))
    return false;
  uint32_t pointer = loads ? 2 : 1;
  const pl_node *fragment = call->kids[loads ? 1 : 2];
  const pl_type *type = pl_no_reference(call->kids[pointer]->type);
  if (call->nkids < 4 || !pl_lint_address_of(r, call->kids[pointer], &from) ||
      !pl_lint_number_of(r, call->kids[3], &step) || !type->element) {
    pl_lint_fail(r, call, "which cells a fragment is loaded from is not known");
    return true;
  }
  size = pl_lint_size(type->element);
  pl_str name = pl_no_reference(fragment->type)->spelling;
  int64_t m = 16, n = 16, k = 16;
  const char *comma = memchr(name.p, ',', name.n);
  if (comma)
    sscanf(comma, ", %ld, %ld, %ld", &m, &n, &k);
  bool by_columns = pl_str_has(name, "col_major");
  rows = pl_str_has(name, "matrix_b") ? k : m;
  columns = pl_str_has(name, "matrix_a") ? k : n;
  if (by_columns) {
    int64_t t = rows;
    rows = columns;
    columns = t;
  }
  pl_lint_event *warp = pl_lint_emit(r, PL_LINT_WARP, call);
  warp->object = 32;
  warp->arg = -1;
  for (int64_t i = r->thread % 32; pl_lint_is_shared(r, from) && i < rows; i += 32) {
    pl_lint_event *event = pl_lint_emit(r, loads ? PL_LINT_READ : PL_LINT_WRITE, call);
    event->addr = from + i * step * size;
    event->width = (uint16_t)(columns * size);
  }
  return true;
}

static bool is_atomic(const pl_node *call) {
  return pl_str_starts(call->name, "atomic");
}

static void copy_memory(pl_lint_run *r, const pl_node *call) {
  int64_t to, from = 0, n = 0;
  bool known = call->nkids == 4 && pl_lint_address_of(r, call->kids[1], &to);
  bool set = pl_str_has(call->name, "memset");
  known = known && (set || pl_lint_address_of(r, call->kids[2], &from)) &&
          pl_lint_number_of(r, call->kids[3], &n);
  if (known && !set)
    pl_lint_copy(r, to, from, n, call);
  else if (known && pl_lint_is_shared(r, to))
    for (int64_t i = 0; i < n; i += 4) {
      pl_lint_event *event = pl_lint_emit(r, PL_LINT_WRITE, call);
      event->addr = to + i;
      event->width = (uint16_t)(n - i < 4 ? n - i : 4);
    }
}

static bool waits_for_all(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  if (pl_str_starts(call->name, "__syncthreads")) {
    *value = pl_lint_eval_all(r, call, 1);
    barrier(r, call, 0);
    return true;
  }
  if (pl_str_is(call->name, "__syncwarp")) {
    int64_t mask = -1;
    if (call->nkids > 1 && !pl_lint_number_of(r, call->kids[1], &mask))
      mask = -1;
    if (!r->maybe) {
      pl_lint_event *event = pl_lint_emit(r, PL_LINT_WARP, call);
      event->object = 32;
      event->arg = mask & 0xffffffff ? mask & 0xffffffff : -1;
    }
    return true;
  }
  return false;
}

bool pl_lint_toolkit(pl_lint_run *r, const pl_node *call, pl_lint_value *value) {
  *value = pl_lint_unknown(0);
  if (!call->decl || call->decl->is_user)
    return false;
  if (pl_lint_barrier_call(r, call, value))
    return true;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (pl_str_is(call->decl->qualified, operations[i].name)) {
      *value = asynchronous(r, call, i);
      return true;
    }
  if (pl_str_is(call->decl->qualified, "cuda::make_pipeline")) {
    *value = make_pipe(r, call);
    return true;
  }
  if (pl_str_is(call->name, "memcpy") || pl_str_is(call->name, "memset") ||
      pl_str_is(call->name, "__builtin_memcpy") || pl_str_is(call->name, "__builtin_memset")) {
    copy_memory(r, call);
    return true;
  }
  if (pl_str_is(call->name, "__trap") || pl_str_is(call->name, "printf"))
    return pl_lint_eval_all(r, call, 1), true;
  if (is_atomic(call) && call->nkids > 1) {
    int64_t to;
    if (pl_lint_address_of(r, call->kids[1], &to) && pl_lint_is_shared(r, to)) {
      pl_lint_event *event = pl_lint_emit(r, PL_LINT_ATOMIC, call);
      event->addr = to;
      event->width = (uint16_t)pl_lint_size(pl_no_reference(call->kids[1]->type)->element);
    }
    pl_lint_eval_all(r, call, 2);
    return true;
  }
  if (pl_str_starts(call->decl->qualified, "cuda::device::") ||
      pl_str_starts(call->decl->qualified, "cuda::barrier::") ||
      pl_str_starts(call->decl->qualified, "nvcuda::experimental::pipeline")) {
    pl_lint_fail(r, call, "'%.*s' is not known here", PL_FMT(call->name));
    return true;
  }
  return waits_for_all(r, call, value) || group_function(r, call, value) ||
         arithmetic(r, call, value) || load_fragment(r, call);
}
