/* dumpmodel.c - prints the model of a file, for whoever debugs the frontend.
 *
 *     dumpmodel FILE.cu [clang arguments]
 *
 * PL_TOOLKIT=1 and PL_CUDA=/path choose the toolkit's headers; PL_REPEAT=n
 * parses n times and prints the time of each instead of the dump. */
#include "frontend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pl_str read_file(pl_arena *arena, const char *path) {
  FILE *file = fopen(path, "rb");
  pl_text text = {.arena = arena};
  char buffer[4096];
  size_t n;
  if (!file) {
    perror(path);
    exit(1);
  }
  while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
    pl_text_add(&text, (pl_str){buffer, n});
  fclose(file);
  return pl_arena_str(arena, text.p, text.n);
}

static double cpu_ms(void) { return 1000.0 * (double)clock() / CLOCKS_PER_SEC; }

static int dump_once(int argc, char **argv, bool print) {
  pl_arena *arena = pl_arena_new(abort);
  pl_parse_request request = {.path = argv[1],
                              .text = read_file(arena, argv[1]),
                              .args = (const char *const *)argv + 2,
                              .nargs = (size_t)(argc - 2),
                              .cuda_path = getenv("PL_CUDA"),
                              .force_toolkit = getenv("PL_TOOLKIT") != NULL,
                              .arch = 80};
  pl_str error;
  pl_unit *unit = pl_parse(arena, &request, &error);
  if (!unit) {
    fprintf(stderr, "%.*s\n", PL_FMT(error));
    pl_arena_free(arena);
    return 1;
  }
  if (print) {
    pl_text out = {.arena = arena};
    pl_unit_dump(unit, &out);
    fwrite(out.p, 1, out.n, stdout);
  }
  pl_arena_free(arena);
  return 0;
}

int main(int argc, char **argv) {
  const char *repeat = getenv("PL_REPEAT");
  if (argc < 2) {
    fprintf(stderr, "usage: dumpmodel FILE.cu [clang arguments]\n");
    return 2;
  }
  if (!repeat)
    return dump_once(argc, argv, true);
  for (int i = 0; i < atoi(repeat); i++) {
    double begin = cpu_ms();
    if (dump_once(argc, argv, false))
      return 1;
    printf("%.1f ms\n", cpu_ms() - begin);
  }
  return 0;
}
