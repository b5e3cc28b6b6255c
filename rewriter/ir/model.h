/* model.h - what a translation unit says, as plain data.
 *
 * The frontend fills this from libclang; every later pass reads only this, so
 * tests build and dump models without libclang. Source positions are byte
 * offsets into the main file. A node that a macro's body produced has the range
 * of the macro's use and `from_macro` set; a node spelled in a macro's argument
 * has the range of that spelling. */
#ifndef PL_MODEL_H
#define PL_MODEL_H

#include "unit.h"

/* ---- types -------------------------------------------------------------- */

typedef enum pl_type_kind {
  PL_TYPE_VOID,
  PL_TYPE_BOOL,
  PL_TYPE_INT,    /* any integer, `size` bytes, `is_unsigned` */
  PL_TYPE_FLOAT,  /* float, double */
  PL_TYPE_RECORD, /* struct, class: float4, half, fragments, user structs */
  PL_TYPE_ENUM,   /* size and sign are those of its underlying type */
  PL_TYPE_POINTER,
  PL_TYPE_REFERENCE, /* lvalue or rvalue; `element` is what it names */
  PL_TYPE_ARRAY,     /* `element`, `count` (-1: dependent or unknown) */
  PL_TYPE_DEPENDENT, /* template parameter or anything that hangs on one */
  PL_TYPE_FUNCTION,
  PL_TYPE_OTHER
} pl_type_kind;

/* What a pointer or reference in an object begins with: the arguments that make
 * the object and that it comes from, and nothing else. */
typedef struct pl_beginning {
  pl_str member;
  uint64_t from;  /* bit i: what argument i points to, or is a name of */
  uint64_t loads; /* bit i: what a pointer in argument i, a record, points to */
  bool is_known, is_reference;
  bool is_record; /* the member is one: what the pointers in it begin with */
} pl_beginning;

/* One way to make an object: by a constructor, or by a list of its members. */
typedef struct pl_making {
  uint32_t at; /* the constructor's name in the main file; PL_NONE: elsewhere */
  bool is_list;
  bool is_known; /* what it does to the members is seen */
  bool is_plain; /* ... and it does nothing else, and reads no memory */
  uint32_t nparams;
  uint64_t by_name; /* bit i: argument i is known by a reference */
  uint64_t by_value; /* bit i: a number or pointer of its own, in no class */
  pl_beginning *members; /* pointers and references, each under its own name */
  uint32_t nmembers;
} pl_making;

/* Canonical. `spelling` is canonical and unqualified at the outermost level.
 * Sizes are bytes, -1 where a template parameter decides. */
typedef struct pl_type {
  pl_type_kind kind;
  bool is_const, is_volatile, is_restrict, is_unsigned;
  const struct pl_type *in_text; /* of an instantiation, where its template's
                                    arguments decide it: the type as the
                                    template's text has it; NULL: it is the same */
  bool is_open;   /* a record that is being read: its members, or theirs, name it */
  bool is_packed; /* a record whose members lie at any byte */
  bool is_union;  /* also of a template */
  bool is_user;   /* a record of the user's own files, also of a template */
  bool runs_code; /* such a record, whose copies or end run the user's code */
  bool has_constructors, has_operators; /* such a record, of the user's code */
  bool has_conversions; /* such a record: the user's code makes other values of it,
                           or of a base or field */
  bool made_by_code; /* such a record, some constructor of which does more than
                        to set it from its arguments, or that has a base */
  bool copies_by_code; /* such a record, by an operator= of its own, or it has
                          virtual functions */
  bool made_plainly; /* such a record, and its fields: by constructors that set
                        it from their arguments, or by none, its members begin
                        as numbers, and it is copied as it is */
  bool holds_plainly; /* such a record, of which made_plainly says all but what its
                         constructors and bases do */
  bool begins_by_code; /* such a record, whose members' own initialisers read
                          more than numbers */
  bool ends_by_code; /* such a record, that a destructor of the user's code ends, of
                        its own, of a base or of a member */
  bool has_references, has_number_references; /* such a record: members that are
                          references, to numbers or not, its own or of a base or
                          field */
  bool has_volatile; /* such a record: a member is volatile, its own or of a base or
                        field, which copies of it read and set */
  bool has_open_fields; /* such a record of a template: an argument that is not known
                           decides the type of a field, which may be a reference */
  bool has_own_address; /* such a record: by an operator& of its own */
  bool is_trivially_copyable; /* clang_isPODType, a known vector type, or
                                 made_plainly */
  int64_t size, align;
  int64_t count;                 /* arrays */
  const struct pl_type *element; /* arrays, pointers, references; of a function what
                                    it gives back */
  pl_str spelling;
  pl_str written; /* not canonical: as clang prints the sugared type */
  struct pl_decl **constants; /* a record that is a template argument: its
                                 integral static members, for `T::name` */
  uint32_t nconstants;
  bool keeps_addresses; /* a record of the user's, that holds pointers or
                           references, or may */
  bool begins_elsewhere; /* ... and some constructor may take one from elsewhere
                            than from its arguments */
  pl_making *makings; /* a record of the user's that holds pointers or references
                         of its own: all ways to make one; NULL: not known */
  uint32_t nmakings;
  struct pl_member_init *begins; /* a record of the user's: the fields that begin as their
                                    own declarations say, and, without a value, those that
                                    hold such */
  uint32_t nbegins;
} pl_type;

/* ---- declarations ------------------------------------------------------- */

typedef struct pl_node pl_node;
typedef struct pl_func pl_func;

typedef enum pl_decl_kind {
  PL_DECL_VAR,
  PL_DECL_PARAM,
  PL_DECL_FUNC,
  PL_DECL_TEMPLATE_VALUE, /* non-type template parameter */
  PL_DECL_TEMPLATE_TYPE,
  PL_DECL_ENUM_CONSTANT,
  PL_DECL_FIELD,
  PL_DECL_METHOD,
  PL_DECL_OTHER
} pl_decl_kind;

/* Where a default argument, or a member's own initialiser, has its value from:
 * numbers alone, the thread's index as well, or memory and functions. */
typedef enum pl_origin {
  PL_ORIGIN_NUMBERS,
  PL_ORIGIN_THREAD,
  PL_ORIGIN_CODE
} pl_origin;

/* What a text of ours says of an object that is_apart, as an annotation; of one that is so
 * in launches in sight alone. */
#define PL_APART_MARK "pipelinify.apart"
#define PL_APART_HERE_MARK "pipelinify.apart.here"

/* A name that pointers of a record have, of its own or of a record in it. */
typedef struct pl_pointer_name {
  pl_str name;
  bool is_restrict; /* all of that name are, and share their place with nothing */
} pl_pointer_name;

typedef struct pl_decl {
  pl_decl_kind kind;
  pl_str name;
  pl_str qualified; /* a::b::name where it has scopes */
  const pl_type *type;
  pl_range range;     /* of this declarator, from its type's first token */
  pl_range name_range;
  bool in_main;       /* declared in the main file */
  bool is_user;       /* declared there or in a header of the user's */
  bool from_macro;    /* a macro's body declares it */
  bool is_shared, is_extern, is_static, is_constant_memory, is_device;
  bool is_apart;      /* extern shared: a part of the dynamic block in which no other name
                         leads (carved.c) */
  bool is_apart_here; /* ... in blocks of the launches in sight */
  bool is_constexpr;  /* constexpr, or const integral with a constant value */
  bool is_volatile;
  bool is_defaulted;  /* METHOD, constructor: made by the compiler */
  bool sets_members_alone; /* METHOD, constructor of the user's: it computes its
                              object from its arguments, and does no more, but for
                              what `calls` do */
  pl_node **calls;
  uint32_t ncalls;
  bool is_virtual;    /* METHOD: a call through a base may run another body */
  bool is_public;     /* FIELD, METHOD: everybody may name it */
  bool points_to_shared; /* parameter of a load helper that is given a tile */
  pl_pointer_name *pointers; /* PARAM, a record by value, without bases: the names of
                                its pointers; NULL: not known, or none */
  size_t npointers, pointers_cap;
  bool is_member;     /* PARAM: stands for a reference or pointer in a method's
                         object (handed_members.c) */
  struct pl_decl *carved_with; /* parameter: the first of those that some call
                                  gives parts of one object; NULL: none */
  int64_t align_attr; /* __align__ / alignas bytes, 0: none, -1: dependent */
  bool is_field, is_bit_field;
  int64_t field_offset; /* FIELD: bytes from its record's begin, of a bit-field those of
                           what holds it; where a template leaves that open, a number
                           far from other fields' */
  bool is_in_union;   /* FIELD: other members of the record lie where it does */
  const pl_type *text_type; /* FIELD of a record that is a member of a class template's
                               instantiation: its type as the template's text has
                               it, in the names that the class's methods know */
  bool has_value;     /* integral constant that clang evaluated */
  bool is_open;       /* ENUM_CONSTANT: its enumeration's text names what another build
                         may have otherwise */
  int64_t value;
  pl_node *init;      /* initialiser, NULL: none */
  pl_node **dims;     /* array bounds, outermost first, NULL entry: `[]` */
  uint32_t ndims;
  pl_func *owner;     /* function that it is declared in; NULL: file scope */
  pl_func *func;      /* PL_DECL_FUNC: its body, NULL where none is seen */
  pl_node *node;      /* PL_NODE_VAR that declares it, NULL for parameters */
  bool in_parts;      /* VAR: of `auto [a, b] = e;`, has no name */
  struct pl_decl *bound_in, *bound_to; /* OTHER, a name of such: of which VAR,
                                          and to which FIELD */
  int64_t bound_at; /* ... and, of an array, of which element */
  pl_origin unless_given; /* PARAM: of its default argument */
  bool is_set;        /* owner's body sets it anew; pl_assigned_anywhere's */
  bool knows_names, has_second_name; /* pl_has_second_name's */
  uint32_t definitions; /* reaching_definitions.c's number of it; 0: none */
} pl_decl;

/* ---- statements and expressions ----------------------------------------- */

/* X(name, children). A child that is absent is NULL. */
#define PL_NODE_KINDS(X)                                                       \
  X(COMPOUND, "statements; of name if: what its header declares, and the IF")   \
  X(DECL_STMT, "VAR nodes (other local declarations: OTHER_DECL)")             \
  X(VAR, "initialiser or nothing; decl is the variable")                       \
  X(OTHER_DECL, "using, typedef, static_assert, local struct; ival: names only")\
  X(IF, "condition, then, else")                                               \
  X(FOR, "init statement, condition, increment, body")                         \
  X(RANGE_FOR, "over an array: VAR of an element, array, body; else anything")                                                     \
  X(WHILE, "condition, body")                                                  \
  X(DO, "body, condition")                                                     \
  X(SWITCH, "condition, body")                                                 \
  X(CASE, "label expression (NULL: default), statement")                       \
  X(LABEL, "statement; name")                                                  \
  X(RETURN, "value")                                                           \
  X(BREAK, "")                                                                 \
  X(CONTINUE, "")                                                              \
  X(GOTO, "name")                                                              \
  X(EMPTY, "a lone semicolon; a value that nothing says, one of the kids")      \
  X(ASM, "operand expressions, ival outputs first; text by range, name: of a header's") \
  X(REF, "decl, name; `T::name` of a template parameter T has no decl")       \
  X(MEMBER, "base; name, decl")                                                \
  X(SUBSCRIPT, "base, index")                                                  \
  X(CALL, "callee expression (or NULL), arguments; name, decl")                \
  X(LAUNCH, "callee, grid, block, shared bytes, stream, arguments")            \
  X(UNARY, "operand; op")                                                      \
  X(BINARY, "left, right; op")                                                 \
  X(ASSIGN, "left, right; op (PL_OP_ASSIGN or the compound's operator)")       \
  X(COND, "condition, if true, if false")                                      \
  X(CAST, "operand; explicit casts only, type is the target")                  \
  X(PAREN, "operand")                                                          \
  X(INT, "ival (bool, char and enum literals too)")                            \
  X(FLOATING, "text by range")                                                 \
  X(STRING, "")                                                                \
  X(SIZEOF, "operand expression where there is one; ival where known")         \
  X(INIT_LIST, "values")                                                       \
  X(CONSTRUCT, "arguments; type(args) and T{...} of a record")                 \
  X(LAMBDA, "everything inside, body last; captures as REF nodes first")       \
  X(THIS, "")                                                                  \
  X(UNKNOWN, "whatever clang showed; name of some statements: switch, while")

typedef enum pl_node_kind {
#define X(name, children) PL_NODE_##name,
  PL_NODE_KINDS(X)
#undef X
} pl_node_kind;

/* X(name, spelling). For UNARY, BINARY and ASSIGN. */
#define PL_OPS(X)                                                              \
  X(NONE, "") X(ADD, "+") X(SUB, "-") X(MUL, "*") X(DIV, "/") X(REM, "%")      \
  X(SHL, "<<") X(SHR, ">>") X(AND, "&") X(OR, "|") X(XOR, "^")                 \
  X(LAND, "&&") X(LOR, "||") X(LT, "<") X(GT, ">") X(LE, "<=") X(GE, ">=")     \
  X(EQ, "==") X(NE, "!=") X(ASSIGN, "=") X(COMMA, ",")                         \
  X(PREINC, "++") X(POSTINC, "++") X(PREDEC, "--") X(POSTDEC, "--")            \
  X(ADDR, "&") X(DEREF, "*") X(PLUS, "+") X(MINUS, "-") X(NOT, "~")            \
  X(LNOT, "!") X(OTHER, "?")

typedef enum pl_op {
#define X(name, spelling) PL_OP_##name,
  PL_OPS(X)
#undef X
} pl_op;

/* What one instantiation makes of an expression. */
typedef struct pl_open_value {
  bool is_known;
  int64_t value;
} pl_open_value;

/* Implicit casts, temporaries, cleanups and copy constructions are left out:
 * their operand stands in their place. An overloaded operator on a vector or
 * half type is the same UNARY, BINARY, ASSIGN or SUBSCRIPT as a built-in one.
 * An expression that stands as a statement is its own node, without wrapper;
 * the range of a statement includes its semicolon. */
struct pl_node {
  pl_node_kind kind;
  pl_op op;
  bool from_macro;   /* some of its own tokens come from a macro's body */
  bool has_ival;     /* ival is this expression's constant value */
  bool of_build;     /* ... and may be another one in another build, as its text hangs on a
                        number that this file has as a default (open_values.h) */
  bool is_arrow;     /* MEMBER: base is a pointer */
  uint32_t place_in_cfg; /* cfg.h's: from 1; 0: not numbered */
  int64_t ival;
  struct pl_open_value *open; /* its value in each instantiation, where the
                                 template's text leaves it to the arguments;
                                 NULL: it does not, or nothing is known */
  pl_range range;
  pl_range place;    /* MEMBER, CALL and REF of a header's function: what tells
                        them apart; {0,0}: a macro makes them */
  pl_range op_range; /* BINARY, ASSIGN, COND ('?'): the operator's token,
                        {0,0} when a macro's body holds it */
  const pl_type *type; /* NULL for statements */
  pl_decl *decl;
  pl_str name;
  pl_node *parent;
  pl_node **kids;
  uint32_t nkids;
  pl_func *func;     /* LAMBDA: what it is called for; a function's body: whose */
  bool has_template_value; /* CALL: `f<N>()`, the first template argument is N, */
  int64_t template_value;  /* ... that */
};

/* ---- functions ---------------------------------------------------------- */

/* What clang says about a place in a template's text under one set of
 * arguments: a value or a type. */
typedef struct pl_instance_fact {
  pl_range at;         /* of the name, a header's by its place; of a declaration
                          an empty one before it */
  pl_str name;         /* as written, without blanks */
  bool has_value;
  int64_t value;       /* of a constant */
  const pl_type *type; /* of the variable that is declared there */
} pl_instance_fact;

/* One set of template arguments with which the file uses a function. */
typedef struct pl_instance {
  uint32_t index; /* among its function's */
  uint32_t nargs;
  struct pl_template_arg {
    bool is_value;
    int64_t value;
    const pl_type *type; /* !is_value */
  } * args; /* as many as the function has template parameters */
  pl_str spelling; /* "16, float" */
  struct pl_object_size {
    uint32_t at;   /* offset of a shared variable's name */
    int64_t bytes; /* with these arguments */
  } * objects;
  size_t nobjects, objects_cap;
  pl_instance_fact *facts;
  size_t nfacts, facts_cap;
  struct pl_settled_type {
    pl_str spelling;     /* canonical, of a type that hangs on the template */
    const pl_type *type; /* with these arguments */
  } * types;
  size_t ntypes, types_cap;
} pl_instance;

/* What a constructor makes a member of, before its body: `name(value)`, or the
 * member's own initialiser. */
typedef struct pl_member_init {
  const pl_decl *field;
  pl_node *value;
} pl_member_init;

/* So many instantiations of a function are noted; of one that has as many, nothing
 * is taken for known in all of them. */
#define PL_MAX_INSTANCES 256

/* One `kernel<<<grid, block, shared, stream>>>(...)` in the file. */
typedef struct pl_launch_site {
  pl_range range;
  pl_node *grid, *block, *shared; /* NULL: not given */
  int64_t threads;                /* of a block, -1: not constant */
  int64_t block_dims[3];          /* x, y, z; 0: not constant */
  int64_t shared_bytes;           /* dynamic, -1: not constant */
  int instance;                   /* index, -1: not a template */
  const pl_node *node;            /* the LAUNCH */
  const struct pl_func *caller;   /* whose body it stands in */
} pl_launch_site;

struct pl_func {
  pl_str name, qualified;
  pl_decl *decl;
  pl_range range; /* from the template header or first specifier to '}' */
  pl_range name_range; /* where its definition names it, in the main file; empty:
                          a macro does. Its declaration's may be a prototype's */
  bool in_main;   /* body is in the main file, so it can be edited */
  bool is_global, is_device, is_host, is_template, is_extern_c, is_method;
  bool from_macro;
  bool holds_error; /* clang found one in its text: a part of that may be gone */
  bool is_named_openly; /* a kernel whose instantiations a list of a template names */
  bool is_others_too; /* a header's template: who includes it may have another one for
                         arguments of its own, `template <> struct Step<half>` */
  bool is_named_elsewhere; /* not only in calls that the bodies show: a default
                              argument calls it, or its address is taken */
  bool local_object; /* a method, looked at as one of an object that is a
                        variable of the thread's own */
  bool shared_object; /* ... or one that lies in shared memory, a tile */
  const pl_func *outer; /* of a lambda: the function that it stands in */
  pl_node *open_body;   /* of a generic lambda all calls of which mean one
                           instantiation, which `body` is of: what its text has */
  pl_decl **open_params;
  bool is_mixed;        /* of a generic lambda: its calls mean several */
  struct pl_func *pattern; /* of an instantiation: the template's function, whose
                              text and places it has, with every type concrete;
                              NULL: it is a function of its own, or a pattern */
  uint32_t number;      /* among its unit's; effects.c's */
  uint32_t nbodies;     /* of a pattern: the functions whose pattern it is */
  bool is_all_in_sight; /* of a pattern: they are all that is ever made of it */
  uint32_t own;         /* of an instantiation: which of `instances`, that are
                           those of the pattern */
  pl_decl **template_params;
  uint32_t ntemplate_params;
  pl_decl **params;
  uint32_t nparams;
  pl_node *body;
  pl_member_init *member_inits; /* a constructor's */
  uint32_t nmember_inits;
  pl_arena *arena;     /* where its graph is kept */
  struct pl_cfg *cfg;  /* of the body (cfg.h); NULL: not asked for */
  struct pl_calls *calls; /* of the body (call_graph.c); NULL: not asked for */
  int64_t launch_bounds; /* max threads, 0: none, -1: dependent */
  pl_node *launch_bounds_node;
  pl_instance *instances;
  uint32_t ninstances;
  pl_launch_site *launches;
  uint32_t nlaunches;
  bool knows_set;   /* is_set says so of its own variables */
  bool sets_unseen; /* ... but for what a lambda's `&r = x` leads to */
};

/* A type as the text has it that holds for all of a template's arguments. */
static inline const pl_type *pl_written_type(const pl_type *type) {
  return type && type->in_text ? type->in_text : type;
}

/* Whether an expression is a constant: by its text, or with the arguments of the
 * instantiation that it stands in. */
static inline bool pl_node_is_constant(const pl_node *node) {
  return node->has_ival || node->open;
}

/* The function whose text an instantiation has, its pattern; any other itself. */
static inline const pl_func *pl_written_func(const pl_func *func) {
  return func->pattern ? func->pattern : func;
}

/* ---- reading the model -------------------------------------------------- */

const char *pl_node_kind_name(pl_node_kind kind);
const char *pl_op_name(pl_op op);
/* Without PAREN around it. */
pl_node *pl_node_bare(pl_node *node);
/* What stands around it, but for PAREN. */
pl_node *pl_node_around(const pl_node *node);
/* Whether an expression is the constant 0, in all instantiations and builds; NULL is
 * not. */
bool pl_node_is_zero(const pl_node *node);
/* The text of an expression, though a macro's body holds a part of it; empty
 * where that part cannot be written (spell.c). */
pl_str pl_spell(const pl_unit *unit, const pl_node *node);
/* Whether it is a lambda or stands in one, whose text may run wherever it is
 * called. */
bool pl_in_lambda(const pl_node *node);
/* Whether it is the variable's name. */
bool pl_names_var(const pl_node *node, const pl_decl *var);
/* Whether a variable is the thread's own. */
bool pl_is_private(const pl_decl *decl);
/* What a reference refers to; any other type itself. */
const pl_type *pl_no_reference(const pl_type *type);
/* The name of a type without the const of its own: of a pointer the last one. */
pl_str pl_without_const(pl_str written);
/* An integer, a floating-point number or a truth; such a one or an enumerator, or a
 * pointer; an array, or a reference to one. */
bool pl_is_number_type(const pl_type *type);
bool pl_is_number_or_enum(const pl_type *type);
bool pl_is_value_type(const pl_type *type);
bool pl_is_array_type(const pl_type *type);
/* Whether what an expression's text says is a number or a pointer, of which `!`, `&&` and
 * `||` are the language's own: no object that the user's code makes one of. */
bool pl_is_plain_test(const pl_node *node);
/* Whether a type has a name that the file can say. */
bool pl_is_spelled_type(const pl_type *type);
/* A name behind the `const`s in front of it. */
pl_str pl_behind_const(pl_str spelling);
/* `this`, or a member that is named without an object. */
bool pl_is_own_object(pl_node *node, const void *unused);
/* The statement that blocks of one hold; NULL: they hold none, or several. */
pl_node *pl_only_statement(const pl_node *node);
bool pl_is_only(const pl_node *node, pl_node_kind kind);
/* The number of a parameter, -1: it is none of the function's. */
int pl_param_index(const pl_func *func, const pl_decl *decl);
/* Whether two types are spelled alike, references to them included. */
bool pl_same_type(const pl_type *a, const pl_type *b);
/* Whether a range-based loop goes over an array, or a list of numbers: its
 * variable is an element of that, and nothing says which. Others call begin and
 * end. */
bool pl_node_is_array_range(const pl_node *node);
/* Whether it is a for, while, do or range-based for loop. */
bool pl_node_is_loop(const pl_node *node);
/* `++x`, `x--` and relatives. */
bool pl_node_is_step(const pl_node *node);
/* Whether an assignment or a step stands in it. */
bool pl_node_changes(const pl_node *node);
/* The body of a for, while or do loop; NULL of anything else, and of a
 * range-based loop, whose parts the model does not tell apart. */
pl_node *pl_node_loop_body(const pl_node *node);
/* Where the arguments that a call of a function leaves out have their values
 * from. */
pl_origin pl_omitted_arguments(const pl_func *func, const pl_node *call);
/* Whether a node is a statement of its own, not a part of an expression. */
bool pl_node_is_statement(const pl_node *node);
/* Whether an IF stands below the declaration of its own header. */
bool pl_if_has_init(const pl_node *node);
bool pl_node_has(const pl_node *node, pl_node_kind kind);
bool pl_node_within(const pl_node *node, const pl_node *ancestor);

/* Calls `visit` on node and everything below it, parents first; stops below a
 * node for which it returns false. NULL nodes are passed over. */
typedef bool pl_visit(pl_node *node, void *context);
void pl_node_walk(pl_node *node, pl_visit *visit, void *context);

/* Of all trees: another one, where a pass has changed what some of them say. */
uint64_t pl_unit_digest(const pl_unit *unit);

/* The first node of a tree, parents first, of which a test is true; NULL: none. */
typedef bool pl_node_test(pl_node *node, const void *context);
pl_node *pl_node_find(const pl_node *node, pl_node_test *test, const void *context);
/* How often a tree names a variable. */
uint32_t pl_count_names(const pl_node *node, const pl_decl *decl);

/* Writes a tree, two spaces a level: kind, op, name, value, type, range. */
void pl_node_dump(const pl_unit *unit, const pl_node *node, int depth,
                  pl_text *out);
void pl_unit_dump(const pl_unit *unit, pl_text *out);

/* The integer value of an expression under one instantiation of `func`
 * (instance NULL: none). False where it is not a constant. */
bool pl_node_eval(const pl_node *node, const pl_func *func,
                  const pl_instance *instance, int64_t *value);

/* A type under an instantiation: itself where it does not hang on a template,
 * NULL where what it becomes is not known. */
const pl_type *pl_type_settled(const pl_type *type, const pl_func *func,
                               const pl_instance *instance);

/* The type of a variable under an instantiation, array bounds included; its own
 * where the instantiation says nothing. */
const pl_type *pl_decl_type(const pl_decl *decl, const pl_instance *instance);

/* As what a function is looked at: as each of its instantiations in sight, or, where
 * there are none, once as no one's (NULL). */
uint32_t pl_count_readings(const pl_func *func);
const pl_instance *pl_reading(const pl_func *func, uint32_t i);
/* The instantiation that a function is; NULL: it is none. */
const pl_instance *pl_own_instance(const pl_func *func);

/* sizeof of a type under an instantiation, -1 where unknown. */
int64_t pl_type_size(const pl_type *type, const pl_func *func,
                     const pl_instance *instance);

/* The largest over all instantiations in sight; -1 where none is known. */
int64_t pl_largest_size(const pl_type *type, const pl_func *func);

#endif
