/* fuzz_rewrite.c - the whole way from bytes to bytes.
 *
 * Whatever the source is, the edits are sorted and apart and give the text,
 * every loop has a reason or is pipelined, a text with no loop pipelined is the
 * source, and what comes out is left alone by a second run. The source's own
 * bytes choose the variant, so that a file alone is a reproducer; it is named
 * where a property does not hold. */
#include "fuzz.h"
#include "pipelinify.h"

#include <string.h>

static const struct choice {
  pl_variant variant;
  int stages;
} choices[] = {{PL_VARIANT_AUTO, 0},       {PL_VARIANT_LDG, 0},
               {PL_VARIANT_LDG_SINGLE, 0}, {PL_VARIANT_CP_ASYNC, 2},
               {PL_VARIANT_CP_ASYNC, 3},   {PL_VARIANT_CP_ASYNC, 4}};

static pl_options options_for(const uint8_t *data, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ data[i]) * 16777619u;
  struct choice choice = choices[hash % (sizeof choices / sizeof *choices)];
  return (pl_options){.variant = choice.variant,
                      .stages = choice.stages,
                      .block_threads = hash & 64 ? 256 : 0,
                      .assume_no_alias = hash & 128};
}

/* The edits one by one give the text. */
static void check_edits(const pl_result *result, const char *source,
                        size_t size) {
  size_t nedits, length, at = 0, done = 0;
  const pl_edit *edits = pl_result_edits(result, &nedits);
  const char *text = pl_result_text(result, &length);
  for (size_t i = 0; i < nedits; i++) {
    CHECK(edits[i].offset >= at);
    size_t copied = edits[i].offset - at;
    CHECK(edits[i].offset + (size_t)edits[i].length <= size);
    CHECK(done + copied + edits[i].text_length <= length);
    CHECK(memcmp(text + done, source + at, copied) == 0);
    done += copied;
    CHECK(memcmp(text + done, edits[i].text, edits[i].text_length) == 0);
    done += edits[i].text_length;
    at = edits[i].offset + edits[i].length;
  }
  CHECK(length - done == size - at);
  CHECK(memcmp(text + done, source + at, size - at) == 0);
}

static void check_loop(const pl_loop_report *loop, size_t size) {
  bool pipelined = loop->verdict == PL_VERDICT_PIPELINED;
  CHECK(pipelined || loop->verdict == PL_VERDICT_SUPPRESSED || loop->id);
  CHECK(!loop->id || pl_reason_find(loop->id));
  CHECK(loop->message && loop->message[0]);
  CHECK(loop->begin <= loop->end && loop->end <= size);
  CHECK(loop->at_begin <= loop->at_end && loop->at_end <= size);
  bool own = loop->id && (strcmp(loop->id, "PL9001") == 0 ||
                          strcmp(loop->id, "PL9002") == 0);
  CHECK(!own || !getenv("PL_FUZZ_STRICT"));
}

/* How many loops were pipelined. */
static size_t check_reports(const pl_result *result, size_t size) {
  size_t nkernels, pipelined = 0;
  const pl_kernel_report *kernels = pl_result_kernels(result, &nkernels);
  for (size_t i = 0; i < nkernels; i++)
    for (size_t k = 0; k < kernels[i].nloops; k++) {
      check_loop(&kernels[i].loops[k], size);
      pipelined += kernels[i].loops[k].verdict == PL_VERDICT_PIPELINED;
    }
  return pipelined;
}

/* A second run over what came out leaves it as it is. */
static void check_second_run(const pl_result *result,
                             const pl_options *options) {
  size_t length, nedits;
  const char *text = pl_result_text(result, &length);
  pl_result *again = pl_rewrite("k.cu", text, length, options);
  pl_result_edits(again, &nedits);
  CHECK(nedits == 0);
  pl_result_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *source = (const char *)data;
  pl_options options = options_for(data, size);
  if (getenv("PL_FUZZ_STRICT"))
    fprintf(stderr, "--variant=%s --stages=%d%s%s\n",
            pl_variant_name(options.variant), options.stages,
            options.block_threads ? " --block-threads=256" : "",
            options.assume_no_alias ? " --assume-no-alias" : "");
  pl_result *result = pl_rewrite("k.cu", source, size, &options);
  if (!pl_result_error(result)) {
    size_t nedits;
    pl_result_edits(result, &nedits);
    check_edits(result, source, size);
    size_t pipelined = check_reports(result, size);
    CHECK((pipelined > 0) == (nedits > 0));
    if (nedits)
      check_second_run(result, &options);
  }
  pl_result_free(result);
  return 0;
}
