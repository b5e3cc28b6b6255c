/* host.h - the host program of a CUDA source, followed far enough to know what
 * its launches are given.
 *
 *   host_tokens.c     tokens, macros expanded, lines that an #if leaves out gone
 *   host_scan.c       functions, kernels, classes and type names of the file
 *   host_value.c      values: a number and its formula over the sizes
 *   host_types.c      which bytes has a type?
 *   host_state.c      variables, scopes, what a doubtful branch changed
 *   host_expr.c       operators
 *   host_operand.c    names, literals, casts, members, brackets
 *   host_call.c       calls of functions, methods and constructors of the file
 *   host_known.c      calls of the CUDA runtime and of the C and C++ libraries
 *   host_declare.c    declarations
 *   host_run.c        statements
 *   host_launch.c     the launches on the way
 *
 * It starts at main (without one: at host functions that launch and that no
 * other calls) and runs as that program would with no arguments. What cannot be
 * followed is UNKNOWN, and what hangs on it too; a branch on something unknown
 * is walked both ways, and what the ways disagree on is unknown. Nothing here
 * reads other files. Private to these files and launch_infer.c. */
#ifndef PL_HOST_H
#define PL_HOST_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- tokens -------------------------------------------------------------- */

typedef struct pl_host_token {
  pl_str s;
  char kind;    /* 'n' name, '0' number, '"' string, 'p' punctuation, 0 end */
  bool glued;   /* nothing stands between it and the token before */
  unsigned line;
  size_t match; /* bracket: where its partner is; else 0 */
} pl_host_token;

typedef struct pl_host_text {
  pl_host_token *tokens; /* the last is of kind 0 */
  size_t n;
} pl_host_text;

/* `defines`: "NAME" or "NAME=VALUE", as -D has them. False: brackets do not
 * match. */
bool pl_host_tokenize(pl_arena *arena, pl_str source,
                      const char *const *defines, size_t n_defines,
                      pl_host_text *text);

/* ---- values -------------------------------------------------------------- */

/* A size of the program: an integer variable of the host's that begins with a
 * constant. A pinned one is not to be varied. */
typedef struct pl_host_dim {
  const char *name, *of; /* as a description calls it; the variable */
  int64_t value;
  bool pinned;
  bool open; /* a parameter that no call in sight gives: `value` is made up */
  const void *step_for; /* the launch whose step that is */
  int64_t step;
} pl_host_dim;

typedef enum pl_sym_op {
  PL_SYM_CONST, PL_SYM_DIM, PL_SYM_ADD, PL_SYM_SUB, PL_SYM_MUL, PL_SYM_DIV,
  PL_SYM_MOD, PL_SYM_LT, PL_SYM_LE, PL_SYM_GT, PL_SYM_GE, PL_SYM_EQ, PL_SYM_NE,
  PL_SYM_AND, PL_SYM_OR, PL_SYM_NOT, PL_SYM_IF, PL_SYM_MIN, PL_SYM_MAX
} pl_sym_op;

/* A formula over dimensions and its value at the program's own sizes. */
typedef struct pl_sym {
  pl_sym_op op;
  int64_t v;
  const struct pl_sym *a, *b, *c;
  pl_host_dim *dim;
} pl_sym;

/* What cudaMalloc, malloc, new or a container gave. */
typedef struct pl_host_object {
  const pl_sym *bytes; /* NULL: not known */
  const char *element; /* type, where the place that got it says so */
  bool device;         /* kernels may reach it */
  bool filled;         /* copied to, written by the host or by a kernel */
  bool zeroed;
  unsigned line;
  const struct pl_host_object *was; /* in a launch: the object itself */
} pl_host_object;

typedef struct pl_host_cell pl_host_cell;
typedef struct pl_host_class pl_host_class;

typedef enum pl_host_kind {
  PL_HOST_UNKNOWN, PL_HOST_INT, PL_HOST_REAL, PL_HOST_POINTER, PL_HOST_NULL,
  PL_HOST_ADDRESS,  /* of a cell */
  PL_HOST_RECORD,   /* fields; also arrays, their fields "[0]" and so on */
  PL_HOST_LAMBDA,
  PL_HOST_KERNEL    /* a kernel's address */
} pl_host_kind;

typedef struct pl_host_value {
  pl_host_kind kind;
  const pl_sym *sym;      /* INT; REAL: the numerator, where it is a ratio */
  const pl_sym *below;    /* REAL: the denominator */
  double real;
  pl_host_object *object; /* POINTER; RECORD: of a container */
  const pl_sym *offset;   /* POINTER: bytes */
  const char *element;    /* POINTER: type that it points to, NULL: not known */
  pl_host_cell *cell;     /* ADDRESS */
  pl_host_cell *fields;   /* RECORD: a list */
  const pl_host_class *of;
  struct pl_host_binding *bindings; /* template arguments of a RECORD's class, of
                                       a KERNEL */
  const char *kernel;     /* KERNEL: its name */
  size_t body;            /* LAMBDA: where its '[' is */
  struct pl_host_scope *scope;
  pl_host_cell *lvalue;   /* where the value stands; NULL: nowhere */
} pl_host_value;

struct pl_host_cell {
  const char *name;
  const char *type; /* as declared, without const, * and &; NULL: auto */
  int stars;
  bool is_constant; /* const or constexpr */
  bool is_array;
  pl_host_value value;
  pl_host_cell *reference; /* a reference: the cell that it stands for */
  pl_host_cell *next;
};

/* `T` of a template, and what it stands for: a type or a value. */
typedef struct pl_host_binding {
  const char *name;
  const char *type;
  pl_host_value value;
  struct pl_host_binding *next;
} pl_host_binding;

typedef struct pl_host_scope {
  pl_host_cell *cells;
  struct pl_host_scope *up; /* NULL: the file */
  pl_host_binding *bindings;
  pl_host_value *self; /* of a method: the record */
} pl_host_scope;

/* ---- the file ------------------------------------------------------------ */

typedef struct pl_host_param {
  const char *name, *type; /* type as in a cell */
  int stars;
  bool is_reference, points_to_const, is_const;
  size_t fallback; /* the default argument's first token; 0: none */
} pl_host_param;

typedef struct pl_host_function {
  const char *name;
  const char *scope; /* "ns::" of a kernel's description; "" */
  const pl_host_class *of;
  bool is_kernel, is_device, is_constructor, launches, is_called;
  const char **templates; /* names of the template parameters */
  const char **template_types; /* of a value parameter, "typename" for types */
  size_t *template_fallbacks; /* first token of the default; 0: none */
  size_t n_templates;
  pl_host_param *params;
  size_t n_params;
  size_t inits;      /* constructor: behind the ':'; 0: none */
  size_t body, end;  /* '{' and '}'; 0: no body */
  unsigned line;
} pl_host_function;

struct pl_host_class {
  const char *name;
  const char **templates;
  size_t n_templates;
  size_t body, end;
};

typedef struct pl_host_alias {
  const char *name, *type;
} pl_host_alias;

/* One launch that was met. */
typedef struct pl_host_launch {
  const pl_host_function *kernel, *from;
  const char *kernel_text; /* with template arguments */
  bool open_templates;     /* these are not known */
  pl_host_value grid[3], block[3], smem;
  pl_host_value *args;
  size_t n_args;
  pl_host_binding *bindings; /* of the kernel's template parameters */
  const pl_sym **conditions; /* that hold on the way here */
  size_t n_conditions;
  bool doubtful; /* on a branch that may not be taken */
  const char *constant; /* `__constant__` that the host filled; NULL */
  unsigned line;
} pl_host_launch;

typedef struct pl_host_trail {
  pl_host_cell *cell;
  pl_host_value old;
} pl_host_trail;

typedef struct pl_host {
  pl_arena *arena;
  pl_host_text text;
  size_t p;      /* the token at hand */
  int skipping;  /* reads on without doing anything */
  int angles;    /* inside template arguments: `>` ends them */
  int doubt;     /* depth of branches that may not be taken */
  int depth;     /* of calls */
  unsigned steps;
  bool lost;     /* the statement is beyond us */
  pl_host_function *functions;
  size_t n_functions, cap_functions;
  pl_host_class *classes;
  size_t n_classes, cap_classes;
  pl_host_alias *aliases;
  size_t n_aliases, cap_aliases;
  pl_host_dim **dims;
  size_t n_dims, cap_dims;
  pl_host_scope file, *scope;
  pl_host_trail *trail;
  size_t n_trail, cap_trail;
  const pl_sym **conditions;
  size_t n_conditions, cap_conditions;
  const char **filled_constants;
  size_t n_filled_constants, cap_filled_constants;
  bool unknown_constants;
  pl_host_value returned;
  bool exits; /* the program ends here */
  pl_host_launch *launches;
  size_t n_launches, cap_launches;
} pl_host;

/* Follows the program; the launches are in host->launches. False: the text is
 * not one of brackets that match. */
bool pl_host_follow(pl_host *host, pl_arena *arena, pl_str source,
                    const char *const *defines, size_t n_defines);

/* ---- for the files of the module ----------------------------------------- */

#define PL_HOST_TOKEN(h) (&(h)->text.tokens[(h)->p])

bool pl_host_at(const pl_host *h, const char *text);
/* The token `ahead` of the one at hand. */
bool pl_host_ahead(const pl_host *h, size_t ahead, const char *text);
bool pl_host_is(const pl_host *h, size_t index, const char *text);
/* `texts`: up to NULL. */
bool pl_host_is_one_of(const pl_host *h, size_t index, const char *const *texts);
bool pl_host_take(pl_host *h, const char *text);
/* Behind the `>` that closes the `<` at `open`; 0: it opens no list. */
size_t pl_host_angle_end(const pl_host *h, size_t open);
/* The tokens of [from, end) as text, a space where two names would meet. */
const char *pl_host_words(const pl_host *h, size_t from, size_t end);

void pl_host_scan(pl_host *h);
pl_host_function *pl_host_find_function(pl_host *h, const char *name,
                                        size_t n_args);
const pl_host_class *pl_host_find_class(const pl_host *h, const char *name);
/* Reads `const float *__restrict__ a` up to `end`. */
pl_host_param pl_host_read_param(pl_host *h, size_t from, size_t end);

const pl_sym *pl_sym_const(pl_host *h, int64_t v);
const pl_sym *pl_sym_dim(pl_host *h, const char *name, int64_t v, bool open);
/* NULL: the value does not exist. */
const pl_sym *pl_sym_make(pl_host *h, pl_sym_op op, const pl_sym *a,
                          const pl_sym *b);
const pl_sym *pl_sym_if(pl_host *h, const pl_sym *test, const pl_sym *yes,
                        const pl_sym *no);
bool pl_sym_has_dims(const pl_sym *s);
/* Does it hang on a size that may be another one? */
bool pl_sym_varies(const pl_sym *s);
/* Does it hang on a size that is made up? */
bool pl_sym_is_open(const pl_sym *s);
bool pl_sym_same(const pl_sym *a, const pl_sym *b);
/* The sizes in it are no longer to be varied. */
void pl_sym_pin(const pl_sym *s);
/* A constant of the value, its sizes pinned. */
const pl_sym *pl_sym_pinned(pl_host *h, const pl_sym *s, int64_t v);
void pl_sym_write(const pl_sym *s, pl_text *text);

pl_host_value pl_host_int(pl_host *h, int64_t v);
pl_host_value pl_host_of_sym(const pl_sym *s);
pl_host_value pl_host_real(double v);
pl_host_value pl_host_to_int(pl_host *h, const pl_host_value *v);
pl_host_value pl_host_to_real(pl_host *h, const pl_host_value *v);
/* 1, 0, or -1: not known. */
int pl_host_truth(const pl_host_value *v);
bool pl_host_same(const pl_host_value *a, const pl_host_value *b);

/* The type behind aliases and template parameters. */
const char *pl_host_type(const pl_host *h, const char *name);
bool pl_host_is_alias(const pl_host *h, const char *name);
/* 0: not known. */
int64_t pl_host_type_size(pl_host *h, const char *name);
/* "vector<a::b>" of "std::vector<a::b>". */
const char *pl_host_last_name(const char *type);
bool pl_host_is_integer(const char *type);
bool pl_host_is_real(const char *type);
bool pl_host_is_container(const char *type);
/* The first template argument of `vector<float>`; NULL: none. */
const char *pl_host_first_argument(pl_host *h, const char *type);
/* Do the tokens of [from, end) name a type? */
bool pl_host_names_type(pl_host *h, size_t from, size_t end);

pl_host_cell *pl_host_look_up(pl_host *h, const char *name);
/* The record whose method is running; NULL: none. */
pl_host_value *pl_host_self(const pl_host *h);
pl_host_binding *pl_host_bound(const pl_host *h, const char *name);
pl_host_cell *pl_host_declare(pl_host *h, const char *name);
pl_host_cell *pl_host_field(pl_host *h, pl_host_cell *record, const char *name,
                            bool make);
void pl_host_assign(pl_host *h, pl_host_cell *cell, pl_host_value value);
pl_host_cell *pl_host_behind(pl_host_cell *cell);
pl_host_value pl_host_copy(pl_host *h, const pl_host_value *value);
pl_host_value pl_host_dim3(pl_host *h, const pl_host_value *xyz, size_t n);
/* The cells that changed since `mark`, as if nothing had been done. */
pl_host_trail *pl_host_undo(pl_host *h, size_t mark, size_t *n);

pl_host_value pl_host_expression(pl_host *h); /* up to a comma */
pl_host_value pl_host_unary(pl_host *h);
pl_host_value pl_host_operand(pl_host *h);
/* What the cell keeps of a value: of its type. A constant makes a host variable a
 * size of its own. */
pl_host_value pl_host_stored(pl_host *h, pl_host_cell *cell, pl_host_value v);
/* An integer that is not known is a size that no call in sight gives. */
enum { PL_HOST_SOME_SIZE = 512 };
pl_host_value pl_host_opened(pl_host *h, const pl_host_cell *cell,
                             pl_host_value v);
/* Of two values; `op` as it is spelt. */
pl_host_value pl_host_apply(pl_host *h, const char *op, pl_host_value a,
                            pl_host_value b);
/* "(a, b)" at hand. */
pl_host_value *pl_host_arguments(pl_host *h, size_t *n);

pl_host_value pl_host_call(pl_host *h, const pl_host_function *f,
                           pl_host_value *args, size_t n,
                           pl_host_binding *bindings, pl_host_value *self);
pl_host_value pl_host_call_lambda(pl_host *h, const pl_host_value *lambda,
                                  pl_host_value *args, size_t n);
/* "<float, 16>" at `open`, for the template parameters of `names`. */
pl_host_binding *pl_host_bind(pl_host *h, const char *const *names, size_t n,
                              size_t open);
/* Those that the arguments decide. */
pl_host_binding *pl_host_deduce(pl_host *h, const pl_host_function *f,
                                const pl_host_value *args, size_t n,
                                pl_host_binding *bindings);
/* An object of a class of the file, made of arguments. */
pl_host_value pl_host_construct(pl_host *h, const pl_host_class *of,
                                pl_host_binding *bindings,
                                pl_host_value *args, size_t n);
/* False: no function that is known. */
bool pl_host_known_call(pl_host *h, const char *name, pl_host_value *args,
                        size_t n, pl_host_value *result);
/* A call into the unknown: what it is handed by reference may change. */
void pl_host_forget_arguments(pl_host *h, const char *name,
                              pl_host_value *args, size_t n);
bool pl_host_method(pl_host *h, pl_host_value *self, const char *name,
                    pl_host_value *args, size_t n, pl_host_value *result);
/* A container of `n` elements of `type`. */
pl_host_value pl_host_container(pl_host *h, const char *type,
                                const pl_sym *count);

typedef enum pl_host_flow {
  PL_HOST_GOES_ON, PL_HOST_BREAKS, PL_HOST_CONTINUES, PL_HOST_RETURNS
} pl_host_flow;

/* The name that is declared at `i`, 0: it is no declaration; with the end of a
 * declarator behind it? */
size_t pl_host_declared_at(const pl_host *h, size_t i);
bool pl_host_declares(const pl_host *h, size_t i);
/* True: it was one, and h->p is behind it. */
bool pl_host_declaration(pl_host *h);
/* Behind it; the variables that it names are unknown. */
void pl_host_lose_statement(pl_host *h, size_t from);
pl_host_flow pl_host_statement(pl_host *h);
pl_host_flow pl_host_block(pl_host *h); /* at its '{' */

/* `mm`, `mm<16>`, its `<` at `open_angle` or 0; UNKNOWN: no kernel of the file. */
pl_host_value pl_host_kernel(pl_host *h, const char *name, size_t open_angle);
/* Is the token at `i` cudaLaunchKernel, cudaLaunchKernelEx or one of their like? */
bool pl_host_is_launch_call(const pl_host *h, size_t i);
/* If `name` is one of them: its launch; `line` is where it stands. */
void pl_host_launch_call(pl_host *h, const char *name, unsigned line,
                         const pl_host_value *args, size_t n);
/* At the `<<<` behind a kernel's name. */
void pl_host_launch_at(pl_host *h, const char *name, size_t open_angle);

#endif
