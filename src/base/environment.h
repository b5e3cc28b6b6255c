/* environment.h - everything that the program takes from its surroundings:
 * environment variables, the terminal, an installed CUDA toolkit. */
#ifndef PL_ENVIRONMENT_H
#define PL_ENVIRONMENT_H

#include <stdbool.h>

typedef struct pl_environment {
  const char *cuda_path; /* CUDA_PATH, else CUDA_HOME; NULL: not set */
  char *cache_dir;       /* PIPELINIFY_CACHE_DIR, else ours below
                            XDG_CACHE_HOME or ~/.cache; NULL */
  bool cache_dir_given;  /* the first of these */
  bool include_path;     /* CPATH or the like gives directories of headers */
  bool no_cache;         /* PIPELINIFY_NO_CACHE is set, and not to 0 */
  bool color;            /* standard error is a terminal that shows colours
                            and NO_COLOR is not set */
  bool out_color;        /* the same of standard output */
  bool progress;         /* standard error is such a terminal, and pre-commit
                            is not what runs us */
} pl_environment;

/* Where temporary files go (TMPDIR), and where programs are looked for (PATH);
 * NULL: not set. */
const char *pl_environment_tmpdir(void);
const char *pl_environment_path(void);

/* The libclang to parse with, PIPELINIFY_LIBCLANG; NULL: the one that the build
 * found. */
const char *pl_environment_libclang(void);

/* Where the dynamic linker looks first, LD_LIBRARY_PATH; "" where it is not set. */
const char *pl_environment_libraries(void);

/* Options of pipelinify-nvcc (PIPELINIFY_NVCC_FLAGS), and what nvcc puts before and
 * behind the words of its command line; NULL: not set. */
const char *pl_environment_launcher(void);
const char *pl_environment_nvcc_prepended(void);
const char *pl_environment_nvcc_appended(void);

/* The time, or what SOURCE_DATE_EPOCH says it is: "2026-11-25 20:58 UTC". Free with
 * free. */
char *pl_environment_date(void);

/* The variables that a compiler reads, a line each, in the order of their
 * bytes. Free with free. */
char *pl_environment_compiler(void);

pl_environment pl_environment_read(void);
void pl_environment_free(pl_environment *environment);

/* Whether a toolkit's headers lie there. */
bool pl_is_toolkit(const char *path);

/* Whether there is a CUDA device that CUDA_VISIBLE_DEVICES does not hide: the
 * driver shows one, or nvidia-smi lists one. */
bool pl_has_cuda_device(void);

/* 90 for a device of compute capability 9.0, the least of several; 0: there is
 * none, or none that nvidia-smi knows. */
int pl_native_arch(void);

/* A program on the PATH; NULL: there is none. Free with free. */
char *pl_find_program(const char *name);

/* One of the toolkit's, on the PATH, or below CUDA_HOME, CUDA_PATH or
 * /usr/local/cuda; NULL: there is none. Free with free. */
char *pl_find_cuda_program(const char *name);
char *pl_find_nvcc(void);

/* The toolkit to use: the one that was asked for, the environment's, or
 * /usr/local/cuda; NULL where there is none or `asked` is "". */
const char *pl_find_toolkit(const char *asked, const pl_environment *env);

#endif
