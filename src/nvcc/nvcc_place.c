/* nvcc_place.c - see nvcc_place.h.
 *
 * Needs the command line of nvcc. Gives a directory of this process alone: two calls
 * that would share one are told apart by its lock. Raises nothing. */
#define _GNU_SOURCE
#include "nvcc_place.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment.h"
#include "interrupt.h"
#include "text.h"

/* NULL: there is no product to lie beside. */
static char *beside_product(const pl_nvcc_line *line) {
  const char *source = pl_base_name(line->words[line->sources[0]]);
  struct stat at;
  if (!line->output)
    return line->output_dir
               ? pl_format("%s/%s.pipelinify", line->output_dir, source)
               : pl_format("%s.pipelinify", source);
  if (stat(line->output, &at) == 0 && !S_ISREG(at.st_mode))
    return NULL;
  return pl_format("%s.pipelinify", line->output);
}

static bool is_same(int fd, const char *path) {
  struct stat open, there;
  return fstat(fd, &open) == 0 && stat(path, &there) == 0 &&
         open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

/* One that a killed process left behind is taken over. */
static int hold(const char *dir) {
  mkdir(dir, 0777);
  int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool ours = fd >= 0 && access(dir, W_OK) == 0 &&
              flock(fd, LOCK_EX | LOCK_NB) == 0 && is_same(fd, dir);
  if (ours || fd < 0)
    return fd;
  close(fd);
  return -1;
}

pl_nvcc_place pl_nvcc_place_make(const pl_nvcc_line *line) {
  pl_nvcc_place place = {beside_product(line), -1};
  if (place.dir)
    place.held = hold(place.dir);
  if (place.held < 0) {
    const char *tmp = pl_environment_tmpdir();
    free(place.dir);
    place.dir = pl_format("%s/pipelinify-nvcc-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(place.dir)) {
      free(place.dir);
      place.dir = NULL;
    }
  }
  pl_interrupt_removes_directory(place.dir);
  return place;
}

void pl_nvcc_place_remove(pl_nvcc_place *place) {
  if (place->dir && rmdir(place->dir) != 0)
    pl_remove_directory(place->dir);
  pl_interrupt_removes_directory(NULL);
  if (place->held >= 0)
    close(place->held);
  free(place->dir);
  *place = (pl_nvcc_place){NULL, -1};
}
