/* stub_library.c - a double of libpipelinify for the tests of the program.
 *
 * It knows one trick: a line that begins with "LOOP verdict" is a tile loop,
 * and one that is to be pipelined gets a comment in front. So the program can
 * be tested without a parser, and every verdict be had at will. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "pipelinify.h"

static const struct {
  const char *name;
  int least, most;
} variants[PL_VARIANTS] = {
    {"auto", 0, 0},
#define PL_FORM(file, variant, name, least, most, tried) {name, least, most},
#define PL_FORM_OF(file, variant, least, most)
#include "pipelinify_forms.def"
#undef PL_FORM
#undef PL_FORM_OF
};

const char *pl_variant_name(pl_variant variant) {
  return variants[variant].name;
}

int pl_variant_least(pl_variant variant) { return variants[variant].least; }

int pl_variant_most(pl_variant variant) {
  return variant == PL_VARIANT_CP_ASYNC ? 8 : variants[variant].most;
}

bool pl_variant_is_async(pl_variant variant) {
  return variant >= PL_VARIANT_CP_ASYNC;
}

bool pl_variant_is_tried(pl_variant variant) {
  return variant <= PL_VARIANT_CP_ASYNC;
}

bool pl_variant_parse(const char *name, pl_variant *variant) {
  for (int i = 0; i < PL_VARIANTS; i++)
    if (strcmp(name, variants[i].name) == 0) {
      *variant = (pl_variant)i;
      return true;
    }
  return false;
}

static const char *const verdict_names[] = {
    "pipelined",  "kept", "refused", "suppressed", "already-pipelined",
    "not-a-tile-loop"};

const char *pl_verdict_name(pl_verdict verdict) {
  return verdict_names[verdict];
}

struct pl_result {
  char *text;
  size_t length;
  const char *error;
  pl_loop_report loops[64];
  size_t nloops;
  pl_kernel_report kernel;
};

static const pl_loop_report loop_blank = {
    .smem_before = 2048, .smem_after = 2048, .smem_limit = 49152,
    .blocks_before = 8, .blocks_after = 8, .threads = 256,
    .staging_bytes = -1, .ratio = 8.0, .stages = 1};

static const int four_bytes[] = {4, 4};

static void fill_loop(pl_loop_report *loop, pl_verdict verdict,
                      const pl_options *options) {
  loop->verdict = verdict;
  if (verdict != PL_VERDICT_PIPELINED) {
    loop->id = verdict == PL_VERDICT_REFUSED ? "PL3001" : "PL8001";
    loop->message = "the stub says so";
    return;
  }
  loop->variant = options->variant ? options->variant : PL_VARIANT_LDG;
  loop->stages = options->stages ? options->stages : 2;
  loop->copy_bytes = four_bytes;
  loop->ncopies = 2;
  loop->smem_after = 2048 * loop->stages;
  loop->why = "the stub likes registers";
}

static void add_loop(pl_result *result, const char *line, unsigned number,
                     uint32_t offset, const pl_options *options) {
  for (int v = 0; v < 6; v++) {
    size_t length = strlen(verdict_names[v]);
    if (strncmp(line, verdict_names[v], length) != 0)
      continue;
    pl_loop_report *loop = &result->loops[result->nloops++];
    *loop = loop_blank;
    loop->line = loop->at_line = number;
    loop->column = loop->at_column = 1;
    loop->begin = loop->at_begin = offset;
    loop->end = loop->at_end = offset + 4;
    fill_loop(loop, (pl_verdict)v, options);
    return;
  }
}

static void read_loops(pl_result *result, const char *text,
                       const pl_options *options) {
  unsigned number = 1;
  for (const char *line = text; line; number++) {
    if (strncmp(line, "LOOP ", 5) == 0 && result->nloops < 64)
      add_loop(result, line + 5, number, (uint32_t)(line - text), options);
    line = strchr(line, '\n');
    line = line ? line + 1 : NULL;
  }
}

static void write_text(pl_result *result, const char *text, size_t length) {
  FILE *out = open_memstream(&result->text, &result->length);
  size_t from = 0;
  for (size_t i = 0; i < result->nloops; i++) {
    const pl_loop_report *loop = &result->loops[i];
    if (loop->verdict != PL_VERDICT_PIPELINED)
      continue;
    fwrite(text + from, 1, loop->begin - from, out);
    fputs("// pipelined\nDONE", out);
    from = loop->begin + 4;
  }
  fwrite(text + from, 1, length - from, out);
  fclose(out);
}

static void *volatile hog;

/* Someone else saves the file that is looked at. */
static void save_meanwhile(const char *path, const char *text) {
  FILE *file = strncmp(text, "SAVED", 5) == 0 ? fopen(path, "a") : NULL;
  if (!file)
    return;
  fputs("meanwhile\n", file);
  fclose(file);
}

/* A parser that crashes, hangs, takes 256 MiB and hangs, sleeps for ever or for
 * three seconds, or takes all memory; one that crashes in a process that has done
 * something before. */
static void misbehave(const char *text) {
  static volatile int calls;
  if (strncmp(text, "STAIN", 5) == 0 && calls > 0)
    raise(SIGKILL);
  calls++;
  if (strncmp(text, "CRASH", 5) == 0)
    raise(SIGKILL);
  if (strncmp(text, "HOG", 3) == 0)
    hog = memset(malloc(256 << 20), 1, 256 << 20);
  if (strncmp(text, "FULL", 4) == 0)
    hog = pl_alloc(SIZE_MAX, 2);
  if (strncmp(text, "NAP", 3) == 0)
    sleep(3);
  while (strncmp(text, "SLEEP", 5) == 0)
    sleep(1);
  while (strncmp(text, "HANG", 4) == 0 || strncmp(text, "HOG", 3) == 0)
    calls = 1;
}

pl_result *pl_rewrite(const char *path, const char *text, size_t length,
                      const pl_options *options) {
  pl_result *result = calloc(1, sizeof *result);
  save_meanwhile(path, text);
  if (strncmp(text, "ERROR", 5) == 0)
    result->error = "the stub fails";
  misbehave(text);
  read_loops(result, text, options);
  write_text(result, text, length);
  result->kernel = (pl_kernel_report){
      .name = "ns::kernel", .line = 1, .is_global = true,
      .loops = result->loops, .nloops = result->nloops};
  return result;
}

void pl_result_free(pl_result *result) {
  free(result->text);
  free(result);
}

const char *pl_result_error(const pl_result *result) { return result->error; }

const char *pl_result_text(const pl_result *result, size_t *length) {
  *length = result->length;
  return result->text;
}

const pl_edit *pl_result_edits(const pl_result *result, size_t *count) {
  (void)result;
  *count = 0;
  return NULL;
}

const pl_kernel_report *pl_result_kernels(const pl_result *result,
                                          size_t *count) {
  *count = result->nloops ? 1 : 0;
  return &result->kernel;
}

const pl_gap *pl_result_gaps(const pl_result *result, size_t *count) {
  (void)result;
  *count = 0;
  return NULL;
}

const pl_pragma_report *pl_result_pragmas(const pl_result *result,
                                          size_t *count) {
  (void)result;
  *count = 0;
  return NULL;
}

const char *const *pl_result_headers(const pl_result *result, size_t *count) {
  (void)result;
  *count = 0;
  return NULL;
}

const char *pl_result_dump(const pl_result *result) {
  (void)result;
  return NULL;
}

static const pl_reason reasons[] = {
    {"PL2003", "early-exit", "the loop can be left midway", "# PL2003\n", false},
    {"PL4002", "may-alias", "a store may change a later tile", NULL, false},
};

const pl_reason *pl_reasons(size_t *count) {
  *count = sizeof reasons / sizeof *reasons;
  return reasons;
}

const pl_reason *pl_reason_find(const char *name) {
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (strcmp(reasons[i].id, name) == 0 || strcmp(reasons[i].name, name) == 0)
      return &reasons[i];
  return NULL;
}

static const pl_arch archs[] = {
    {75, 49152, 65536, 65536, 0, 1024, 16, 65536, false},
    {80, 49152, 166912, 167936, 1024, 2048, 32, 65536, true},
    {90, 49152, 232448, 233472, 1024, 2048, 32, 65536, true},
};

/* Asked where a loop's registers are known; those of this double are not. */
int pl_arch_blocks(const pl_arch *arch, int64_t threads, int registers,
                   int64_t smem) {
  (void)arch, (void)threads, (void)registers, (void)smem;
  return 0;
}

const pl_arch *pl_arch_find(int sm) {
  const pl_arch *found = NULL;
  for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
    if (archs[i].sm <= sm)
      found = &archs[i];
  return found;
}

char *pl_shim_key(const char *text, size_t length, const pl_options *options) {
  (void)text, (void)length, (void)options;
  return NULL;
}

char *pl_mark(const char *text, size_t length, const pl_marks *marks,
              size_t *marked) {
  (void)text, (void)length, (void)marks, (void)marked;
  return NULL;
}

pl_memory *pl_memory_new(void) { return NULL; }

void pl_memory_free(pl_memory *memory) { (void)memory; }

bool pl_shim_precompile(const char *text, size_t length,
                        const pl_options *options, const char *path) {
  (void)text, (void)length, (void)options, (void)path;
  return false;
}

const char *pl_libclang_version(void) { return "none: a stub"; }

const char *pl_libclang_missing(void) { return NULL; }

void pl_libclang_load(void) {}

void pl_libclang_use(const char *file) { (void)file; }

const char *const *pl_libclang_files(void) {
  static const char *const none[] = {NULL};
  return none;
}
