/* replay.c - runs a fuzz target on files, without libFuzzer.
 *
 *     fuzz_NAME FILE|DIRECTORY...
 *
 * A directory stands for the files in it. No file at all is no error: then
 * nothing has been found yet. */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>

/* One input, in memory of exactly its size, so that a sanitizer sees the first
 * byte that is read behind it. */
static int replay_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return 0;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
  size_t n = data ? fread(data, 1, (size_t)size, file) : 0;
  fclose(file);
  LLVMFuzzerTestOneInput(data, n);
  free(data);
  return 1;
}

static int replay_directory(const char *path) {
  DIR *directory = opendir(path);
  int n = 0;
  if (!directory)
    return replay_file(path);
  for (struct dirent *entry; (entry = readdir(directory));) {
    char name[4096];
    if (entry->d_name[0] == '.')
      continue;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    n += replay_file(name);
  }
  closedir(directory);
  return n;
}

int main(int argc, char **argv) {
  int n = 0;
  for (int i = 1; i < argc; i++)
    n += replay_directory(argv[i]);
  printf("%d inputs replayed\n", n);
  return 0;
}
