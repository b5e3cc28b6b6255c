/* effects.h - what a statement reads, writes and otherwise does to memory.
 *
 * A pass over expression trees: every access is traced back to the object that
 * its address comes from (its root), through subscripts, casts, pointer
 * arithmetic, local pointers and the bodies of called functions. Raises no
 * reason itself; phases, slices and legality read the list. */
#ifndef PL_EFFECTS_H
#define PL_EFFECTS_H

#include "answers.h"
#include "model.h"

typedef enum pl_space {
  PL_SPACE_LOCAL,    /* a variable or array of the thread's own */
  PL_SPACE_SHARED,
  PL_SPACE_GLOBAL,
  PL_SPACE_CONSTANT,
  PL_SPACE_UNKNOWN   /* an address that cannot be followed */
} pl_space;

/* Where an address comes from. `member` tells pointers inside one struct
 * argument apart; "*" marks a pointer that was itself loaded from memory. */
typedef struct pl_root {
  pl_decl *decl; /* NULL: cannot be followed */
  pl_str member;
} pl_root;

typedef struct pl_roots {
  pl_root *items;
  size_t n, cap;
} pl_roots;

typedef enum pl_effect_kind {
  PL_EFFECT_READ,
  PL_EFFECT_WRITE,
  PL_EFFECT_ATOMIC,          /* read-modify-write by an atomic */
  PL_EFFECT_BARRIER,         /* block barrier inside (a call or nested) */
  PL_EFFECT_SPECIAL_BARRIER, /* counts, named, grid, cluster */
  PL_EFFECT_FENCE,           /* __threadfence and relatives */
  PL_EFFECT_VOLATILE,
  PL_EFFECT_ASYNC,           /* asynchronous copy or pipeline operation */
  PL_EFFECT_UNSEEN,          /* call of a body that is not seen */
  PL_EFFECT_ESCAPE,          /* address of root handed where it is lost */
  PL_EFFECT_ASM,             /* inline assembly that may touch memory */
  PL_EFFECT_SIDE,            /* prints, stops for a debugger, reads clocks */
  PL_EFFECT_END,             /* ends the program where it is reached: traps, assert */
  PL_EFFECT_WARP,            /* shuffles, votes */
  PL_EFFECT_WARP_BARRIER     /* __syncwarp, a barrier of a part of the block */
} pl_effect_kind;

typedef struct pl_effect {
  pl_effect_kind kind;
  pl_space space; /* READ, WRITE, ATOMIC, ESCAPE */
  pl_root root;
  bool direct;    /* the local variable itself, not memory behind a pointer */
  bool whole;     /* WRITE: all of a scalar local, on every path of its node */
  bool by_call;   /* happens inside a called function */
  bool given_back; /* ATOMIC: its old value is what the function returns, and no more is
                      done with it */
  pl_node *node;  /* the access or the call, in the analysed function */
} pl_effect;

typedef struct pl_effects {
  pl_effect *items;
  size_t n, cap;
} pl_effects;

/* Caches per function and per variable for one unit. */
typedef struct pl_effect_context pl_effect_context;
pl_effect_context *pl_effect_context_new(pl_unit *unit);

/* While a method is looked at whose object's members lead to shared objects, each
 * a tile that the member's own declaration stands for. */
typedef struct pl_member_names {
  const pl_func *method;
  pl_decl **fields;
  size_t n;
  const struct pl_member_names *outer;
} pl_member_names;
void pl_push_members(pl_effect_context *context, pl_member_names *names);
void pl_pop_members(pl_effect_context *context);

/* Whether an initialiser makes an object of its arguments, does no more, and reads
 * no memory: an object that is made again is the same one. */
bool pl_makes_plainly(const pl_node *init);
/* Whether an initialiser is handed the value of an argument, and no name of it. */
bool pl_takes_value(const pl_node *init, const pl_node *arg);

/* Whether the constructor that an object is made by has its own copy, a number or a
 * pointer, of an argument. */
bool pl_takes_plain_value(const pl_node *init, uint32_t index);
/* The objects that an expression may name, or name a part of. */
void pl_roots_of_object(pl_effect_context *context, const pl_func *func,
                        pl_node *node, pl_roots *roots);
/* What a pointer or reference in an object leads to. */
void pl_roots_of_member(pl_effect_context *context, const pl_func *func,
                        pl_node *object, pl_str member, pl_roots *roots);
/* The pointers and references of a record that are told apart, NULL at the end. */
pl_str pl_address_member(const pl_type *record, uint32_t index);

/* Appends the effects of `node` (statement or expression, NULL allowed), in
 * the order of evaluation, as seen inside `func`. */
void pl_effects_of(pl_effect_context *context, const pl_func *func,
                   pl_node *node, pl_effects *effects);

/* The objects that a pointer-valued expression may point into. */
void pl_roots_of(pl_effect_context *context, const pl_func *func,
                 pl_node *node, pl_roots *roots);

/* Whether all calls of a function are those that the bodies of the unit show; which
 * nodes are one, and which may be one that the model cannot tell. */
bool pl_calls_are_seen(const pl_func *func);
bool pl_is_call_of(const pl_node *node, const pl_func *func);
bool pl_may_be_call_of(const pl_node *node, const pl_func *func);
/* ... and is a call of what a template's argument chooses, by the function's name and
 * with as many arguments: they have to be what those of each call are. */
bool pl_stands_for_call(const pl_node *node, const pl_func *func);

/* Whether what a root is known by is __restrict__ in every build: a pointer, or a member
 * of a record that is handed over by value. */
bool pl_is_restrict(const pl_unit *unit, pl_root root);
/* Whether two roots are apart since one of them is so; not of one record where which
 * member one of them is read from is not known. */
bool pl_parted_by_restrict(const pl_unit *unit, pl_root a, pl_root b);

/* The macro that says __restrict__ of a pointer where no -D gives another one,
 * `#ifndef RESTRICT`; empty: there is none. */
pl_str pl_restrict_by_default(const pl_unit *unit, pl_root root);

/* Whether every call of a function in the file says that two of its addresses are
 * apart. */
bool pl_apart_in_callers(pl_effect_context *context, const pl_func *func,
                         pl_root a, pl_root b);
/* ... or that one leads to a space: of the thread's own variables, or of what the
 * host hands over. */
bool pl_of_space_in_callers(pl_effect_context *context, const pl_func *func,
                            pl_root root, pl_space space);

pl_space pl_root_space(pl_root root);
/* Whether two names may stand for the same shared memory: a name and itself, two
 * of the dynamic block, a parameter and what a caller may pass for it. */
bool pl_same_shared(const pl_decl *a, const pl_decl *b);
/* Whether one of some roots is an object; unknown where one of them is not known. */
pl_answer pl_leads_to(const pl_roots *roots, const pl_decl *object);
/* Whether a root is the object of a member function, or what it points to. */
bool pl_root_is_this(pl_root root);
/* The object of a member function, as its text knows it. */
pl_root pl_root_of_this(void);
/* What stands for the object of a member function that fills a tile: the tile. */
pl_decl *pl_shared_this(void);
bool pl_root_eq(pl_root a, pl_root b);

/* `object.name(...)`, also of a pointer. */
bool pl_is_member_function(const pl_node *call);
/* `name(...)` of a method, or `this->name(...)`, in another one of the same object. */
bool pl_is_called_on_this(const pl_node *call);
/* cooperative_groups::thread_block, or a reference to one. */
bool pl_is_thread_block(const pl_type *type);
/* Whether the end of a variable runs code of the user's, in an instantiation; of a lambda,
 * of what it may hold copies of. */
bool pl_ends_by_code(const pl_unit *unit, const pl_func *func, const pl_node *var);
/* Whether it gives back a name of an object. */
bool pl_returns_reference(const pl_func *func);
/* `block.thread_rank()`: x + (y + z * height) * width of threadIdx. */
bool pl_is_block_rank(const pl_node *node);
/* `block.size()`, `block.num_threads()`. */
bool pl_is_block_size(const pl_node *node);
/* `do { ... } while (0)`. */
bool pl_runs_once(const pl_node *node);
/* Whether a statement is a plain barrier of the whole block, and nothing else:
 * __syncthreads(), thread_block::sync, cg::sync(block), a call of a function
 * or lambda whose whole body is one, or a block that holds nothing but one. A
 * barrier gets no numbers but constants, as it is made at other places too. */
bool pl_is_barrier(const pl_node *statement);
/* Whether one stands among the statements of a block. */
bool pl_holds_barrier(const pl_node *block);

/* The lambda that a call calls by the name of a variable; NULL: it calls
 * something else. */
pl_node *pl_called_lambda(const pl_node *call);

/* Whether a function takes `T &...a`: which of its parameters an argument is for, its
 * body does not tell. */
bool pl_takes_pack(const pl_func *func);

/* The body of the function, or of the lambda of a local variable, that a call
 * calls; NULL: not seen. */
const pl_node *pl_called_body(const pl_node *call);

/* Whether a node reads what another block may have written meanwhile: __ldcg, or
 * ld.global.cg (PTX, cache operators: .cg caches at the level that all blocks share). */
bool pl_reads_past_cache(const pl_unit *unit, const pl_node *node);

/* Whether a call names a function of the user's, by its declaration. */
bool pl_is_own_function(const pl_node *call);
/* What a call is known by: of an object or lambda that is called, its name. */
pl_str pl_callee_name(const pl_node *call);

/* An operator or conversion of the user's that does more than compute, and that an
 * operator without a declaration may mean; NULL: none, or none by name. */
const pl_func *pl_operator_in_question(pl_effect_context *context,
                                       const pl_func *func,
                                       const pl_node *node);

/* A write, or an atomic. */
bool pl_is_write(const pl_effect *effect);
/* First effect of a kind, NULL: none. */
const pl_effect *pl_effects_find(const pl_effects *effects,
                                 pl_effect_kind kind);

/* Whether anything below `node` names `decl`. */
bool pl_mentions(const pl_node *node, const pl_decl *decl);
bool pl_is_reference(const pl_type *type);
/* Whether the variable itself is written, not what it points to; how often. */
bool pl_writes_decl(const pl_effects *effects, const pl_decl *decl);
size_t pl_count_writes(const pl_effects *effects, const pl_decl *decl);
/* `constexpr int BK = 16;` of a file or class: its use reads no memory. */
bool pl_is_constant_number(const pl_decl *decl);

#endif
