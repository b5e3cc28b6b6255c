/* environment.c - see environment.h. */
#include "environment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

static const char *variable(const char *name) {
  const char *value = getenv(name);
  return value && *value ? value : NULL;
}

const char *pl_environment_tmpdir(void) { return variable("TMPDIR"); }

const char *pl_environment_path(void) { return variable("PATH"); }

static bool on_terminal(int descriptor) {
  const char *term = variable("TERM");
  return isatty(descriptor) && term && strcmp(term, "dumb") != 0;
}

/* As https://no-color.org has it: any value but the empty one. */
static bool color_wanted(int descriptor) {
  return on_terminal(descriptor) && !variable("NO_COLOR");
}

static bool progress_wanted(void) {
  return on_terminal(STDERR_FILENO) && !variable("PRE_COMMIT");
}

/* As the XDG base directory specification has it. */
static char *find_cache_dir(void) {
  const char *base = variable("XDG_CACHE_HOME"), *home = variable("HOME");
  if (base && base[0] == '/')
    return pl_format("%s/pipelinify", base);
  return home ? pl_format("%s/.cache/pipelinify", home) : NULL;
}

pl_environment pl_environment_read(void) {
  const char *path = variable("CUDA_PATH");
  return (pl_environment){
      .cuda_path = path ? path : variable("CUDA_HOME"),
      .cache_dir = find_cache_dir(),
      .color = color_wanted(STDERR_FILENO),
      .out_color = color_wanted(STDOUT_FILENO),
      .progress = progress_wanted(),
  };
}

void pl_environment_free(pl_environment *environment) {
  free(environment->cache_dir);
  environment->cache_dir = NULL;
}

bool pl_is_toolkit(const char *path) {
  char *header = pl_format("%s/include/cuda_runtime.h", path);
  bool there = access(header, R_OK) == 0;
  free(header);
  return there;
}

bool pl_has_cuda_device(void) { return access("/dev/nvidia0", F_OK) == 0; }

const char *pl_find_toolkit(const char *asked, const pl_environment *env) {
  if (asked)
    return *asked ? asked : NULL;
  const char *usual = "/usr/local/cuda";
  if (env->cuda_path && pl_is_toolkit(env->cuda_path))
    return env->cuda_path;
  return pl_is_toolkit(usual) ? usual : NULL;
}
