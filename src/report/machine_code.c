/* machine_code.c - see machine_code.h. */
#include "machine_code.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "evidence.h"
#include "memory.h"
#include "output.h"
#include "text.h"

/* --- dumps ---------------------------------------------------------------- */

/* Results come from elsewhere: a name must not lead out of the directory. */
static bool is_plain(const char *name) {
  return *name && *name != '.' && !strchr(name, '/');
}

static char *read_dump(const char *path, const char *id, const char *form) {
  struct stat info;
  pl_bytes bytes;
  bool is_dir = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
  int n = (int)(is_dir ? strlen(path) : (size_t)(pl_base_name(path) - path));
  char *file = pl_format("%.*s%ssass/%s/%s.sass", n, path, is_dir ? "/" : "",
                         id, form);
  char *text = NULL;
  if (is_plain(id) && is_plain(form) && pl_read_file(file, &bytes)) {
    text = pl_alloc(bytes.size + 1, 1);
    if (bytes.size)
      memcpy(text, bytes.data, bytes.size);
    free(bytes.data);
  }
  free(file);
  return text;
}

/* --- functions ------------------------------------------------------------ */

/* The last name of "ns::gemm<16>": "gemm". */
static const char *last_name(const char *kernel, size_t *n) {
  const char *end = kernel + strcspn(kernel, "<("), *from = end;
  while (from > kernel && from[-1] != ':')
    from--;
  while (end > from && isspace((unsigned char)end[-1]))
    end--;
  *n = (size_t)(end - from);
  return from;
}

/* May the mangled name be the kernel's? _ZN2ns4gemmILi16EEvPf holds "4gemm",
 * and of extern "C" it is the name itself. */
bool pl_may_be_kernel(const char *mangled, size_t length, const char *kernel) {
  size_t n;
  const char *name = last_name(kernel, &n);
  if (length == n && memcmp(mangled, name, n) == 0)
    return true;
  char *part = pl_format("%zu%.*s", n, (int)n, name);
  char *whole = pl_format("%.*s", (int)length, mangled);
  const char *at = pl_starts_with(whole, "_Z") ? strstr(whole, part) : NULL;
  while (at && isdigit((unsigned char)at[-1]))
    at = strstr(at + 1, part);
  free(part);
  free(whole);
  return at != NULL;
}

/* The next function of the dump that may be the kernel; NULL: no more. Free
 * with free. */
static char *next_function(const char **dump, const char *kernel) {
  static const char head[] = "Function : ";
  const char *at;
  while ((at = strstr(*dump, head))) {
    at += strlen(head);
    size_t n = strcspn(at, " \r\n");
    *dump = at + n;
    if (pl_may_be_kernel(at, n, kernel))
      return pl_format("%.*s", (int)n, at);
  }
  return NULL;
}

/* --- one row -------------------------------------------------------------- */

typedef struct judgement {
  bool any;
  pl_seen overlap, same_compute;
  const char *why;
} judgement;

static void add(judgement *j, const pl_evidence *e) {
  if (!j->any)
    *j = (judgement){true, e->overlap, e->same_compute, e->why};
  if (j->overlap != e->overlap || j->same_compute != e->same_compute)
    j->why = "several functions of that name differ in it";
  if (j->overlap != e->overlap)
    j->overlap = PL_COULD_NOT_TELL;
  if (j->same_compute != e->same_compute)
    j->same_compute = PL_COULD_NOT_TELL;
}

static void print_loop(FILE *out, const char *label, const char *dump,
                       const char *function) {
  pl_machine_loop loop = pl_machine_loop_find(dump, function);
  if (!loop.found) {
    fprintf(out, "      %s: no such loop in %s\n", label, function);
    return;
  }
  fprintf(out, "      %s: %d loads, %d barriers, %d compute instructions in "
               "the main loop of %s\n",
          label, loop.loads, loop.barriers, loop.compute, function);
  pl_machine_loop_print(out, "        ", dump, function);
}

/* Judges every function that may be the row's. A template has several, of which
 * any may be the one that was launched: where they differ, nothing is known. */
static judgement judge(const char *old, const char *dump,
                       const pl_result_row *row) {
  judgement j = {false, PL_COULD_NOT_TELL, PL_COULD_NOT_TELL,
                 "the dump has no such function"};
  const char *from = dump;
  for (char *name; (name = next_function(&from, row->kernel)); free(name)) {
    pl_machine_loop was = pl_machine_loop_find(old, name);
    pl_machine_loop now = pl_machine_loop_find(dump, name);
    pl_evidence e = pl_evidence_judge(&was, row->old_barriers, &now, row->barriers);
    add(&j, &e);
  }
  return j;
}

static void print_loops(FILE *out, const char *old, const char *dump,
                        const pl_result_row *row) {
  const char *from = dump;
  for (char *name; (name = next_function(&from, row->kernel)); free(name)) {
    print_loop(out, "original", old, name);
    print_loop(out, row->variant, dump, name);
  }
}

static void print_verdict(FILE *out, const judgement *j) {
  fprintf(out, "    machine code: loads before compute: %s; compute as in the "
               "original: %s%s%s%s\n",
          pl_seen_name(j->overlap), pl_seen_name(j->same_compute),
          j->why ? " (" : "", j->why ? j->why : "", j->why ? ")" : "");
}

static void print_remark(FILE *out) {
  fprintf(out,
          "    remark: the compiler undid the overlap: between barriers no load "
          "stands before most of the compute\n"
          "    note: what may help: leave to use more registers, by few BLOCKS "
          "in '__launch_bounds__(THREADS, BLOCKS)', where the grid is small; "
          "'--variant=cp.async', whose copies stay where they are\n");
}

static void print_lost(FILE *out) {
  fprintf(out,
          "    remark: the compiled loop has fewer compute instructions a tile "
          "than the original's\n"
          "    note: equal results say that none is missing: the compiler may "
          "have moved or combined some; -v shows both loops\n");
}

static void say(const char *old, const char *dump, const pl_result_row *row,
                pl_machine_words words, FILE *out) {
  judgement j = judge(old, dump, row);
  bool trouble =
      j.overlap == PL_NOT_SEEN || j.same_compute == PL_NOT_SEEN;
  if (trouble || words > PL_MACHINE_TROUBLE)
    print_verdict(out, &j);
  if (j.overlap == PL_NOT_SEEN)
    print_remark(out);
  if (j.same_compute == PL_NOT_SEEN)
    print_lost(out);
  if (words == PL_MACHINE_EXCERPT)
    print_loops(out, old, dump, row);
}

void pl_machine_code_say(const char *path, const pl_result_row *row,
                         pl_machine_words words, FILE *out) {
  char *old = read_dump(path, row->id, "original");
  char *dump = old ? read_dump(path, row->id, row->variant) : NULL;
  if (dump)
    say(old, dump, row, words, out);
  free(old);
  free(dump);
}

bool pl_machine_code_is_undone(const char *path, const pl_result_row *row) {
  char *old = read_dump(path, row->id, "original");
  char *dump = old ? read_dump(path, row->id, row->variant) : NULL;
  bool undone = dump && judge(old, dump, row).overlap == PL_NOT_SEEN;
  free(old);
  free(dump);
  return undone;
}
