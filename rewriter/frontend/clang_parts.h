/* clang_parts.h - what the files that read libclang's cursors share.
 *
 * A cursor becomes a pl_node, pl_decl or pl_type of the arena; nothing of
 * clang's outlives the parse. Only clang_*.c includes this. */
#ifndef PL_CLANG_PARTS_H
#define PL_CLANG_PARTS_H

#include "frontend.h"
#include "frontend_parts.h"

#include "libclang.h"

#if CINDEX_VERSION < 64
#error "libclang 17 or newer is needed: operator kinds"
#endif

/* A clang object to what we made of it. Open addressing, size a power of two;
 * an empty slot has no value. */
typedef struct pl_fe_decl {
  CXCursor key;
  pl_decl *value;
} pl_fe_decl;

typedef struct pl_fe_type {
  CXType key;
  pl_type *value;
} pl_fe_type;

/* A lambda that is a function by itself, and what it declares. */
typedef struct pl_fe_closure {
  CXCursor method;
  pl_fe_decl *items;
  size_t n, cap;
} pl_fe_closure;

/* An instantiation or a closure, and the cursor whose children are its body. */
typedef struct pl_fe_body {
  pl_func *func;
  CXCursor cursor;
  int instance; /* of its pattern's instances, -1: those say nothing */
  pl_fe_closure *closure; /* NULL: an instantiation */
} pl_fe_body;

/* Where clang found an error. */
typedef struct pl_fe_error {
  CXFile file;
  unsigned at;
} pl_fe_error;

/* Which file a location is in, as far as we care. */
typedef enum pl_place { PLACE_MAIN, PLACE_USER, PLACE_SYSTEM } pl_place;

/* Everything that one parse carries along. */
typedef struct pl_fe {
  pl_arena *arena;
  pl_unit *unit;
  pl_source source;
  CXTranslationUnit tu;
  CXFile main_file;
  const char *main_name; /* the source's, as clang has it */
  const char *root;      /* of the file that clang was given */
  CXFile last_file; /* the place cached for it */
  pl_place last_place;
  pl_fe_decl *decls;
  size_t ndecls, decls_cap;
  pl_fe_type *types;
  size_t ntypes, types_cap;
  CXCursor *specialized; /* templates and methods with texts for some arguments */
  size_t nspecialized, specialized_cap;
  CXCursor *stack; /* children being worked on, innermost last */
  size_t nstack, stack_cap;
  pl_func *func;      /* being built */
  CXFile header;      /* that holds it; NULL: the main file does */
  CXFile text_of;     /* the file that was asked for its text last */
  pl_str text;
  pl_range decl_stmt; /* being built: where a variable's attributes are */
  int depth;
  bool extern_c;
  size_t funcs_cap;
  const pl_type *unsigned_int; /* of threadIdx.x */
  const pl_wanted *wanted; /* of the statement being built; NULL: all of it */
  bool knows_patterns; /* all templates of the file are collected */
  CXCursor *noted;     /* instantiations that were seen before that */
  size_t nnoted, noted_cap;
  struct pl_fe_body *noted_as; /* the instances, each by its declaration */
  size_t nnoted_as, noted_as_cap;
  struct pl_fe_body *bodies; /* of instantiations, in the order they were met */
  size_t nbodies, bodies_cap;
  int constructors_within; /* whose text is looked at */
  pl_fe_error *errors; /* of all files */
  size_t nerrors, errors_cap;
  struct pl_fe_settling *settling; /* generic lambdas whose body is being built */
  pl_fe_closure *closure; /* being built; NULL: none is */
  pl_decl **globals; /* file-scope constants, for names in attributes */
  size_t nglobals, globals_cap;
} pl_fe;

/* ---- clang_places.c ------------------------------------------------------ */

/* Copies a clang string into the arena and gives clang its own back. */
pl_str pl_fe_take_string(pl_fe *f, CXString string);
pl_place pl_fe_cached_place(pl_fe *f, CXFile file, CXSourceLocation location);
/* Whether a header lies where the system's, or the toolkit's, do. */
bool pl_fe_is_systems(const char *path);
/* The offset of a location: of the spelling where a macro's argument holds it,
 * of the macro's use where its body does. */
pl_place pl_fe_locate(pl_fe *f, CXSourceLocation location, uint32_t *offset);
pl_range pl_fe_name_range(pl_fe *f, CXCursor cursor, pl_str name);
/* The file range of a cursor, {0, 0} outside the main file. */
pl_range pl_fe_cursor_range(pl_fe *f, CXCursor cursor);
/* What tells the places in one header from each other, and from those of the
 * main file; {0, 0} elsewhere, and where a macro has a part in it. */
pl_range pl_fe_header_place(CXCursor cursor, CXFile header);
/* That of a file; empty: it is not known. */
pl_str pl_fe_text_of(pl_fe *f, CXFile file);
/* The text at such a place. */
pl_str pl_fe_text_at(pl_fe *f, pl_range place);
/* The header of the user's that a function stands in, NULL: none. */
CXFile pl_fe_header_of(pl_fe *f, CXCursor function);
bool pl_fe_has_no_extent(CXCursor cursor);
void pl_fe_push_cursor(pl_fe *f, CXCursor cursor);
/* Keeps expressions, statements and declarations; references and attributes
 * are no children of the model. */
enum CXChildVisitResult pl_fe_collect_code(CXCursor cursor, CXCursor parent,
                                           CXClientData data);
enum CXChildVisitResult pl_fe_collect_all(CXCursor cursor, CXCursor parent,
                                          CXClientData data);
/* clang_visitChildren for visitors that allocate. */
void pl_fe_visit_children(pl_fe *f, CXCursor cursor, CXCursorVisitor visitor,
                          CXClientData data);
/* Children lie at f->stack[*first ...] until `pl_fe_drop_children(f, first)`. */
size_t pl_fe_children(pl_fe *f, CXCursor cursor, CXCursorVisitor visitor,
                      size_t *first);
void pl_fe_drop_children(pl_fe *f, size_t first);
/* One of *n children; the null cursor: there are not so many. */
CXCursor pl_fe_child(pl_fe *f, CXCursor cursor, size_t index, size_t *n);

/* ---- clang_types.c ------------------------------------------------------- */

/* CUDA's value types, whether or not their C++ definition is a POD. */
bool pl_fe_is_cuda_value_type(pl_str name);
/* Types that clang can be asked the size of; it crashes on placeholders such as
 * the type of an overloaded name, and on arrays whose elements are declared and
 * never defined. */
bool pl_fe_has_layout(CXType canonical);
bool pl_fe_is_union(CXCursor record);
/* The model's type; made once per clang type. NULL for an invalid one. */
const pl_type *pl_fe_type_for(pl_fe *f, CXType key);

/* ---- clang_records.c ----------------------------------------------------- */

/* Where a declaration's initialiser has its value from. */
pl_origin pl_fe_origin_of_initialiser(pl_fe *f, CXCursor cursor);
pl_origin pl_fe_origin_of_name(pl_fe *f, CXCursor cursor);

/* clang_constructors.c: whether a cursor names a constructor that computes its
 * object from its arguments, and does no more. */
bool pl_fe_only_sets_members(pl_fe *f, CXCursor cursor);
/* The same of a declaration's, but for what the calls do that it gets. */
void pl_fe_look_at_making(pl_fe *f, CXCursor cursor, pl_decl *decl);
bool pl_fe_is_reference(CXType type);
/* Whether an object is one, or a record or array that holds one. */
bool pl_fe_holds_address(pl_fe *f, CXType type);
/* A literal, or what has no value but that of its parts. */
bool pl_fe_only_holds(pl_fe *f, CXCursor cursor);
/* clang_makings.c: what a constructor begins the members with that are listed in
 * `making`; numbers, and the type of an array's elements. */
void pl_fe_look_at_constructor(pl_fe *f, CXCursor text, pl_making *making);
bool pl_fe_is_number(CXType type);
CXType pl_fe_innermost(CXType held);
/* clang_objects.c: all ways to make an object of a record. */
void pl_fe_fill_makings(pl_fe *f, pl_type *type, CXType canonical);
/* The names of the pointers in an argument that is a record. */
void pl_fe_note_pointers(pl_fe *f, pl_decl *decl, CXType type);
/* A record's own: where the user's files define it. */
void pl_fe_fill_record(pl_fe *f, pl_type *type, CXType canonical);

/* ---- clang_decls.c ------------------------------------------------------- */

void pl_fe_decls_add(pl_fe *f, CXCursor key, pl_decl *value);
pl_decl *pl_fe_decls_find(pl_fe *f, CXCursor key);
pl_decl_kind pl_fe_decl_kind(enum CXCursorKind kind);
bool pl_fe_is_function_kind(pl_decl_kind kind);
enum CXChildVisitResult pl_fe_note_attribute(CXCursor cursor, CXCursor parent,
                                             CXClientData data);
pl_decl *pl_fe_make_decl(pl_fe *f, CXCursor cursor);
/* The model's declaration of a clang one; NULL for none. */
pl_decl *pl_fe_decl_for(pl_fe *f, CXCursor cursor);

/* ---- clang_variables.c --------------------------------------------------- */

/* Integral constants known by name, for attributes' arguments: a template
 * parameter, a constant of that qualified name, or the only one that bears the
 * name in some scope. */
pl_decl *pl_fe_lookup_constant(void *context, pl_str name);
/* Everything about a variable that needs its children: bounds, initialiser,
 * alignment, value. Called once, where it is declared. */
void pl_fe_complete_variable(pl_fe *f, pl_decl *decl, CXCursor cursor);

/* ---- clang_nodes.c ------------------------------------------------------- */

pl_node *pl_fe_new_node(pl_fe *f, pl_node_kind kind, CXCursor cursor);
void pl_fe_room_for_kids(pl_fe *f, pl_node *node, size_t n);
void pl_fe_add_kid(pl_node *node, pl_node *kid);
void pl_fe_adopt(pl_node *node);
/* The last step for each node: parents, macro, operator place, value. */
pl_node *pl_fe_finish(pl_fe *f, pl_node *node);
/* A node whose children are all code below the cursor, in clang's order. */
pl_node *pl_fe_build_plain(pl_fe *f, CXCursor cursor, pl_node_kind kind);
pl_node *pl_fe_build_asm(pl_fe *f, CXCursor cursor);
bool pl_fe_evaluate_int(CXCursor cursor, int64_t *value);
/* Leaves: literals. */
pl_node *pl_fe_build_literal(pl_fe *f, CXCursor cursor, pl_node_kind kind);

/* ---- clang_names.c ------------------------------------------------------- */

/* The first child of a kind, or the null cursor. */
CXCursor pl_fe_child_of_kind(CXCursor cursor, enum CXCursorKind kind);
/* One of several candidates: the user's own where just one is, else the first,
 * whose qualified name is all that matters of a library's. */
pl_decl *pl_fe_choose_overload(pl_fe *f, CXCursor overloads);
/* The last identifier of a range: the name of a dependent member. */
pl_str pl_fe_last_identifier(const pl_unit *unit, pl_range range);
/* A class that a function declares, which nobody specialises: what its members'
 * types name of a template are the function's own arguments. */
bool pl_fe_is_local_record(CXCursor record);
/* What an expression says of the object whose member it names. */
typedef enum pl_fe_object {
  PL_FE_OBJECT_UNKNOWN,
  PL_FE_OBJECT_CONST,
  PL_FE_OBJECT_CHANGES,
} pl_fe_object;
/* The member of that name where the class is a template in which just one thing
 * bears it, for all arguments, or a function's own; the null cursor. Of two methods
 * that `const` alone tells apart a const object has the one, any other the other. */
CXCursor pl_fe_member_of_template(pl_fe *f, CXCursor record, pl_str name,
                                  pl_fe_object object);
/* Whether a class template, or a method or constructor of one, has one text for all
 * its arguments. */
bool pl_fe_is_never_specialized(pl_fe *f, CXCursor pattern);
pl_node *pl_fe_build_ref(pl_fe *f, CXCursor cursor);

/* ---- clang_members.c ----------------------------------------------------- */

/* A name in the scope of a template parameter, `T::name`, without blanks. */
pl_str pl_fe_dependent_name(pl_fe *f, pl_range range);
/* The member of an object whose class is a template; the null cursor. */
CXCursor pl_fe_member_of_object(pl_fe *f, CXType type, pl_str name);
/* `Scope<...>::name` with dependent arguments: the member of the template. */
CXCursor pl_fe_dependent_member(pl_fe *f, CXCursor cursor, pl_range range);
void pl_fe_take_member_type(pl_fe *f, pl_node *node, CXType type,
                            CXType object);
pl_node *pl_fe_build_member(pl_fe *f, CXCursor cursor);

/* ---- clang_operators.c --------------------------------------------------- */

/* A node with exactly `n` kids, or UNKNOWN with as many as there are. */
pl_node *pl_fe_build_fixed(pl_fe *f, CXCursor cursor, pl_node_kind kind,
                           pl_op op, size_t n);
/* `a[i]` of the C++ library's array, or of libcu++'s. */
bool pl_fe_is_library_array(const pl_decl *method);
/* An element of such an array is one of an array that is a member: each index
 * stays in the object, as in `struct { T elements[N]; }`. */
void pl_fe_become_subscript(pl_fe *f, pl_node *node);
/* `object(...)` or `object[i]` where the object's class is a template: clang
 * leaves open what that calls. */
void pl_fe_settle_operator(pl_fe *f, pl_node *node, CXCursor object,
                           pl_str name);
CXCursor pl_fe_first_operand(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_subscript(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_paren(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_unary(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_binary(pl_fe *f, CXCursor cursor);
/* An overloaded operator by its spelling behind "operator" and the number of
 * operands; false for what has no such node (call, arrow, new). */
bool pl_fe_overloaded_op(pl_str name, uint32_t operands, pl_node_kind *kind,
                         pl_op *op);

/* ---- clang_calls.c ------------------------------------------------------- */

pl_node *pl_fe_build_call(pl_fe *f, CXCursor cursor);

/* ---- clang_expressions.c ------------------------------------------------- */

/* Implicit casts and temporaries are their operand; `(x)` that clang has as a
 * list of one is a PAREN; the rest is unknown. */
pl_node *pl_fe_build_unexposed(pl_fe *f, CXCursor cursor);
/* Explicit casts: the operand is the last expression below. Of a record's
 * `type(argument)` clang shows a cast around the construction. */
pl_node *pl_fe_build_cast(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_list(pl_fe *f, CXCursor cursor);
/* Whether a value in braces becomes another one there by a function of its class. */
bool pl_fe_hides_conversion(pl_fe *f, CXCursor list);
pl_node *pl_fe_build_sizeof(pl_fe *f, CXCursor cursor);
/* A parameter of a lambda, like its locals, is of the function around it. */
pl_decl *pl_fe_param_for(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_lambda(pl_fe *f, CXCursor cursor);
/* What a generic lambda whose body is being built is handed for a parameter; NULL:
 * that is not known. */
pl_node *pl_fe_settled_argument(pl_fe *f, const pl_decl *param);
/* Gives a generic lambda the body and the parameters that one of its calls means, an
 * instantiation of its operator(); where another call means another one, those of its
 * text again. */
void pl_fe_settle_lambda(pl_fe *f, pl_node *lambda, CXCursor method,
                         pl_node *call);

/* ---- clang_wanted.c ------------------------------------------------------ */

typedef enum pl_want {
  PL_WANT_NOTHING,
  PL_WANT_PARTS, /* statements below it may be wanted */
  PL_WANT_WHOLE
} pl_want;

/* What of a statement, or of a function, is wanted. */
pl_want pl_fe_want(pl_fe *f, CXCursor cursor);

/* Gives local variables that were named, and not declared in what is wanted, their
 * function. */
void pl_fe_own_locals(pl_fe *f);

/* ---- clang_statements.c -------------------------------------------------- */

/* A statement reaches to its semicolon, or to its last sub-statement's end. */
void pl_fe_extend_statement(pl_fe *f, pl_node *node);
pl_node *pl_fe_build_compound(pl_fe *f, CXCursor cursor);
/* The children of a control statement, each built as a statement where it is
 * one. With a missing part the caller sorts them. */
pl_node *pl_fe_build_control(pl_fe *f, CXCursor cursor, pl_node_kind kind);
pl_node *pl_fe_build_for(pl_fe *f, CXCursor cursor);
/* condition, then, else. A declaration as the condition is kept as UNKNOWN,
 * with everything that is in it. */
pl_node *pl_fe_build_if(pl_fe *f, CXCursor cursor);
/* WHILE and SWITCH: condition, body; more means a declaration: UNKNOWN, by the
 * statement's name. */
pl_node *pl_fe_build_condition_body(pl_fe *f, CXCursor cursor,
                                    pl_node_kind kind);
pl_node *pl_fe_build_do(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_case(pl_fe *f, CXCursor cursor, bool is_default);
pl_node *pl_fe_build_label(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_goto(pl_fe *f, CXCursor cursor);
/* `#pragma unroll` and [[likely]] wrap their statement: it stands alone. */
pl_node *pl_fe_build_attributed(pl_fe *f, CXCursor cursor);

/* ---- clang_declarations.c ------------------------------------------------ */

pl_node *pl_fe_build_variable(pl_fe *f, CXCursor cursor);
/* `auto [a, b] = e;` is a variable that has no name; `a` is a field of it.
 * NULL: it is something else. */
pl_node *pl_fe_build_bindings(pl_fe *f, CXCursor cursor);
/* The name of a part stands for `whole.part`. */
void pl_fe_become_part(pl_fe *f, pl_node *node);
pl_node *pl_fe_build_other_decl(pl_fe *f, CXCursor cursor);
pl_node *pl_fe_build_decl_stmt(pl_fe *f, CXCursor cursor);

/* ---- clang_range_for.c --------------------------------------------------- */

pl_node *pl_fe_build_range_for(pl_fe *f, CXCursor cursor);

/* ---- clang_build.c ------------------------------------------------------- */

/* The node of any cursor in a body; NULL for what has no text (default
 * arguments, implicit values). */
pl_node *pl_fe_build_node(pl_fe *f, CXCursor cursor);

/* ---- clang_instances.c --------------------------------------------------- */

/* The template arguments of the function that `cursor` instantiates, noted as
 * an instance of its template. Returns the index, -1: no template. */
int pl_fe_note_instance(pl_fe *f, CXCursor cursor);

/* ---- clang_bodies.c ------------------------------------------------------ */

/* The template's function that a cursor instantiates; NULL: none of the user's
 * with a body, or an explicit specialisation. */
pl_func *pl_fe_pattern_of(pl_fe *f, CXCursor cursor);
/* The declaration of an instantiation whose body clang shows: a function of its
 * own, made at the first question. NULL: the pattern stands for it. */
pl_decl *pl_fe_instance_decl(pl_fe *f, CXCursor cursor);
/* Builds the bodies of all instantiations that are met from here on. */
void pl_fe_build_instances(pl_fe *f);

/* ---- clang_errors.c ------------------------------------------------------ */

void pl_fe_note_error(pl_fe *f, CXFile file, unsigned at);
/* Names that are declared where one stands: unit->lost. */
void pl_fe_note_lost(pl_fe *f);
/* Whether one stands in the text of a declaration. */
bool pl_fe_holds_error(const pl_fe *f, CXCursor cursor);

/* Makes a node a member of the own object. */
void pl_fe_be_own_member(pl_fe *f, pl_node *node, pl_decl *field);

/* ---- clang_closures.c ---------------------------------------------------- */

/* The operator() of a lambda that an instantiation is handed, as a parameter or a
 * member, and calls; NULL: it is none, or is not followed. */
pl_decl *pl_fe_closure_called(pl_fe *f, CXCursor method, const pl_node *object);
/* The declaration of what the closure that is being built declares; NULL: it is
 * another function's. */
pl_decl *pl_fe_closure_variable(pl_fe *f, CXCursor cursor);
/* The member of the closure that is being built which a captured variable is; NULL: it
 * captures no such variable. */
pl_decl *pl_fe_captured(pl_fe *f, CXCursor variable);

/* ---- clang_functions.c --------------------------------------------------- */

/* First round: the user's functions, file-scope constants and enumerators.
 * Cursors of functions stay on the stack, in the order of unit->funcs. */
enum CXChildVisitResult pl_fe_collect_top(CXCursor cursor, CXCursor parent,
                                          CXClientData data);
void pl_fe_build_body(pl_fe *f, pl_func *func, CXCursor cursor);
/* Parameters and attributes; true where the function has a body. */
bool pl_fe_fill_signature(pl_fe *f, pl_func *func, CXCursor cursor);

/* ---- clang_uses.c -------------------------------------------------------- */

/* Makes functions of the model of all instantiations that any text names. */
void pl_fe_note_instances(pl_fe *f);

/* Marks functions that are named where no body of the model calls them. */
enum CXChildVisitResult pl_fe_note_uses(CXCursor cursor, CXCursor parent,
                                        CXClientData data);

/* ---- clang_unit.c -------------------------------------------------------- */

/* The model from a parsed translation unit. */
void pl_fe_read_unit(void *context);
/* The text of a file that a cursor extends over, as the file has it, by libclang's
 * copy; empty: it is in none. */
pl_str pl_fe_file_text(pl_fe *f, CXCursor cursor);

#endif
