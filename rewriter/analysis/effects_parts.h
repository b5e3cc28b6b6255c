/* effects_parts.h - what effects.c and its neighbours share.
 *
 * A called function's body is analysed once; its effects on its own parameters
 * are then read as effects on whatever the caller passes. Only effects*.c and
 * points_to*.c include this. */
#ifndef PL_EFFECTS_PARTS_H
#define PL_EFFECTS_PARTS_H

#include "effects.h"

/* A node by which something is put: an initialiser, an assignment, a call. */
typedef struct pl_put {
  pl_node *at;
  pl_roots values, into; /* what is put may lead to those, in one of these */
  bool is_own;  /* into what a variable's own name names */
  bool is_name; /* ... a reference: that is bound to one of `values` */
  bool is_lost; /* to a function that is not seen */
} pl_put;

typedef struct pl_puts {
  pl_put *items;
  size_t n, cap;
} pl_puts;

/* What leads to `from` is put in `into`, or in what that leads to. */
typedef struct pl_flow {
  pl_root from, into;
  bool is_lost; /* as a put is */
} pl_flow;

/* What a function does and gives back, told of its own parameters. */
typedef struct pl_summary {
  const pl_func *func;
  pl_effects effects;
  pl_roots returned[2]; /* `told` or not */
  pl_flow *flows;
  size_t nflows, flows_cap;
  pl_puts puts; /* but those under a variable's own name; as of a round */
  size_t puts_round;
  pl_puts all_puts;
  bool knows_puts;
  pl_roots *given[2]; /* to each parameter that is a reference to a pointer */
  uint64_t changes;  /* bit i: the object that parameter i is a reference to, or it
                        keeps its address */
  bool changes_this; /* the pointers in the object that it is called on */
  bool busy, done;
  bool in_circle; /* it may call itself, by way of others */
  size_t round;   /* of its circle, in which it was looked at last */
  size_t at, lowest; /* among the busy ones; the lowest that it came to */
} pl_summary;

struct pl_effect_context {
  pl_unit *unit;
  pl_summary *summaries;
  size_t nsummaries;
  struct pointer_values **pointers; /* of points_to_locals.c */
  size_t npointers, pointers_cap, round;
  size_t nput; /* in all puts of the round */
  bool told; /* beside an address that is not known, what may be put there */
  bool in_round;
  size_t nbusy, lowest;  /* of the summaries that are being made */
  size_t circle_round;
  size_t nunsettled; /* how often one was asked for that was not done */
  bool grew;         /* one in a circle has more than before */
  bool fields_are_known, has_reference_fields; /* of effects_uses.c */
  const pl_member_names *named; /* of points_to_members.c, innermost first */
};

/* A call of a lambda whose body is walked: what its parameters stand for. */
typedef struct pl_frame {
  const pl_func *lambda;
  const pl_node *call;
  const struct pl_frame *up; /* in which its arguments are read */
} pl_frame;

/* The lambdas whose bodies are walked. */
typedef struct pl_entered {
  const pl_node *lambda;
  const struct pl_entered *up;
} pl_entered;

/* A walk over one function's text, with where its results go. */
typedef struct pl_walk {
  pl_effect_context *context;
  const pl_func *func;
  pl_effects *out;
  const pl_frame *frame;
  int conditional; /* depth of branches and loops around the current node */
  const pl_entered *entered; /* NULL: no lambda's body */
  uint32_t bodies;           /* of lambdas, that were entered so far */
} pl_walk;

/* Collects the roots of all values of a variable, or of all that a function
 * gives back. */
typedef struct pl_gather {
  pl_walk *w;
  const pl_decl *decl;
  pl_roots *roots;
  pl_str member; /* of a record: the one that is asked for; empty: any */
  bool lost; /* it is known by other names than its own */
} pl_gather;

enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_WRITE = 2 };

/* effects.c: see effects.h. */
pl_summary *pl_summarise(pl_effect_context *context, const pl_func *func);

/* effects_types.c: what do types say about addresses? */
bool pl_is_pointer_like(const pl_type *type);
bool pl_is_pointer(const pl_type *type);
bool pl_type_is_deref_array(const pl_node *node);
bool pl_is_pointer_reference(const pl_type *type);
bool pl_is_plain_value(const pl_type *type);
bool pl_may_carry_address(const pl_type *type);

/* effects_space.c: which memory does a root stand for? */
void pl_add_root(pl_arena *arena, pl_roots *roots, pl_root root);
pl_root pl_this_root(const pl_walk *w);
pl_decl *pl_any_this(void);
pl_root pl_temporary_root(void);
pl_space pl_access_space(pl_root root, bool direct);
void pl_never_empty(pl_arena *arena, pl_roots *roots);

/* effects_callee.c: what is it that a call calls? */
const pl_func *pl_callee_of(const pl_node *call);
pl_node *pl_argument(const pl_node *call, int index);
bool pl_gives_nothing(const pl_node *call);
bool pl_is_group_sync(const pl_node *call);

/* points_to_locals.c: what may a local pointer point into? */
void pl_local_pointer_roots(pl_walk *w, pl_decl *decl, pl_roots *roots);
/* ... or, of a record, the pointer or reference `member` of it; what a lambda's
 * parameter, a reference, names in any call, and what a record keeps names of, `&`. */
void pl_local_member_roots(pl_walk *w, pl_decl *decl, pl_str member,
                           pl_roots *roots);

/* points_to_members.c: where do the pointers and references in an object lead? */
/* The pointer or reference of that name in a record of the user's; NULL: it has
 * none, or cannot be told from others. */
const pl_beginning *pl_record_member(const pl_type *type, pl_str member);
/* Gives the roots that are what members of a method's object lead to the members'
 * own names, where those are told. */
void pl_name_members(const pl_effect_context *context, const pl_func *func,
                     pl_root *root);
/* ... and back, for who calls the method. */
pl_root pl_unnamed_member(const pl_effect_context *context, pl_root root);
/* Roots of one of them as an initialiser makes it; false: not known. */
bool pl_made_member_roots(pl_walk *w, const pl_type *type, pl_node *init,
                          pl_str member, pl_roots *roots);
/* Whether a variable's constructor, which is not told, may take its pointers from
 * elsewhere than from its arguments. */
bool pl_may_be_made_otherwise(const pl_decl *decl);
/* ... and of all. */
void pl_made_roots(pl_walk *w, const pl_type *type, pl_node *init,
                   pl_roots *roots);

/* effects_uses.c: what may a use of a variable do to the pointers in it? */
typedef enum pl_use {
  PL_USE_READ, /* nothing */
  PL_USE_SET,  /* it gives `part` the value `value` */
  PL_USE_GIVEN, /* the call `value`, by reference, what its body gives it */
  PL_USE_LOST  /* anything */
} pl_use;
/* Whether a parameter of a function, by its type's text, is a reference by which its
 * argument may change: not `const T &`. */
/* Whether a method is const, by its type's text: "int (float &) const noexcept". */
bool pl_is_const_method(const pl_type *type);
bool pl_is_variable_argument(const pl_decl *func, uint32_t index);
pl_use pl_use_of(pl_walk *w, pl_node *ref, pl_node **part, pl_node **value);
/* Whether something in a function may give a variable another name. */
bool pl_has_names(pl_walk *w, const pl_decl *decl);
/* What a function may change that it knows by reference: for its summary, which has
 * what it does. */
void pl_find_changes(pl_walk *w, pl_summary *s, const pl_effects *effects);
/* Whether what an expression gives is left alone: `++loader;`, also as a step of
 * a loop's header and where a comma drops it. */
bool pl_is_discarded(const pl_node *node);

/* points_to_values.c: which objects does an address come from? */
bool pl_is_lambda_parameter(const pl_walk *w, const pl_decl *decl);
void pl_map_root(pl_walk *w, const pl_func *callee, pl_node *call, pl_root root,
                 pl_roots *roots);
void pl_given_roots(pl_walk *w, pl_node *call, const pl_node *arg,
                    pl_roots *roots);
void pl_member_roots(pl_walk *w, pl_node *object, pl_str name, pl_roots *roots);
void pl_address_roots(pl_walk *w, pl_node *node, pl_roots *roots);
void pl_call_roots(pl_walk *w, pl_node *call, pl_roots *roots);
bool pl_carries_address(const pl_node *node);
void pl_value_roots(pl_walk *w, pl_node *node, pl_roots *roots);
/* Whether a template parameter stands for an object, `template <int &Base>`, or for
 * the address of one: whichever the arguments say. */
bool pl_is_argument_object(const pl_decl *decl);
/* The lambda that an expression is, or that the variable which it names holds. */
pl_node *pl_lambda_of(const pl_node *object);
bool pl_bound_roots(pl_walk *w, pl_decl *decl, bool object, pl_roots *roots);
void pl_load_through(pl_walk *w, pl_root root, pl_str name, pl_roots *roots);
bool pl_makes_number(pl_op op);
bool pl_is_static_member(const pl_node *node);

/* points_to.c: what is put where, and what leads to what? */
/* Whether values of a type have room for an address: shared ones have 32 bits. */
bool pl_can_hold(const pl_type *type);
/* What is put in a variable otherwise than by its own name; `names`: what it is a name
 * of. */
void pl_put_roots(pl_walk *w, const pl_decl *decl, bool names, pl_roots *roots);
/* The objects and values of all that a text names. */
void pl_roots_in_text(pl_walk *w, pl_node *text, pl_roots *roots);
/* The objects that are known by name to a record which keeps addresses. */
void pl_kept_names(pl_walk *w, const pl_type *type, pl_node *init,
                   pl_roots *roots);
/* Of a function's puts, those that its callers know of: for its summary. */
void pl_find_flows(pl_walk *w, pl_summary *s);

/* points_to_lvalues.c: which objects may an lvalue be? */
void pl_lvalue_roots(pl_walk *w, pl_node *node, pl_roots *roots);

/* effects_visit.c: what does a statement do to memory? */
void pl_emit_effect(pl_walk *w, pl_effect effect);
void pl_emit_kind(pl_walk *w, pl_effect_kind kind, pl_node *node);
void pl_drop_repeats(pl_walk *w, size_t first);
bool pl_has_effect(const pl_effects *effects, const pl_effect *effect);
void pl_emit_access(pl_walk *w, const pl_roots *roots, pl_node *node,
                    int access, bool direct, bool whole);
void pl_visit_address(pl_walk *w, pl_node *node);
bool pl_is_variable(const pl_walk *w, pl_node *node);
void pl_visit_node(pl_walk *w, pl_node *node, int access);

/* effects_unknown.c: what is not known of a node? */
bool pl_is_its_parts(const pl_unit *unit, const pl_node *node);
bool pl_operator_is_unseen(pl_walk *w, const pl_node *node);
bool pl_arrow_is_unseen(pl_walk *w, const pl_node *node);
bool pl_conversion_is_unseen(pl_walk *w, const pl_node *value,
                             const pl_type *to);

/* effects_calls.c: what does a call do to memory? */
void pl_reference_argument(pl_walk *w, pl_node *arg, int access);
bool pl_emit_escape(pl_walk *w, pl_node *arg);
bool pl_keeps_names(const pl_walk *w, const pl_node *lambda);
void pl_visit_call(pl_walk *w, pl_node *call);
/* Whether a call is of one of CUDA's atomics, whatever a template's arguments are. */
bool pl_is_own_atomic(const pl_walk *w, const pl_node *call);
/* Effect `at`, of such a one, becomes a load and a store. */
void pl_drop_old_value(pl_walk *w, size_t at);

/* effects_retries.c: does a loop, whose effects begin at `first`, swap until it has
 * found what it compared with? */
void pl_settle_retry(pl_walk *w, pl_node *loop, size_t first);
/* Whether a function of the user's does no more than one of CUDA's atomics: it changes
 * what its first parameter leads to. */
bool pl_is_like_an_atomic(const pl_walk *w, const pl_func *func);

/* effects_asm.c: what does inline assembly do to memory? */
void pl_visit_asm(pl_walk *w, pl_node *node);

/* Where its text names an operand: in brackets, which hold addresses, `[%1+4]`, or outside
 * of them; `others`: brackets begin with something else, as `[p]` does. */
typedef struct pl_asm_use {
  bool in_brackets, bare, others;
} pl_asm_use;

pl_asm_use pl_used_by_asm(pl_str text, int64_t operand);
/* Whether a loop goes on by what a node gives, or `given`, which it sets; NULL: none:
 * `while (__ldcg(&flag) == 0);` waits for another block, as a volatile read does. */
bool pl_is_waited_for(const pl_node *node, const pl_decl *given);

#endif
