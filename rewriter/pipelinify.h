/* pipelinify.h - the one public face of libpipelinify.
 *
 * Give it the bytes of a CUDA source; it gives back the bytes with the tile
 * loops software-pipelined, the edits that make the difference, and a record
 * and a remark for every loop that it looked at. It never prints, exits, reads
 * the environment or opens the source itself (libclang opens its includes). */
#ifndef PIPELINIFY_H
#define PIPELINIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_VERSION "0.1.0"

/* PL_VARIANT_AUTO, and one of each form that has a name (pipelinify_forms.def). */
typedef enum pl_variant {
  PL_VARIANT_AUTO,
#define PL_FORM(file, variant, name, least, most, tried) PL_VARIANT_##variant,
#define PL_FORM_OF(file, variant, least, most)
#include "pipelinify_forms.def"
#undef PL_FORM
#undef PL_FORM_OF
  PL_VARIANTS
} pl_variant;

/* Their names: for messages, for --help, for completion. */
static const char pl_variants_listed[] = "auto"
#define PL_FORM(file, variant, name, least, most, tried) ", " name
#define PL_FORM_OF(file, variant, least, most)
#include "pipelinify_forms.def"
    ;
static const char pl_variants_of_option[] = "auto (default)"
#include "pipelinify_forms.def"
    ;
#undef PL_FORM
static const char pl_variants_spaced[] = "auto"
#define PL_FORM(file, variant, name, least, most, tried) " " name
#include "pipelinify_forms.def"
    ;
#undef PL_FORM
#undef PL_FORM_OF

/* "auto", or the name of its form in pipelinify_forms.def. */
const char *pl_variant_name(pl_variant variant);
/* By its name; "primitives" is cp.async too. */
bool pl_variant_parse(const char *name, pl_variant *variant);
/* How many stages a variant has; of `auto` 0. */
int pl_variant_least(pl_variant variant);
int pl_variant_most(pl_variant variant);
bool pl_variant_is_async(pl_variant variant); /* makes asynchronous copies */
/* Whether proofs and measurements of all variants have it; else it has to be asked
 * for by name. */
bool pl_variant_is_tried(pl_variant variant);

/* What is left of a tile loop; see pl_options.only. */
typedef enum pl_side { PL_SIDE_BOTH, PL_SIDE_LOADS, PL_SIDE_COMPUTE } pl_side;

#define PL_ROW_PADDING_AUTO (-1)

/* What a measurement says of a kernel, for `auto` to repeat. */
typedef struct pl_choice {
  bool stale;           /* measured before the kernel changed: only said */
  bool keep;            /* nothing was faster than the kernel as it is */
  pl_variant variant;   /* auto: the cost model's own choice was best */
  int stages;           /* 0: the variant's own number */
  bool launch_bounds;   /* with those of pl_options */
  int row_padding;      /* as in pl_options */
  const char *measured; /* "an NVIDIA H200, CUDA 13.0" */
} pl_choice;

/* What comes of certificates: whether a rewritten loop is the loop that it was made of,
 * for every number of tiles (docs/certificate.md). */
typedef enum pl_certification {
  PL_CERTIFY_GATE,    /* a loop that is seen to be wrong is refused */
  PL_CERTIFY_SAY,     /* ... and each loop's report has its verdict */
  PL_CERTIFY_REQUIRE, /* ... and a loop that is not shown to be right is refused */
  PL_CERTIFY_NOT      /* none is made */
} pl_certification;

/* What a compiler made of a kernel, or of one of its forms. */
typedef struct pl_compiled {
  int registers;  /* a thread */
  int64_t spills; /* bytes */
  bool behind;    /* loads through registers stand behind compute again, and a tile takes
                     no fewer instructions */
  double longer;  /* instructions of a tile, for each of the kernel as it is; 0: not
                     known */
} pl_compiled;

/* What earlier calls have worked out: it spares later ones work, and changes nothing
 * else. One call at a time may have it. NULL where memory is out. */
typedef struct pl_memory pl_memory;
pl_memory *pl_memory_new(void);
void pl_memory_free(pl_memory *memory); /* NULL: nothing */

typedef struct pl_options {
  pl_variant variant;      /* default PL_VARIANT_AUTO */
  int stages;              /* 0: the cost model's choice; 2 to 8 */
  int arch;                /* 80 for sm_80; 0: 80 */
  int64_t max_smem;        /* static shared bytes a block; 0: architecture's */
  int block_threads;       /* threads a block where the file does not say; 0 */
  bool variant_fixed, stages_fixed; /* whatever pragmas in the source say */
  /* For measuring alone, never for use: every loop that some variant pipelines
   * keeps one side, under all its barriers, and so computes nonsense. Loads
   * alone fill each tile; compute alone works on the first tile over and
   * over. `variant` and `stages` do not matter then. */
  pl_side only;
  bool assume_no_alias;    /* the user vouches for stores against tile loads */
  bool launch_bounds;      /* rewritten kernels get `__launch_bounds__(1024, 1)`, or
                              blocks beside their own threads, so that the compiler
                              may use 64 registers a thread */
  int row_padding;         /* bytes behind each row of a tile that is indexed alone;
                              PL_ROW_PADDING_AUTO: 16, or of forms in registers fewer,
                              where a warp then asks a bank for fewer words at once;
                              0: none */
  pl_certification certify;
  const char *cuda_path;   /* toolkit for a second parse; NULL: none */
  const char *const *clang_args;
  size_t clang_nargs;
  /* Whether to touch a kernel of this name; NULL: all. */
  bool (*kernel_filter)(const char *name, void *context);
  void *filter_context;
  /* What was measured for a kernel of this name and fingerprint (see
   * pl_kernel_report); false: nothing. Asked where neither `variant` nor
   * `stages` nor a pragma decides. The choice's text has to outlive the
   * result. NULL: never measured. */
  bool (*measured_choice)(const char *name, const char *fingerprint,
                          void *context, pl_choice *choice);
  void *measured_context;
  /* Blocks of the launches of a kernel of this bare name, the most; 0: not known. It
   * decides costs alone. NULL: never known. */
  int64_t (*grid_blocks)(const char *kernel, void *context);
  void *grid_context;
  /* What was compiled of a kernel of this bare name in a variant that stages in
   * registers; PL_VARIANT_AUTO: as it is. False: not known. NULL: never known. */
  bool (*compiled)(const char *kernel, pl_variant variant, void *context,
                   pl_compiled *compiled);
  void *compiled_context;
  double min_gain; /* `auto` leaves loops that are not expected to become so many times
                      as fast, in nine of ten that are like them; 0: leaves none */
  /* What pl_shim_precompile wrote for a source with the same pl_shim_key; it
   * spares the parser most of its work and changes nothing else. NULL: none. */
  const char *precompiled_shim;
  pl_memory *memory;       /* NULL: nothing is remembered */
  const char *dump_after;  /* pass whose model pl_result_dump gives; NULL */
} pl_options;

typedef enum pl_verdict {
  PL_VERDICT_PIPELINED,
  PL_VERDICT_KEPT,              /* legal, left by auto */
  PL_VERDICT_REFUSED,
  PL_VERDICT_SUPPRESSED,        /* by a pragma or the kernel filter */
  PL_VERDICT_ALREADY_PIPELINED,
  PL_VERDICT_NOT_A_TILE_LOOP
} pl_verdict;

const char *pl_verdict_name(pl_verdict verdict); /* as in the JSON report */

typedef struct pl_note {
  unsigned line, column;
  uint32_t begin, end; /* byte offsets into the source */
  const char *message;
} pl_note;

/* One loop that holds a barrier and a shared array. Strings live as long as
 * the result. Unknown sizes are -1, unknown names NULL. */
typedef struct pl_loop_report {
  unsigned line, column; /* of the loop's own for or while in the input */
  uint32_t begin, end;   /* the loop's bytes */
  pl_verdict verdict;
  bool certain;          /* refused: known to be wrong, not just unproven */
  const char *id;        /* "PL4002"; NULL for pipelined */
  const char *message;   /* one sentence without a full stop */
  unsigned at_line, at_column; /* the blocking statement; the loop if none */
  uint32_t at_begin, at_end;
  const pl_note *notes;
  size_t nnotes;
  pl_variant variant;    /* pipelined: what was written */
  int stages;
  const int *copy_bytes; /* one a copy, widest contiguous access */
  size_t ncopies;
  int64_t smem_before, smem_after; /* static + known dynamic bytes a block */
  int64_t smem_limit;    /* of a block, architecture's */
  int blocks_before, blocks_after; /* a multiprocessor; -1: not known */
  int64_t threads;       /* of a block; -1 */
  int64_t loading;       /* threads that a launch's block gets beside its own, to load; 0 */
  int registers_before, registers_after; /* a thread; 0: not known */
  bool registers_known;  /* as compiled; else an estimate */
  int64_t staging_bytes; /* registers that staging adds, bytes a thread */
  int barriers_before, barriers_after; /* that a tile waits at, in the machine
                            code too; 0: statements may hold more */
  double ratio;          /* operations a byte loaded; < 0: not known */
  const char *measured;  /* ", as measured on ..."; NULL: not measured */
  const char *why;       /* how auto chose, one line; NULL if forced */
  const char *certificate; /* "shown", or "not shown: " and why; NULL: not asked */
  const char *const *premises; /* that it rests on: "no data race: stated" */
  size_t npremises;
} pl_loop_report;

typedef struct pl_parameter {
  const char *name; /* "" where it has none */
  const char *type; /* canonical, as clang prints it */
} pl_parameter;

typedef struct pl_kernel_report {
  const char *name; /* qualified */
  unsigned line;
  const char *const *instantiations; /* "16, float" */
  size_t ninstantiations;
  bool is_global; /* false: a __device__ function that holds a tile loop */
  const char *fingerprint; /* hex; NULL without loops. Blind to white space,
                              comments and the host's functions */
  const pl_parameter *parameters;
  size_t nparameters;
  const pl_loop_report *loops;
  size_t nloops;
  const char *dynamic_smem; /* dynamic shared bytes that each launch of the rewritten
                               kernel gives, an expression over `smem`, what it gave
                               so far; NULL: the same */
  int layers; /* of threads: each launch of the rewritten kernel has so many times the
                 block, by z; the first are the threads that there were */
} pl_kernel_report;

/* A pragma comment that has no effect or is misspelt. */
typedef struct pl_pragma_report {
  unsigned line, column;
  uint32_t begin, end; /* the comment's bytes */
  const char *message; /* one sentence without a full stop */
  bool unmet;          /* a `require` whose loop was not pipelined */
} pl_pragma_report;

/* What of a source's kernels was not seen, or not whole, and for want of what. */
typedef enum pl_gap_kind {
  PL_GAP_LEFT_OUT, /* kernels that an #if leaves out */
  PL_GAP_ERROR,    /* an error in kernels that no remark is about */
  PL_GAP_HEADER,   /* a header that was not found, where one of the above is */
  PL_GAP_STOP      /* an #error */
} pl_gap_kind;

typedef struct pl_gap {
  pl_gap_kind kind;
  unsigned line, column; /* 0: it is not in the source itself */
  uint32_t begin, end;
  const char *what;    /* the directive, clang's message, the header's name */
  const char *kernels; /* "kernels 'a' and 'b'"; NULL: not about some alone */
  const char *flags;   /* "-DWITH_GPU" fills it; NULL: not known, or none does */
} pl_gap;

/* Replaces source[offset, offset + length) by text. */
typedef struct pl_edit {
  uint32_t offset, length;
  const char *text;
  size_t text_length;
} pl_edit;

typedef struct pl_result pl_result;

/* `path` names the source in messages and resolves its quoted includes. Never
 * NULL; see pl_result_error. Free with pl_result_free. */
pl_result *pl_rewrite(const char *path, const char *text, size_t length,
                      const pl_options *options);
void pl_result_free(pl_result *result);

/* The shim stands for the CUDA headers. What the parser makes of it can be
 * written to a file and given to later calls in this or other processes, for
 * all sources that have one key: what the file depends on beside libclang and
 * this library, some lines of text. Free with free; NULL: the source's options
 * allow no such file, or out of memory. */
char *pl_shim_key(const char *text, size_t length, const pl_options *options);
/* False: the file could not be written. */
bool pl_shim_precompile(const char *text, size_t length,
                        const pl_options *options, const char *path);

/* Why there is no result (no translation unit, out of memory); NULL: fine. */
const char *pl_result_error(const pl_result *result);

/* The rewritten text; equal to the source where nothing changed. */
const char *pl_result_text(const pl_result *result, size_t *length);
const pl_edit *pl_result_edits(const pl_result *result, size_t *count);
const pl_kernel_report *pl_result_kernels(const pl_result *result,
                                          size_t *count);
/* In the order of the source. */
const pl_pragma_report *pl_result_pragmas(const pl_result *result,
                                          size_t *count);
/* Of each kind in the order of the source. */
const pl_gap *pl_result_gaps(const pl_result *result, size_t *count);
/* The files that the parser opened beside the source, as clang names them
 * (relative to the working directory or absolute), each perhaps several
 * times. */
const char *const *pl_result_headers(const pl_result *result, size_t *count);
/* Text of the model after options->dump_after; NULL without. */
const char *pl_result_dump(const pl_result *result);

/* What pl_mark puts into a source. */
typedef struct pl_marks {
  const char *launch; /* behind each `<<<`, in macros too; NULL: nothing */
  /* The path of a quoted include, NULL: as it is. The text has to last until
   * the next call. NULL: no include changes. */
  const char *(*include)(const char *name, void *context);
  void *context;
} pl_marks;

/* The text with marks, every line where it was. Free with free; NULL: out of
 * memory. */
char *pl_mark(const char *text, size_t length, const pl_marks *marks,
              size_t *marked);

/* ---- pipelines that are written by hand (docs/lint.md) ---------------------------- */

typedef enum pl_lint_arg_kind {
  PL_LINT_ARG_OTHER, /* a buffer, a real number */
  PL_LINT_ARG_INT,
  PL_LINT_ARG_NULL
} pl_lint_arg_kind;

typedef struct pl_lint_arg {
  pl_lint_arg_kind kind;
  int64_t value;
} pl_lint_arg;

/* One launch, with all its numbers. */
typedef struct pl_lint_case {
  int64_t grid[3], block[3], smem; /* dynamic shared bytes */
  const pl_lint_arg *args;         /* in the order of the parameters */
  size_t nargs;
} pl_lint_case;

/* How a kernel is launched, by its sizes. */
typedef struct pl_lint_launch {
  const char *kernel; /* "ns::sgemm<16>" */
  const char *name;   /* "sgemm" */
  size_t ndims;
  const char *const *names; /* of the sizes */
  const int64_t *usual;     /* one value of each that the launch is made for */
  const int64_t *unit;      /* all that it is made for are multiples of it; 1: any */
  const int64_t *least;
  bool is_example; /* it is one that the program makes: others may give the kernel
                      other numbers */
  /* The launch with these sizes; false: it is made for others. What it points to has
   * to last until the next call. */
  bool (*at)(void *context, const int64_t *sizes, pl_lint_case *out);
  void *context;
} pl_lint_launch;

typedef struct pl_lint_options {
  const pl_lint_launch *launches;
  size_t nlaunches;
  int block_threads; /* where neither a launch nor the file says; 0 */
  bool (*kernel_filter)(const char *name, void *context); /* NULL: all */
  void *filter_context;
} pl_lint_options;

typedef struct pl_lint_finding {
  const char *id;     /* "PL0102" */
  const char *kernel; /* qualified */
  unsigned line, column;
  uint32_t begin, end;
  const char *message; /* one sentence without a full stop */
  const pl_note *notes; /* who does what when: the interleaving */
  size_t nnotes;
} pl_lint_finding;

/* What was not looked at. */
typedef struct pl_lint_unread {
  const char *kernel;
  unsigned line, column;
  uint32_t begin, end;
  const char *message;
  bool is_whole; /* nothing is known of the kernel; else it was read as if */
} pl_lint_unread;

typedef struct pl_lint_kernel {
  const char *name;
  unsigned line;
  bool is_pipeline;   /* it has a loop with barriers or waits over shared memory */
  bool is_read;
  int64_t most_tiles; /* that were tried; -1: the count is not the launch's */
  size_t runs;
  const char *block;  /* "16 x 16 threads, as launched" */
} pl_lint_kernel;

typedef struct pl_lint_result pl_lint_result;

/* Looks at the kernels of a source. Never NULL; free with pl_lint_free. Of the
 * options only the parser's are asked. */
pl_lint_result *pl_lint(const char *path, const char *text, size_t length,
                        const pl_options *options, const pl_lint_options *lint);
void pl_lint_free(pl_lint_result *result);
const char *pl_lint_error(const pl_lint_result *result); /* NULL: fine */
const pl_lint_finding *pl_lint_findings(const pl_lint_result *result, size_t *count);
const pl_lint_unread *pl_lint_unreads(const pl_lint_result *result, size_t *count);
const pl_lint_kernel *pl_lint_kernels(const pl_lint_result *result, size_t *count);

/* The table of reasons, in order of their IDs. */
typedef struct pl_reason {
  const char *id;      /* "PL4002" */
  const char *name;    /* "may-alias" */
  const char *title;   /* one line */
  const char *page;    /* markdown, from docs/reasons/ */
  bool of_lint;        /* it is what `lint` finds, no reason not to rewrite a loop */
} pl_reason;
const pl_reason *pl_reasons(size_t *count);
const pl_reason *pl_reason_find(const char *id_or_name);

/* The limits of the architectures that are known. */
typedef struct pl_arch {
  int sm;                /* 80 */
  int smem_block_static; /* bytes a block without opting in */
  int smem_block_optin;
  int smem_sm;           /* of a multiprocessor */
  int smem_reserved;     /* by the system, a block */
  int threads_sm, blocks_sm, registers_sm;
  bool has_async;        /* cp.async in hardware */
} pl_arch;
const pl_arch *pl_arch_find(int sm); /* nearest older one; NULL: none */

/* Blocks that a multiprocessor holds at once. `threads` of a block (0: not
 * known), `registers` of a thread (0: not known), `smem` bytes of a block,
 * static and dynamic. By the tables of the CUDA Occupancy Calculator; the
 * runtime's cudaOccupancyMaxActiveBlocksPerMultiprocessor says the same. */
int pl_arch_blocks(const pl_arch *arch, int64_t threads, int registers,
                   int64_t smem);

/* Or why it cannot be loaded. */
const char *pl_libclang_version(void);

/* Why it cannot be loaded; NULL: it is. */
const char *pl_libclang_missing(void);

/* libclang is loaded by the first call that parses: loads it now, so that processes
 * that are forked later share it. */
void pl_libclang_load(void);

/* The files of libclang and of its LLVM, as the build found them; "": one that it
 * did not find. The list ends with NULL. */
const char *const *pl_libclang_files(void);

/* Before the first call that parses or asks for libclang: it is `file`, and no
 * other is tried; NULL: the one that the build found. The text stays the caller's
 * and has to stay where it is. */
void pl_libclang_use(const char *file);

#endif
