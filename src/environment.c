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

/* As https://no-color.org has it: any value but the empty one. */
static bool color_wanted(void) {
  const char *term = variable("TERM");
  return isatty(STDERR_FILENO) && !variable("NO_COLOR") && term &&
         strcmp(term, "dumb") != 0;
}

pl_environment pl_environment_read(void) {
  const char *path = variable("CUDA_PATH");
  return (pl_environment){
      .cuda_path = path ? path : variable("CUDA_HOME"),
      .color = color_wanted(),
  };
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
