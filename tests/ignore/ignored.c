/* ignored PATH... : prints those of the paths that a .pipelinify-ignore names;
 * for the comparison with git. */
#include <stdio.h>
#include <stdlib.h>

#include "ignore.h"

int main(int argc, char **argv) {
  pl_ignores *ignores = pl_ignores_new();
  for (int i = 1; i < argc; i++) {
    char *by = pl_ignored_by(ignores, argv[i]);
    if (by)
      puts(argv[i]);
    free(by);
  }
  pl_ignores_free(ignores);
  return 0;
}
