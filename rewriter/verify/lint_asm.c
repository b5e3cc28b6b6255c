/* lint_asm.c - inline assembly: copies, groups, barriers, accesses.
 *
 * Needs: the text of the strings, PTX's grammar as far as an instruction, its
 * predicate and its operands go. Gives: events. Raises: an instruction that may access
 * shared memory, or wait, in a way that is not known. Source: PTX ISA, cp.async,
 * ldmatrix, bar, ld, st, cvta, mbarrier, cp.async.bulk, elect. */
#include "lint_parts.h"

#include "assembly.h"

#include <stdlib.h>
#include <string.h>

/* What the text's own registers, predicates and outputs hold. */
typedef struct registers {
  pl_str names[16];
  int64_t values[16];
  bool known[16];
  int n;
} registers;

typedef struct instruction {
  pl_lint_run *run;
  registers *own;
  const pl_node *node;
  pl_ptx ptx;
  pl_str label; /* where it jumps to; empty: nowhere */
} instruction;

/* Which of the text's own registers a word is; -1: none. */
static int register_named(const registers *own, pl_str word) {
  for (int i = own->n - 1; i >= 0; i--)
    if (pl_str_eq(own->names[i], word))
      return i;
  return -1;
}

static void set_register(registers *own, pl_str name, bool known, int64_t value) {
  int at = register_named(own, name);
  if (at < 0 && own->n == 16)
    return;
  at = at < 0 ? own->n++ : at;
  own->names[at] = name;
  own->known[at] = known;
  own->values[at] = value;
}

static bool number(const instruction *in, pl_str word, int64_t *value) {
  word = pl_str_trimmed(word);
  int own = register_named(in->own, word);
  if (own >= 0) {
    *value = in->own->values[own];
    return in->own->known[own];
  }
  if (word.n && ((word.p[0] >= '0' && word.p[0] <= '9') || word.p[0] == '-')) {
    *value = strtoll(pl_arena_cstr(in->run->arena, word), NULL, 0);
    return true;
  }
  if (pl_str_is(word, "%%laneid")) {
    *value = in->run->thread % 32;
    return true;
  }
  const pl_node *node = pl_ptx_operand(in->node, word);
  pl_lint_value v = node ? pl_lint_eval(in->run, node) : pl_lint_unknown(0);
  *value = v.c.bits;
  return v.c.known;
}

/* `[%1]`, `[%1 + 16]`. */
static bool address(const instruction *in, pl_str word, int64_t *value) {
  word = pl_str_trimmed(word);
  if (word.n < 2 || word.p[0] != '[' || word.p[word.n - 1] != ']')
    return false;
  word = pl_str_trimmed((pl_str){word.p + 1, word.n - 2});
  size_t plus = 0;
  while (plus < word.n && word.p[plus] != '+')
    plus++;
  int64_t offset = 0;
  if (plus < word.n &&
      !number(in, (pl_str){word.p + plus + 1, word.n - plus - 1}, &offset))
    return false;
  if (!number(in, (pl_str){word.p, plus}, value))
    return false;
  *value += offset;
  return true;
}

static bool says(const instruction *in, const char *word) {
  return pl_str_has(in->ptx.opcode, word);
}

static bool starts(const instruction *in, const char *word) {
  return pl_str_starts(in->ptx.opcode, word);
}

static void not_known(const instruction *in) {
  pl_lint_fail(in->run, in->node, "what '%.*s' does is not known here",
               PL_FMT(in->ptx.opcode));
}

/* ---- instructions ---------------------------------------------------------------------- */

static void do_copy(const instruction *in) {
  int64_t to, from = 0, bytes;
  if (in->ptx.noperands < 3 || !address(in, in->ptx.operands[0], &to) ||
      !number(in, in->ptx.operands[2], &bytes)) {
    pl_lint_fail(in->run, in->node, "what is copied where depends on data");
    return;
  }
  if (!address(in, in->ptx.operands[1], &from))
    from = 0;
  pl_lint_async_copy(in->run, in->node, to, from, bytes, 0);
}

static void do_group(const instruction *in) {
  int64_t prior = 0;
  pl_lint_run *r = in->run;
  pl_lint_note_sync(r);
  if (r->maybe)
    pl_lint_fail(r, in->node, "data decides whether copies are waited for");
  if (starts(in, "cp.async.commit_group")) {
    pl_lint_emit(r, PL_LINT_COMMIT, in->node);
    r->groups++;
    return;
  }
  if (starts(in, "cp.async.wait_all")) {
    /* of those that were not committed as well */
    pl_lint_emit(r, PL_LINT_COMMIT, in->node);
    r->groups++;
  } else if (in->ptx.noperands != 1 || !number(in, in->ptx.operands[0], &prior)) {
    pl_lint_fail(r, in->node, "for which copies this waits is not known");
  }
  pl_lint_emit(r, PL_LINT_WAIT, in->node)->arg = prior;
}

/* Copies in bulk: into shared memory, their bytes arrive at a barrier; or out of it. */
static void do_bulk(const instruction *in) {
  int64_t to, from = 0, bytes, bar;
  if (says(in, "_group"))
    return;
  bool known = in->ptx.noperands >= 3 && number(in, in->ptx.operands[2], &bytes) &&
               !says(in, "cluster.shared::cta") && !says(in, ".multicast");
  if (known && starts(in, "cp.async.bulk.shared") && in->ptx.noperands >= 4 &&
      address(in, in->ptx.operands[0], &to) && address(in, in->ptx.operands[3], &bar)) {
    if (!address(in, in->ptx.operands[1], &from))
      from = 0;
    pl_lint_bulk_copy(in->run, in->node, to, from, bytes, bar);
  } else if (known && starts(in, "cp.async.bulk.global.shared") &&
             address(in, in->ptx.operands[1], &from)) {
    pl_lint_copy(in->run, 0, from, bytes, in->node);
  } else if (!starts(in, "cp.async.bulk.prefetch")) {
    not_known(in);
  }
}

/* `mbarrier.NAME{.modifiers} {out,} [barrier] {, number}` */
static void do_mbarrier(instruction *in) {
  pl_lint_run *r = in->run;
  int64_t bar, value = 1;
  int at = in->ptx.noperands && in->ptx.operands[0].p[0] == '[' ? 0 : 1;
  bool parity = says(in, ".parity"), expects = says(in, ".expect_tx");
  bool known = at < in->ptx.noperands && address(in, in->ptx.operands[at], &bar) &&
               (at + 1 >= in->ptx.noperands || number(in, in->ptx.operands[at + 1], &value));
  if (!known || says(in, ".noComplete") || says(in, "shared::cluster")) {
    not_known(in);
  } else if (starts(in, "mbarrier.init")) {
    pl_lint_barrier(r, in->node, PL_LINT_MBAR_INIT, bar, value);
  } else if (starts(in, "mbarrier.try_wait") || starts(in, "mbarrier.test_wait")) {
    bool over = pl_lint_try_barrier(
        r, in->node, parity ? PL_LINT_MBAR_PARITY : PL_LINT_MBAR_WAIT, bar, value);
    set_register(in->own, in->ptx.operands[0], true, over);
  } else if (expects || starts(in, "mbarrier.arrive")) {
    if (expects)
      pl_lint_barrier(r, in->node, PL_LINT_MBAR_EXPECT, bar, value);
    if (starts(in, "mbarrier.arrive"))
      pl_lint_barrier(r, in->node, PL_LINT_MBAR_ARRIVE, bar, expects ? 1 : value)->width =
          says(in, "arrive_drop");
    if (at == 1)
      set_register(in->own, in->ptx.operands[0], true, r->arrivals - 1);
  } else if (!starts(in, "mbarrier.inval")) {
    not_known(in);
  }
}

static void do_arrival_of_copies(const instruction *in) {
  int64_t bar;
  if (in->ptx.noperands == 1 && address(in, in->ptx.operands[0], &bar))
    pl_lint_copies_arrive(in->run, in->node, bar, says(in, ".noinc"));
  else
    not_known(in);
}

static void do_barrier(const instruction *in) {
  int64_t name = 0, threads = 0;
  pl_lint_run *r = in->run;
  pl_lint_note_sync(r);
  if (r->maybe)
    pl_lint_fail(r, in->node, "data decides whether a barrier is come to");
  bool known = in->ptx.noperands < 1 || number(in, in->ptx.operands[0], &name);
  known = known && (in->ptx.noperands < 2 || number(in, in->ptx.operands[1], &threads));
  if (!known || says(in, ".red") || says(in, ".cluster"))
    not_known(in);
  else if (name || threads) /* of some threads: which there are, who comes first says */
    pl_lint_meet(r, in->node, -1 - (int32_t)name, threads ? threads : r->threads,
                 !says(in, ".arrive"));
  else
    pl_lint_emit(r, PL_LINT_BARRIER, in->node);
}

/* Lane i names row i of the matrices, 16 bytes each. */
static void do_ldmatrix(const instruction *in) {
  int64_t at;
  pl_lint_run *r = in->run;
  int rows = says(in, ".x4") ? 32 : says(in, ".x2") ? 16 : 8;
  if (in->ptx.noperands < 2 || !address(in, in->ptx.operands[in->ptx.noperands - 1], &at)) {
    not_known(in);
    return;
  }
  pl_lint_event *warp = pl_lint_emit(r, PL_LINT_WARP, in->node);
  warp->object = 32;
  warp->arg = -1;
  if (r->thread % 32 < rows && pl_lint_is_shared(r, at)) {
    pl_lint_event *event = pl_lint_emit(r, PL_LINT_READ, in->node);
    event->addr = at;
    event->width = 16;
  }
}

static int64_t width_of(const instruction *in) {
  int64_t width = says(in, "128")  ? 16
                  : says(in, "64") ? 8
                  : says(in, "16") ? 2
                  : says(in, "8")  ? 1
                                   : 4;
  return width * (says(in, ".v4") ? 4 : says(in, ".v2") ? 2 : 1);
}

static void do_access(const instruction *in, bool writes) {
  int64_t at;
  if (in->ptx.noperands < 2 || !address(in, in->ptx.operands[writes ? 0 : 1], &at)) {
    if (says(in, "shared"))
      not_known(in);
    return;
  }
  if (!pl_lint_is_shared(in->run, at))
    return;
  pl_lint_event *event =
      pl_lint_emit(in->run, writes ? PL_LINT_WRITE : PL_LINT_READ, in->node);
  event->addr = at;
  event->width = (uint16_t)width_of(in);
}

static void do_instruction(instruction *in) {
  if (starts(in, "bra"))
    in->label = in->ptx.noperands ? in->ptx.operands[0] : (pl_str){0};
  else if (starts(in, "cp.async.bulk"))
    do_bulk(in);
  else if (starts(in, "mbarrier."))
    do_mbarrier(in);
  else if (starts(in, "cp.async.mbarrier.arrive"))
    do_arrival_of_copies(in);
  else if (starts(in, "wgmma") || starts(in, "tcgen05") || starts(in, "cp.reduce") ||
           starts(in, "barrier.cluster"))
    not_known(in);
  else if (starts(in, "cp.async.commit_group") || starts(in, "cp.async.wait_"))
    do_group(in);
  else if (starts(in, "cp.async."))
    do_copy(in);
  else if (starts(in, "bar.") || starts(in, "barrier."))
    do_barrier(in);
  else if (starts(in, "ldmatrix"))
    do_ldmatrix(in);
  else if (starts(in, "ld."))
    do_access(in, false);
  else if (starts(in, "st."))
    do_access(in, true);
  else if ((starts(in, "atom") || starts(in, "red.") || starts(in, "stmatrix")) &&
           says(in, "shared"))
    not_known(in);
}

/* `@p`: whether it is done; -1: data decides. */
static int is_done(const instruction *in) {
  if (!in->ptx.predicate.n)
    return 1;
  int own = register_named(in->own, in->ptx.predicate);
  return own < 0 || !in->own->known[own]
             ? -1
             : (in->own->values[own] != 0) != in->ptx.negated;
}

/* What an instruction gives that only computes numbers. */
static bool computes(const instruction *in, int64_t *value, bool *known) {
  static const struct {
    const char *name;
    pl_op op;
  } all[] = {{"setp.eq", PL_OP_EQ}, {"setp.ne", PL_OP_NE}, {"setp.lt", PL_OP_LT},
             {"setp.ge", PL_OP_GE}, {"add.", PL_OP_ADD},   {"sub.", PL_OP_SUB},
             {"and.", PL_OP_AND},   {"xor.", PL_OP_XOR},   {"shl.", PL_OP_SHL},
             {"shr.u", PL_OP_SHR}};
  int64_t a = 0, b = 0, c = 0;
  *known = in->ptx.noperands >= 2 && number(in, in->ptx.operands[1], &a);
  if (in->ptx.noperands == 2 &&
      (starts(in, "cvta.") || starts(in, "cvt.u") || starts(in, "mov."))) {
    *value = a;
    return true;
  }
  if (starts(in, "selp.") && in->ptx.noperands == 4) {
    bool both = *known && number(in, in->ptx.operands[2], &b);
    *known = both && number(in, in->ptx.operands[3], &c);
    *value = c ? a : b;
    return true;
  }
  for (size_t i = 0; in->ptx.noperands == 3 && i < sizeof all / sizeof *all; i++) {
    if (!starts(in, all[i].name))
      continue;
    *known = *known && number(in, in->ptx.operands[2], &b);
    pl_const result = pl_const_binary(all[i].op, pl_const_make(8, false, a),
                                      pl_const_make(8, false, b), NULL);
    *known = *known && result.known;
    *value = result.bits;
    return true;
  }
  return false;
}

/* Whether an instruction only sets a register, which data may decide. */
static bool sets_register(const instruction *in, int done) {
  int64_t value = 0;
  bool known;
  if (starts(in, "elect.sync") && in->ptx.noperands) { /* `elect.sync _|p, mask` */
    const char *bar = memchr(in->ptx.operands[0].p, '|', in->ptx.operands[0].n);
    pl_str name = in->ptx.operands[0];
    if (bar)
      name = pl_str_trimmed((pl_str){bar + 1, (size_t)(name.p + name.n - bar - 1)});
    set_register(in->own, name, done > 0, in->run->thread % 32 == 0);
    return true;
  }
  if (!computes(in, &value, &known))
    return false;
  if (done)
    set_register(in->own, in->ptx.operands[0], known && done > 0, value);
  return true;
}

static void set_outputs(pl_lint_run *r, const pl_node *node, const registers *own) {
  for (int64_t i = 0; i < node->ival && i < (int64_t)node->nkids; i++) {
    int64_t addr;
    int at = register_named(own, pl_arena_printf(r->arena, "%%%d", (int)i));
    pl_lint_value value = at >= 0 && own->known[at] ? pl_lint_address(own->values[at])
                                                    : pl_lint_unknown(0);
    if (node->kids[i] && pl_lint_place(r, node->kids[i], &addr) && pl_lint_is_local(addr))
      pl_lint_store(r, addr, node->kids[i]->type, value, node);
  }
}

/* Behind a label; the text's end: there is none. */
static size_t place_of_label(pl_str text, pl_str label) {
  for (pl_ptx p = {.text = text}; pl_ptx_next(&p);)
    if (pl_str_eq(p.label, label))
      return p.at;
  return text.n;
}

void pl_lint_asm(pl_lint_run *r, const pl_node *node) {
  pl_str text = pl_assembly_text(r->unit, node);
  registers own = {0};
  if (!text.n) {
    pl_lint_fail(r, node, "the text of this assembly is not seen");
    return;
  }
  instruction in = {.run = r, .own = &own, .node = node, .ptx.text = text};
  while (!pl_lint_failed(r) && pl_ptx_next(&in.ptx)) {
    in.label = (pl_str){0};
    int done = is_done(&in);
    if (sets_register(&in, done) || done == 0)
      continue;
    size_t mark = done < 0 ? pl_lint_begin_maybe(r) : 0;
    do_instruction(&in);
    if (done < 0)
      pl_lint_end_maybe(r, mark);
    if (++r->steps > r->most_steps || (in.label.n && done < 0))
      pl_lint_fail(r, node, done < 0 ? "data decides a jump in assembly"
                                     : "it takes too many steps");
    if (in.label.n)
      in.ptx.at = place_of_label(text, in.label);
  }
  set_outputs(r, node, &own);
}
