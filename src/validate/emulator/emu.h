/* emu.h - one CPU proof, as the passes of validate.c share it.
 *
 *   emu_files.c      the temporary directory in which everything stands
 *   emu_translate.c  kernel files to C++ for a host compiler
 *   emu_build.c      a shared object each, and the runner
 *   emu_repair.c     what of a file's host code stands in the way
 *   emu_plan.c       the size sets, and the text that tells the runner of them
 *   emu_findings.c   runs it and keeps a tally of what it finds
 *   emu_words.c      a finding of it, read and told
 *   emu_place.c      what it finds, in the words of the source
 *   emu_signature.c  in what the parameters of two kernels differ
 *   emu_verdict.c    what that proves
 *
 * The runner is a process of its own: a kernel that crashes it costs its own
 * proof alone. Private to these files; the face is validate.h. */
#ifndef PL_EMU_H
#define PL_EMU_H

#include "emudrop.h"
#include "emutext.h"
#include "validate.h"

enum { PL_EMU_DETAILS = 12 };

/* One kernel file: the original is number 0. */
/* A static shared variable: its place in the thread-local block. */
typedef struct pl_emu_symbol {
  pl_str name; /* mangled */
  unsigned long value, size;
} pl_emu_symbol;

typedef struct pl_emu_object {
  const char *label, *path;
  pl_str source;
  const char *cpp, *so, *log;
  bool built, has_asm, crashed;
  pl_emutext translated;
  size_t n_dropped; /* declarations that were left out */
  bool symbols_are_read;
  pl_emu_symbol *symbols;
  size_t n_symbols, cap_symbols;
} pl_emu_object;

/* A line of a source file in which the compiler found an error. */
typedef struct pl_emu_bad_line {
  const char *path;
  unsigned line;
} pl_emu_bad_line;

/* Threads that stand at one line; `how` is a Standing of templates/emu/run_state.h. */
typedef struct pl_emu_group {
  char how;
  int line, count, first, last;
} pl_emu_group;

enum { PL_EMU_GROUPS = 8 };

/* The runner's numbers for one finding. `offset` is a line for the findings that
 * concern barriers. `count` of the block's `threads` stand where `thread` does; 0: not
 * said. */
typedef struct pl_emu_finding {
  char word[32];
  size_t kind; /* its row in emu_words.c */
  unsigned code, other;
  int space, index;
  long offset;
  int thread, other_thread;
  long long block[3];
  int count, threads;
  pl_emu_group groups[PL_EMU_GROUPS]; /* of the others */
  size_t n_groups;
} pl_emu_finding;

/* One finding, and where it was seen; `at` has strings of the arena. */
typedef struct pl_emu_detail {
  pl_proof proof;
  pl_str text, key; /* findings of one key are one */
  pl_counterexample at;
} pl_emu_detail;

/* Who wrote a cell that differs. */
typedef struct pl_emu_writer {
  bool told, found; /* told, and not found: nobody did */
  long long block[3];
  int thread;
  const char *place; /* NULL: not known */
} pl_emu_writer;

/* What is known about one launch and one object. */
typedef struct pl_emu_tally {
  pl_proof worst;
  bool blocks_ordered; /* atomics or fences may order them */
  bool wavers; /* its results hang on what it did not write, or on the order */
  unsigned runs, cases;
  int last_case;
  double ms;
  pl_emu_detail details[PL_EMU_DETAILS];
  size_t n_details;
  pl_emu_writer writer, original_writer;
  int short_line, short_ended, short_threads; /* the first barrier of that kind */
  pl_str short_sizes;
} pl_emu_tally;

typedef struct pl_emu_case {
  const pl_launch *launch;
  size_t launch_index;
  size_t set; /* its size set's number: what seeds its random numbers */
  pl_case c;
  pl_case_shape *shapes; /* of each object */
} pl_emu_case;

typedef struct pl_emu {
  const pl_validate_request *req;
  FILE *out;
  pl_arena *arena;
  char *dir;
  const char *compiler, *runner;
  const char *precompiled; /* directory of our headers so; NULL: none */
  pl_emu_object *objects;
  size_t n_objects;
  const pl_launch **launches;
  size_t n_launches;
  pl_emu_case *cases;
  size_t n_cases, cap_cases;
  pl_emu_tally *tallies; /* [launch * n_objects + object] */
  const char **case_errors; /* by launch */
  unsigned *left_out; /* by launch: size sets that a variant leaves out */
  struct {
    const char *from, *to, *real; /* `real`: without links and dots */
  } *headers;
  size_t n_headers, cap_headers;
  pl_str *standard; /* headers of the C++ library that are asked for */
  size_t n_standard, cap_standard;
  pl_str *unknown; /* headers of the toolkit that the emulator does not have */
  size_t n_unknown, cap_unknown;
  pl_emudrop_macros macros;
  pl_emu_bad_line *bad_lines;
  size_t n_bad_lines, cap_bad_lines;
  size_t n_dropped; /* declarations, in the translation under way */
  const char *include_from; /* directory of the file being translated */
  const pl_validate_flags *include_flags; /* and what it is compiled with */
  int run_case, run_object, run_order, run_landing;
  bool finished;
} pl_emu;

/* A whole file. False: errno says why. */
bool pl_emu_read(pl_arena *arena, const char *path, pl_str *text);
bool pl_emu_write(const char *path, pl_str text);
/* `name` in the temporary directory. */
const char *pl_emu_path(pl_emu *p, const char *name);
/* "dir/" of "dir/k.cu", "." of "k.cu". */
const char *pl_emu_directory(pl_arena *arena, const char *path);
bool pl_emu_make_dir(pl_emu *p);
/* Why there is none, or why nothing can be written there. */
const char *pl_emu_dir_trouble(const pl_emu *p);
void pl_emu_remove_dir(pl_emu *p);

/* False: the temporary directory cannot be written. */
bool pl_emu_write_headers(pl_emu *p);
bool pl_emu_translate(pl_emu *p, pl_emu_object *o, size_t index);
/* Is a macro of the command line, "NAME" or "NAME=VALUE", one for the C library, whose
 * headers stand in front of ours? Those names begin with _; and NDEBUG [C17, 7.2]. */
bool pl_emu_is_for_library(const char *define);

const pl_validate_flags *pl_emu_flags_of(const pl_emu *p,
                                         const pl_emu_object *o);

/* Objects that did not build, without the host declarations that they did not
 * build for. True: another round of compilers may help. */
bool pl_emu_repair(pl_emu *p);

/* NULL: there is none. */
const char *pl_emu_find_compiler(const pl_validate_request *req);
/* False where the runner cannot be built; objects say for themselves. */
bool pl_emu_compile(pl_emu *p);
/* In the cache, where one was asked for. */
void pl_emu_keep_runner(pl_emu *p);

/* Those of launch `index`, or the error of its description. */
void pl_emu_add_cases(pl_emu *p, size_t index);
size_t pl_emu_count_cases(const pl_emu *p, size_t launch);
/* How an object's kernel is launched, by the launch's place in p->launches. */
const pl_launch *pl_emu_launch_of(const pl_emu *p, size_t launch,
                                  size_t object_index);
bool pl_emu_write_plan(pl_emu *p, const char *path);

/* " of the rewritten text" where an object's lines are not those of the file
 * that it is named after. */
const char *pl_emu_whose_lines(const pl_emu *p, const pl_emu_object *o);
/* "k.cu:40" for a code offset; NULL where it is not known. */
const char *pl_emu_place(pl_emu *p, const pl_emu_object *o, unsigned code);
/* "parameter 3: int in a.cu, unsigned int in b.cu", of what the two objects' compiler
 * calls their parameters' types. */
pl_str pl_emu_signature_text(pl_emu *p, const pl_emu_object *a,
                             const char *types_of_a, const pl_emu_object *b,
                             const char *types_of_b);
/* The mangled name of the static shared variable at `offset` of the
 * thread-local block, and *offset that in it. Empty: there is none. */
pl_str pl_emu_shared_symbol(pl_emu *p, pl_emu_object *o, long *offset);
/* "block 1,0" as far as the launch's grids of an object have dimensions. */
pl_str pl_emu_block_text(pl_emu *p, size_t launch, size_t object_index,
                         const long long *block);
/* " 'As' byte 4". `space`: 0 static shared memory, 2 argument `index`, below 0
 * nothing, else dynamic shared memory. */
pl_str pl_emu_target_text(pl_emu *p, pl_emu_object *o,
                          const pl_launch *l, int space, int index,
                          long offset);

/* False: the line is no finding. */
bool pl_emu_read_finding(const char *line, pl_emu_finding *f);
pl_proof pl_emu_finding_proof(const pl_emu_finding *f);
/* "k.cu:40", NULL: not known; and the finding in words. Both of the object at work. */
const char *pl_emu_finding_place(pl_emu *p, const pl_emu_finding *f);
pl_str pl_emu_finding_text(pl_emu *p, const pl_emu_finding *f, const char *place);

pl_emu_tally *pl_emu_tally_of(pl_emu *p, size_t launch, size_t object_index);
void pl_emu_clear_tallies(pl_emu *p);
void pl_emu_run(pl_emu *p);

/* Tells every verdict; the exit code. */
int pl_emu_report(pl_emu *p);

#endif
