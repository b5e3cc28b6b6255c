/* example.c - the library in a program of one's own: rewrites a kernel and
 * says what became of its loops. */
#include <stdio.h>
#include <string.h>

#include <pipelinify.h>

static const char kernel[] =
    "__global__ void sum_tiles(const float *a, float *out, int tiles) {\n"
    "  __shared__ float tile[256];\n"
    "  float sum = 0;\n"
    "  for (int t = 0; t < tiles; ++t) {\n"
    "    tile[threadIdx.x] = a[t * 256 + threadIdx.x];\n"
    "    __syncthreads();\n"
    "    for (int i = 0; i < 256; ++i)\n"
    "      sum += tile[i] * tile[255 - i];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  out[threadIdx.x] = sum;\n"
    "}\n";

int main(void) {
  pl_options options = {.variant = PL_VARIANT_LDG, .block_threads = 256};
  pl_result *result =
      pl_rewrite("example.cu", kernel, strlen(kernel), &options);
  size_t count, length, edits;
  const pl_kernel_report *kernels = pl_result_kernels(result, &count);
  const char *text = pl_result_text(result, &length);
  pl_result_edits(result, &edits);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < kernels[k].nloops; i++)
      printf("%s: %s\n", kernels[k].name,
             pl_verdict_name(kernels[k].loops[i].verdict));
  int failed = pl_result_error(result) || !edits || length <= strlen(kernel) ||
               !strstr(text, "tile_stage[2]");
  pl_result_free(result);
  return failed;
}
