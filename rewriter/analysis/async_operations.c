/* async_operations.c - which asynchronous operation is a statement?
 *
 * Needs: the model, async_operations.def. Gives: role, object, addresses and bytes of a
 * call or of inline assembly, also of a function of the user's that is no more than one
 * such. Raises nothing: `problem` says why less is known. */
#include "async_operations.h"

#include "assembly.h"
#include "reaching_definitions.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES 3

/* A call of the user's function that is looked into; NULL: the function itself. */
typedef struct frame {
  const struct frame *up;
  const pl_node *call;
  const pl_func *callee;
  int depth;
} frame;

typedef struct reading {
  const pl_loop *loop;
  pl_async_op *op;
} reading;

static const struct {
  const char *name;
  pl_async_role role;
  pl_async_keeper keeper;
} known[] = {
#define X(name, role, keeper) {name, PL_ASYNC_##role, PL_KEPT_BY_##keeper},
#include "async_operations.def"
#undef X
};

static bool fails(reading *r, const char *why) {
  if (!r->op->problem)
    r->op->problem = why;
  return false;
}

/* ---- what a name stands for ------------------------------------------------- */

static pl_node *strip(pl_node *node) {
  node = pl_node_bare(node);
  while (node && node->kind == PL_NODE_CAST && node->nkids)
    node = pl_node_bare(node->kids[0]);
  return node;
}

static bool does_more(pl_node *node, const void *depth);

/* A call that hands back what it computes from its arguments, as an address. */
static bool only_computes(const pl_node *call, int depth) {
  if (call->has_ival || (!pl_is_own_function(call) &&
                         pl_str_is(call->name, "__cvta_generic_to_shared")))
    return true;
  const pl_node *body = call->decl && call->decl->func ? pl_called_body(call) : NULL;
  depth++;
  return body && body->nkids == 1 && body->kids[0] &&
         body->kids[0]->kind == PL_NODE_RETURN && depth <= MOST_FRAMES &&
         !pl_node_find(body->kids[0], does_more, &depth);
}

static bool does_more(pl_node *node, const void *depth) {
  return node->kind == PL_NODE_LAMBDA || node->kind == PL_NODE_ASM ||
         pl_node_changes(node) ||
         (node->kind == PL_NODE_CALL && !only_computes(node, *(const int *)depth));
}

typedef struct between_walk {
  const pl_node *from, *to;
} between_walk;

static bool may_change(pl_node *node, const void *context) {
  const between_walk *w = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool variable = decl && !decl->is_constexpr && !node->has_ival &&
                  !(decl->type && decl->type->is_const && !decl->owner) &&
                  (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
                  decl->type && decl->type->kind != PL_TYPE_ARRAY;
  return (node->kind == PL_NODE_CALL && !only_computes(node, 0)) ||
         node->kind == PL_NODE_LAMBDA || pl_node_changes(node) ||
         (variable && (!pl_is_private(decl) ||
                       pl_is_set_between(decl, w->from, w->to) != PL_NO));
}

/* What a local variable was set to where it was declared, if that is its value at a
 * use and would be the same there; NULL: not known. */
static pl_node *initialiser_of(pl_node *ref) {
  pl_node *init = pl_reaching_initialiser(ref);
  between_walk w = {init, ref};
  return pl_node_find(init, may_change, &w) ? NULL : init;
}

/* The argument of a frame's call for a parameter; its default where it has none. */
static pl_node *argument_of(const frame *f, int param) {
  uint32_t at = (uint32_t)param + 1;
  return at < f->call->nkids ? f->call->kids[at]
                             : f->callee->params[param]->init;
}

/* What an expression of a frame is in the text of the function, without its casts
 * where it is a function's; NULL: nothing that stands there. */
static pl_node *resolve(const frame *f, pl_node *node) {
  if (!f || !node)
    return node;
  node = strip(node);
  if (node->has_ival)
    return node;
  if (node->kind != PL_NODE_REF || !node->decl)
    return NULL;
  int param = pl_param_index(f->callee, node->decl);
  if (param >= 0)
    return pl_assigned_anywhere(f->callee->body, node->decl)
               ? NULL
               : resolve(f->up, argument_of(f, param));
  pl_node *init = initialiser_of(node);
  return init ? resolve(f, init) : NULL;
}

/* The same of a condition, which no conversion on the way may change: bool. */
static pl_node *resolve_condition(const frame *f, pl_node *node) {
  pl_node *found = resolve(f, node);
  const pl_type *type = found ? pl_no_reference(found->type) : NULL;
  return !f || (type && (type->kind == PL_TYPE_BOOL || found->has_ival)) ? found : NULL;
}

/* The value of a constant. */
static bool value_of(const reading *r, const frame *f, pl_node *node,
                     int64_t *value) {
  const pl_func *func = f ? f->callee : r->loop->func;
  if (!node)
    return false;
  if (node->has_ival) {
    *value = node->ival;
    return true;
  }
  if (pl_node_eval(node, func, pl_own_instance(func), value))
    return true;
  pl_node *bare = strip(node);
  if (f && bare->kind == PL_NODE_REF && bare->decl &&
      pl_param_index(f->callee, bare->decl) >= 0) {
    int param = pl_param_index(f->callee, bare->decl);
    return !pl_assigned_anywhere(f->callee->body, bare->decl) &&
           value_of(r, f->up, argument_of(f, param), value);
  }
  pl_node *init = bare->kind == PL_NODE_REF ? initialiser_of(bare) : NULL;
  return init && value_of(r, f, init, value);
}

/* ---- the group, the object ---------------------------------------------------- */

static bool is_called(const pl_node *node, const char *qualified) {
  return node && node->kind == PL_NODE_CALL && node->decl &&
         !node->decl->is_user && pl_str_is(node->decl->qualified, qualified);
}

static bool take_group(reading *r, const frame *f, pl_node *node) {
  node = resolve(f, node);
  pl_node *bare = node ? strip(node) : NULL;
  const pl_type *type = bare ? pl_no_reference(bare->type) : NULL;
  if (!type)
    return fails(r, "which threads make this copy is not seen");
  const pl_node *made = bare->kind == PL_NODE_REF && bare->decl && bare->decl->init
                            ? pl_node_bare(bare->decl->init)
                            : bare;
  r->op->group = bare;
  if (is_called(made, "cooperative_groups::this_thread"))
    r->op->by = PL_GROUP_THREAD;
  else if (pl_is_thread_block(type))
    r->op->by = PL_GROUP_BLOCK;
  else if (pl_str_has(type->spelling, "thread_block_tile"))
    r->op->by = PL_GROUP_TILE;
  else
    return fails(r, "which threads make this copy together is not known");
  return true;
}

/* Whether a pipeline is one of all threads of the block, with no roles. */
static bool is_pipeline_of_block(const pl_node *made) {
  const pl_node *group = made->nkids > 1 ? pl_node_bare(made->kids[1]) : NULL;
  return made->nkids == 3 && group && group->type &&
         pl_is_thread_block(pl_no_reference(group->type));
}

static bool take_pipeline(reading *r, const pl_decl *decl) {
  pl_node *made = decl->init ? pl_node_bare(decl->init) : NULL;
  if (!is_called(made, "cuda::make_pipeline"))
    return fails(r, "which threads take part in the pipeline is not seen");
  if (made->nkids == 1)
    return true;
  r->op->of_block = true;
  return is_pipeline_of_block(made) ||
         fails(r, "not all threads of the block are both producers and consumers "
                  "of the pipeline");
}

static bool take_object(reading *r, const frame *f, pl_node *node) {
  node = resolve(f, node);
  pl_node *bare = node ? strip(node) : NULL;
  const pl_decl *decl = bare && bare->kind == PL_NODE_REF ? bare->decl : NULL;
  r->op->of_several = bare && bare->kind == PL_NODE_SUBSCRIPT && bare->nkids == 2 &&
                      !bare->kids[1]->has_ival &&
                      pl_node_bare(bare->kids[1])->kind != PL_NODE_INT;
  if (!decl || decl->kind != PL_DECL_VAR || !decl->type || !decl->owner)
    return fails(r, "the pipeline or barrier that keeps account of the copies is no "
                    "variable of the function");
  r->op->object = decl;
  pl_str type = decl->type->spelling;
  if (pl_str_has(type, "pipeline<"))
    return take_pipeline(r, decl);
  r->op->of_block = true;
  return (decl->is_shared && pl_str_has(type, "barrier<") &&
          pl_str_has(type, "thread_scope_block>")) ||
         fails(r, "the barrier is not a plain one of the block's");
}

/* ---- bytes ---------------------------------------------------------------------- */

/* N of cuda::aligned_size_t<N>, 0: it is none. */
static int64_t promised_alignment(const pl_type *type) {
  static const char name[] = "aligned_size_t<";
  type = type ? pl_no_reference(type) : NULL;
  for (size_t i = 0; type && i + sizeof name - 1 < type->spelling.n; i++)
    if (memcmp(type->spelling.p + i, name, sizeof name - 1) == 0)
      return atoll(type->spelling.p + i + sizeof name - 1);
  return 0;
}

static bool take_bytes(reading *r, const frame *f, pl_node *node) {
  pl_node *bare = node ? pl_node_bare(node) : NULL;
  if (!bare)
    return fails(r, "how many bytes are copied is not seen");
  r->op->aligned = promised_alignment(bare->type);
  while (bare && promised_alignment(bare->type)) {
    if (bare->kind == PL_NODE_CONSTRUCT && bare->nkids == 1)
      bare = pl_node_bare(bare->kids[0]);
    else if (bare->kind == PL_NODE_CAST && bare->nkids == 1)
      bare = pl_node_bare(bare->kids[0]);
    else if (bare->kind == PL_NODE_REF && bare->decl && bare->decl->init &&
             bare->decl->type->is_const && bare->decl->owner)
      bare = pl_node_bare(bare->decl->init);
    else
      bare = NULL;
  }
  if (!bare)
    return fails(r, "how many bytes are copied is not seen");
  r->op->nbytes = -1;
  value_of(r, f, bare, &r->op->nbytes);
  r->op->bytes = resolve(f, bare);
  return r->op->bytes || r->op->nbytes > 0 ||
         fails(r, "how many bytes are copied is not seen");
}

/* `c ? N : 0` of as many bytes as are copied, `full`: of those that are read, else of
 * those that are zeros. */
static bool take_part(reading *r, const frame *f, pl_node *node, bool full) {
  int64_t yes, no, all = r->op->nbytes;
  pl_node *bare = node ? strip(node) : NULL;
  if (value_of(r, f, node, &yes) && yes == (full ? all : 0))
    return true;
  for (int i = 0; bare && bare->kind == PL_NODE_REF && i < 4; i++) {
    int param = f ? pl_param_index(f->callee, bare->decl) : -1;
    pl_node *to = param >= 0 ? argument_of(f, param) : initialiser_of(bare);
    f = param >= 0 ? f->up : f;
    bare = to ? strip(to) : NULL;
  }
  if (!bare || bare->kind != PL_NODE_COND || all <= 0 ||
      !value_of(r, f, bare->kids[1], &yes) || !value_of(r, f, bare->kids[2], &no) ||
      !((yes == all && no == 0) || (yes == 0 && no == all)))
    return fails(r, "a part of the bytes may be zeros");
  r->op->when = resolve_condition(f, bare->kids[0]);
  r->op->unless = (yes == all) != full;
  r->op->zeros = true;
  return r->op->when ? true : fails(r, "when zeros are stored is not seen");
}

/* ---- calls ------------------------------------------------------------------------ */

static bool take_wait(reading *r, const frame *f, const pl_node *call) {
  r->op->prior = -1;
  if (r->op->keeper == PL_KEPT_BY_THREAD) {
    if (call->nkids != 2 || !value_of(r, f, call->kids[1], &r->op->prior))
      return fails(r, "which copies this waits for is not known");
    return true;
  }
  if (call->nkids != 2)
    return fails(r, "which copies this waits for is not known");
  bool all = pl_str_is(call->decl->qualified, "cooperative_groups::wait");
  r->op->prior = all ? 0 : f || !call->has_template_value ? -1 : call->template_value;
  if (r->op->keeper == PL_KEPT_BY_GROUP ? !take_group(r, f, call->kids[1])
                                        : !take_object(r, f, call->kids[1]))
    return false;
  return r->op->prior >= 0 || fails(r, "which copies this waits for is not known");
}

/* `cg::memcpy_async(group, to, places, from, limit)`, of elements. */
static bool take_layouts(reading *r, const frame *f, const pl_node *call) {
  pl_async_op *op = r->op;
  if (!take_group(r, f, call->kids[1]))
    return false;
  op->to = resolve(f, call->kids[2]);
  op->places = resolve(f, call->kids[3]);
  op->from = resolve(f, call->kids[4]);
  op->limit = resolve(f, call->kids[5]);
  return (op->to && op->places && op->from && op->limit) ||
         fails(r, "the addresses are computed in the function that copies");
}

static bool take_copy(reading *r, const frame *f, const pl_node *call) {
  pl_async_op *op = r->op;
  uint32_t n = call->nkids, first = 1;
  if (op->keeper == PL_KEPT_BY_OBJECT) {
    if (n != 5 && n != 6)
      return fails(r, "a form of this copy that is not known");
    if (!take_object(r, f, call->kids[n - 1]))
      return false;
    first = n == 6 ? 2 : 1;
  } else if (op->keeper == PL_KEPT_BY_GROUP) {
    if (n != 5 && n != 6)
      return fails(r, "a form of this copy that is not known");
    if (n == 6)
      return take_layouts(r, f, call);
    first = 2;
  } else if (n != 4 && n != 5) {
    return fails(r, "a form of this copy that is not known");
  }
  if (first == 2 && !take_group(r, f, call->kids[1]))
    return false;
  op->to = resolve(f, call->kids[first]);
  op->from = resolve(f, call->kids[first + 1]);
  if (!op->to || !op->from)
    return fails(r, "the addresses are computed in the function that copies");
  if (!take_bytes(r, f, call->kids[first + 2]))
    return false;
  if (op->keeper != PL_KEPT_BY_THREAD)
    return true;
  op->aligned = op->nbytes;
  return n < 5 || take_part(r, f, call->kids[4], false);
}

/* ---- assembly ---------------------------------------------------------------------- */

/* The operand that `[%k]` names; NULL: it is something else. */
static pl_node *address_of(const pl_node *node, pl_str word) {
  return word.n > 2 && word.p[0] == '[' && word.p[word.n - 1] == ']'
             ? pl_ptx_operand(node, (pl_str){word.p + 1, word.n - 2})
             : NULL;
}

static bool number_of(const reading *r, const frame *f, const pl_node *node,
                      pl_str word, int64_t *value) {
  word = pl_str_trimmed(word);
  if (word.n && word.n < 10 && word.p[0] >= '0' && word.p[0] <= '9') {
    *value = 0;
    for (size_t i = 0; i < word.n; i++) {
      if (word.p[i] < '0' || word.p[i] > '9')
        return false;
      *value = *value * 10 + (word.p[i] - '0');
    }
    return true;
  }
  pl_node *operand = pl_ptx_operand(node, word);
  return operand && value_of(r, f, operand, value);
}

/* The pointer whose address in shared memory an expression is, `__cvta_generic_to_shared`
 * of it; NULL: none is seen. What is added to it goes to op->offset. */
static pl_node *shared_pointer(reading *r, const frame *f, pl_node *node) {
  node = node ? strip(node) : NULL;
  if (!node || (f && f->depth > MOST_FRAMES))
    return NULL;
  if (node->kind == PL_NODE_CALL) {
    if (node->nkids == 2 && !pl_is_own_function(node) &&
        pl_str_is(node->name, "__cvta_generic_to_shared"))
      return resolve(f, node->kids[1]);
    const pl_func *callee = node->decl ? node->decl->func : NULL;
    const pl_node *body = callee ? pl_called_body(node) : NULL;
    const pl_node *only = body && body->nkids == 1 ? body->kids[0] : NULL;
    frame inner = {f, node, callee, f ? f->depth + 1 : 1};
    return only && only->kind == PL_NODE_RETURN && only->nkids == 1
               ? shared_pointer(r, &inner, only->kids[0])
               : NULL;
  }
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_ADD && !f &&
      !r->op->offset) {
    pl_node *found = shared_pointer(r, f, node->kids[0]);
    if (found)
      r->op->offset = node->kids[1];
    return found;
  }
  int param = f && node->kind == PL_NODE_REF ? pl_param_index(f->callee, node->decl) : -1;
  if (param >= 0)
    return pl_assigned_anywhere(f->callee->body, node->decl)
               ? NULL
               : shared_pointer(r, f->up, argument_of(f, param));
  pl_node *init = node->kind == PL_NODE_REF ? initialiser_of(node) : NULL;
  return init ? shared_pointer(r, f, init) : NULL;
}

/* `cp.async.cg.shared.global [%0], [%1], 16;` and relatives; false: another one. */
static bool is_copy_opcode(pl_str word) {
  static const char *const caches[] = {"cp.async.ca.shared", "cp.async.cg.shared"};
  static const char *const ends[] = {"", ".L2::64B", ".L2::128B", ".L2::256B"};
  for (size_t c = 0; c < sizeof caches / sizeof *caches; c++)
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++)
      for (int cta = 0; cta < 2; cta++) {
        const char *parts[] = {caches[c], cta ? "::cta" : "", ".global", ends[e]};
        size_t at = 0;
        for (int i = 0; i < 4; i++) {
          size_t n = strlen(parts[i]);
          if (at + n > word.n || memcmp(word.p + at, parts[i], n) != 0) {
            at = word.n + 1;
            break;
          }
          at += n;
        }
        if (at == word.n)
          return true;
      }
  return false;
}

/* `setp.ne.b32 p, %0, 0;` behind which `@p` stands. */
static bool take_predicate(reading *r, const frame *f, const pl_node *node,
                           const pl_ptx *test) {
  static const char *const tests[] = {"setp.ne.b32", "setp.ne.s32", "setp.ne.u32"};
  pl_node *operand =
      test->noperands == 3 ? pl_ptx_operand(node, test->operands[1]) : NULL;
  int64_t zero = -1;
  if (!PL_STR_IS_ONE(test->opcode, tests) || !operand ||
      !number_of(r, f, node, test->operands[2], &zero) || zero != 0)
    return fails(r, "the predicate of the assembly is not known");
  int64_t value;
  pl_node *when = resolve_condition(f, operand);
  if (when && value_of(r, NULL, when, &value) && value)
    return true;
  r->op->when = when;
  return when ? true : fails(r, "the predicate of the assembly is not seen");
}

/* A copy, and the test of its predicate, NULL: it has none. */
static bool take_asm_copy(reading *r, const frame *f, const pl_node *node,
                          const pl_ptx *copy, const pl_ptx *test) {
  pl_async_op *op = r->op;
  int n = copy->noperands;
  pl_node *to = n > 0 ? address_of(node, copy->operands[0]) : NULL;
  pl_node *from = n > 1 ? address_of(node, copy->operands[1]) : NULL;
  op->role = PL_ASYNC_COPY;
  op->to = shared_pointer(r, f, to);
  op->from = from ? resolve(f, from) : NULL;
  if (!op->to || !op->from)
    fails(r, "which addresses the assembly copies between is not seen");
  else if (n < 3 || n > 4 || !number_of(r, f, node, copy->operands[2], &op->nbytes))
    fails(r, "how many bytes the assembly copies is not seen");
  op->aligned = op->nbytes;
  int64_t reads;
  pl_node *operand = n > 3 ? pl_ptx_operand(node, copy->operands[3]) : NULL;
  if (operand && !op->problem && !take_part(r, f, operand, true))
    return true;
  if (n > 3 && !operand &&
      (!number_of(r, f, node, copy->operands[3], &reads) || reads != op->nbytes))
    fails(r, "a part of the bytes may be zeros");
  if (test && op->when)
    fails(r, "both a predicate and a count decide what is copied");
  else if (test)
    take_predicate(r, f, node, test);
  return true;
}

/* `cp.async.commit_group; cp.async.wait_group 0;`, or one of the two; false: another
 * instruction stands there. wait_all waits for what was not committed, too. */
static bool take_asm_order(reading *r, const frame *f, const pl_node *node, pl_str text) {
  pl_async_op *op = r->op;
  bool waits = false;
  for (pl_ptx p = {.text = text}; pl_ptx_next(&p);) {
    if (p.predicate.n || waits || p.noperands > 1)
      return false;
    if (pl_str_is(p.opcode, "cp.async.commit_group") && !p.noperands && !op->commits) {
      op->commits = true;
    } else if (pl_str_is(p.opcode, "cp.async.wait_all") && !p.noperands) {
      op->prior = PL_ASYNC_OF_ALL;
      waits = true;
    } else if (pl_str_is(p.opcode, "cp.async.wait_group")) {
      waits = true;
      if (!p.noperands || !number_of(r, f, node, p.operands[0], &op->prior))
        fails(r, "which copies this waits for is not known");
    } else {
      return false;
    }
  }
  op->role = waits ? PL_ASYNC_WAIT : PL_ASYNC_COMMIT;
  return waits || op->commits;
}

/* `.reg .pred p; setp.ne.b32 p, %2, 0; @p cp.async...` */
static bool take_asm(reading *r, const frame *f, const pl_node *node) {
  pl_str text = pl_assembly_text(r->loop->unit, node);
  pl_ptx p = {.text = text}, test = {0};
  r->op->keeper = PL_KEPT_BY_THREAD;
  bool any = pl_ptx_next(&p);
  bool tests = any && pl_str_is(p.opcode, ".reg") && p.noperands &&
               pl_str_starts(p.operands[0], ".pred ");
  if (tests) {
    any = pl_ptx_next(&p);
    test = p;
    any = any && pl_ptx_next(&p);
  }
  if (node->ival || !any || p.negated || (p.predicate.n > 0) != tests ||
      (tests && !(test.noperands && pl_str_eq(test.operands[0], p.predicate))))
    return false;
  pl_ptx rest = p;
  if (is_copy_opcode(p.opcode) && !pl_ptx_next(&rest))
    return take_asm_copy(r, f, node, &p, tests ? &test : NULL);
  return !tests && take_asm_order(r, f, node, text);
}

/* ---- statements --------------------------------------------------------------------- */

static bool read_statement(reading *r, const frame *f, pl_node *stmt);

/* Whether a statement of a function declares variables, and does no more. */
static bool only_declares(const pl_node *stmt) {
  int depth = 0;
  return (stmt->kind == PL_NODE_DECL_STMT || stmt->kind == PL_NODE_EMPTY) &&
         !pl_node_find(stmt, does_more, &depth);
}

/* A function of the user's that does one such operation and nothing else. */
static bool read_wrapper(reading *r, const frame *f, pl_node *call) {
  const pl_func *callee = call->decl ? call->decl->func : NULL;
  const pl_node *body = callee ? pl_called_body(call) : NULL;
  frame inner = {f, call, callee, f ? f->depth + 1 : 1};
  pl_node *only = NULL;
  if (!body || callee->is_method || inner.depth > MOST_FRAMES ||
      body->kind != PL_NODE_COMPOUND || call->kind != PL_NODE_CALL)
    return false;
  for (uint32_t i = 0; i < body->nkids; i++) {
    pl_node *stmt = body->kids[i];
    if (!stmt || only_declares(stmt))
      continue;
    if (only)
      return false;
    only = stmt;
  }
  if (!only || !read_statement(r, &inner, only))
    return false;
  if (callee->in_main && pl_async_has_condition(r->loop->unit, body->range))
    fails(r, "an #if in a function that copies asynchronously decides what it does");
  if (!callee->in_main)
    fails(r, "the function that copies asynchronously stands in a header");
  return true;
}

static const pl_node *object_of_member(const pl_node *call) {
  return pl_is_member_function(call) && !call->kids[0]->is_arrow
             ? call->kids[0]->kids[0]
             : NULL;
}

/* `bar.wait(std::move(token))`, and `bar.wait(bar.arrive())`. */
static bool take_token(reading *r, const pl_node *arg) {
  arg = pl_node_bare((pl_node *)arg);
  if (is_called(arg, "cuda::barrier::arrive") && arg->nkids == 1) {
    const pl_node *object = object_of_member(arg);
    object = object ? pl_node_bare((pl_node *)object) : NULL;
    r->op->role = PL_ASYNC_ARRIVE_AND_WAIT;
    return (object && object->kind == PL_NODE_REF &&
            object->decl == r->op->object) ||
           fails(r, "one barrier's arrival is waited for at another one");
  }
  if (arg->kind == PL_NODE_CALL && arg->nkids == 2 && pl_str_is(arg->name, "move"))
    arg = pl_node_bare(arg->kids[1]);
  if (arg->kind != PL_NODE_REF || !arg->decl)
    return fails(r, "which arrival this waits for is not seen");
  r->op->token = arg->decl;
  return true;
}

static bool read_call(reading *r, const frame *f, pl_node *call) {
  pl_async_op *op = r->op;
  bool user = call->decl && call->decl->is_user;
  size_t i = 0, n = sizeof known / sizeof *known;
  while (call->decl && !user && i < n &&
         !pl_str_is(call->decl->qualified, known[i].name))
    i++;
  if (!call->decl || user || i == n)
    return read_wrapper(r, f, call);
  op->role = known[i].role;
  op->keeper = known[i].keeper;
  if (op->role == PL_ASYNC_COPY) {
    take_copy(r, f, call);
  } else if (op->role == PL_ASYNC_WAIT) {
    take_wait(r, f, call);
  } else if (op->keeper == PL_KEPT_BY_OBJECT) {
    uint32_t args = op->role == PL_ASYNC_WAIT_TOKEN ? 2 : 1;
    if (call->nkids != args)
      fails(r, "a form of this operation that is not known");
    else if (take_object(r, f, (pl_node *)object_of_member(call)) && args == 2)
      take_token(r, call->kids[1]);
  }
  return true;
}

static bool read_statement(reading *r, const frame *f, pl_node *stmt) {
  if (stmt->kind == PL_NODE_ASM)
    return take_asm(r, f, stmt);
  if (stmt->kind == PL_NODE_CALL)
    return read_call(r, f, stmt);
  return false;
}

/* `auto token = bar.arrive();` */
static pl_node *arrival_in(pl_node *stmt) {
  pl_node *var = stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1 ? stmt->kids[0]
                                                                     : NULL;
  pl_node *init = var && var->kind == PL_NODE_VAR && var->nkids == 1 && var->kids[0]
                      ? pl_node_bare(var->kids[0])
                      : NULL;
  return is_called(init, "cuda::barrier::arrive") ? init : NULL;
}

bool pl_async_operation(const pl_loop *loop, pl_node *stmt, pl_async_op *op) {
  *op = (pl_async_op){.node = stmt, .nbytes = -1, .prior = -1};
  reading r = {loop, op};
  pl_node *arrival = arrival_in(stmt);
  op->token = arrival ? stmt->kids[0]->decl : NULL;
  return read_statement(&r, NULL, arrival ? arrival : stmt);
}

bool pl_async_makes_address(const pl_loop *loop, pl_node *node) {
  pl_async_op op = {0};
  reading r = {loop, &op};
  return shared_pointer(&r, NULL, node) != NULL;
}
