/* facts.c - see facts.h. */
#define _GNU_SOURCE
#include "facts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "output.h"
#include "text.h"

bool pl_has_time(const char *text, size_t length) {
  static const char *const words[] = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (memmem(text, length, words[i], strlen(words[i])))
      return true;
  return false;
}

/* ---- asking -------------------------------------------------------------- */

/* The answer, and beside it what decides whether it may be kept. */
typedef struct reply {
  pl_fact fact;
  struct stat at;
  bool has_time;
} reply;

static bool look_at(reply *r, int flags) {
  bool there = fstatat(AT_FDCWD, r->fact.path, &r->at, flags) == 0;
  r->fact.error = there ? 0 : (uint32_t)errno;
  r->fact.kind = there ? r->at.st_mode & S_IFMT : 0;
  return there;
}

static void read_content(reply *r, int fd) {
  pl_bytes bytes;
  if (!pl_read_descriptor(fd, &bytes)) {
    r->fact.error = (uint32_t)errno;
    return;
  }
  r->fact.content = pl_digest_of(bytes.data, bytes.size);
  r->has_time = pl_has_time(bytes.data, bytes.size);
  free(bytes.data);
}

/* What is no plain file has no content that would stay; a FIFO is not even
 * opened. */
static void ask_open(reply *r) {
  if (!look_at(r, 0) || !S_ISREG(r->at.st_mode))
    return;
  int fd = openat(AT_FDCWD, r->fact.path,
                  O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  bool good = fd >= 0 && fstat(fd, &r->at) == 0;
  if (!good)
    r->fact.error = (uint32_t)errno;
  else if (S_ISREG(r->at.st_mode))
    read_content(r, fd);
  if (fd >= 0)
    close(fd);
}

static void ask_link(reply *r) {
  char target[4096];
  ssize_t length = readlinkat(AT_FDCWD, r->fact.path, target, sizeof target);
  if (length >= 0)
    r->fact.content = pl_digest_of(target, (size_t)length);
  else
    r->fact.error = (uint32_t)errno;
}

static void ask_real(reply *r) {
  char *real = canonicalize_file_name(r->fact.path);
  if (real)
    r->fact.content = pl_digest_of(real, strlen(real));
  else
    r->fact.error = (uint32_t)errno;
  free(real);
}

/* The names in the order of their bytes. */
static void ask_list(reply *r) {
  struct dirent **names;
  pl_hasher hasher;
  if (!look_at(r, 0))
    return;
  int count = scandir(r->fact.path, &names, NULL, alphasort);
  if (count < 0) {
    r->fact.error = (uint32_t)errno;
    return;
  }
  pl_hasher_start(&hasher);
  for (int i = 0; i < count; i++) {
    pl_hasher_add_text(&hasher, names[i]->d_name);
    free(names[i]);
  }
  free(names);
  r->fact.content = pl_hasher_end(&hasher);
}

static reply ask(const pl_fact *fact) {
  reply r = {.fact = {.question = fact->question, .mode = fact->mode,
                      .path = fact->path}};
  switch ((pl_question)fact->question) {
  case PL_ASK_STAT: look_at(&r, 0); break;
  case PL_ASK_LSTAT: look_at(&r, AT_SYMLINK_NOFOLLOW); break;
  case PL_ASK_ACCESS:
    if (faccessat(AT_FDCWD, fact->path, fact->mode, 0) != 0)
      r.fact.error = (uint32_t)errno;
    break;
  case PL_ASK_OPEN: ask_open(&r); break;
  case PL_ASK_LINK: ask_link(&r); break;
  case PL_ASK_REAL: ask_real(&r); break;
  case PL_ASK_LIST: ask_list(&r); break;
  }
  r.fact.object = (pl_object){r.at.st_dev, r.at.st_ino};
  return r;
}

pl_fact pl_fact_now(const pl_fact *fact) { return ask(fact).fact; }

bool pl_fact_same(const pl_fact *a, const pl_fact *b) {
  return a->error == b->error && a->kind == b->kind &&
         pl_digest_same(&a->content, &b->content);
}

/* ---- from a watch -------------------------------------------------------- */

static int by_place(const void *left, const void *right) {
  const pl_sight *a = left, *b = right;
  int order = strcmp(a->path, b->path);
  if (!order)
    order = (a->question > b->question) - (a->question < b->question);
  return order ? order : (a->mode > b->mode) - (a->mode < b->mode);
}

static bool same_time(struct timespec a, struct timespec b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same_state(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
         a->st_size == b->st_size && same_time(a->st_mtim, b->st_mtim) &&
         same_time(a->st_ctim, b->st_ctim);
}

/* Whether the answer of now is the one that the parser got. */
static bool answered_so(const pl_sight *sight, const reply *now) {
  if (sight->fresh || now->has_time || sight->error != (int)now->fact.error)
    return false;
  if (sight->error)
    return true;
  switch (sight->question) {
  case PL_ASK_OPEN:
  case PL_ASK_LIST: return same_state(&sight->at, &now->at);
  case PL_ASK_LINK:
  case PL_ASK_REAL: return pl_digest_same(&sight->content, &now->fact.content);
  case PL_ASK_ACCESS: return true;
  default:
    return (sight->at.st_mode & S_IFMT) == now->fact.kind &&
           sight->at.st_dev == now->at.st_dev &&
           sight->at.st_ino == now->at.st_ino;
  }
}

static bool add_fact(pl_facts *facts, const pl_sight *sight) {
  pl_fact question = {.question = sight->question, .mode = sight->mode,
                      .path = sight->path};
  reply now = ask(&question);
  facts->items[facts->count++] = now.fact;
  return answered_so(sight, &now);
}

/* A question that got two answers is settled by neither. */
static bool agree(const pl_sight *a, const pl_sight *b) {
  if (a->error != b->error || a->fresh != b->fresh)
    return false;
  bool opened = a->question == PL_ASK_OPEN || a->question == PL_ASK_LIST;
  return (!opened || same_state(&a->at, &b->at)) &&
         pl_digest_same(&a->content, &b->content);
}

bool pl_facts_from(const pl_sights *sights, pl_facts *facts) {
  bool good = !sights->unclear && sights->count > 0;
  *facts = (pl_facts){pl_alloc(sights->count, sizeof *facts->items), 0};
  if (good)
    qsort(sights->items, sights->count, sizeof *sights->items, by_place);
  for (size_t i = 0; i < sights->count && good; i++) {
    const pl_sight *sight = &sights->items[i];
    if (i && by_place(sight - 1, sight) == 0)
      good = agree(sight - 1, sight);
    else
      good = add_fact(facts, sight);
  }
  return good;
}

void pl_facts_free(pl_facts *facts) {
  free(facts->items);
  *facts = (pl_facts){0};
}

/* ---- kept and compared --------------------------------------------------- */

static bool is_empty(const pl_digest *digest) {
  static const pl_digest nothing;
  return pl_digest_same(digest, &nothing);
}

void pl_fact_fields(pl_codec *c, pl_fact *fact) {
  bool content = c->reading ? false : !is_empty(&fact->content);
  pl_code_u32(c, &fact->question);
  c->bad |= fact->question > PL_ASK_LIST;
  pl_code_int(c, &fact->mode);
  pl_code_text(c, &fact->path);
  c->bad |= !fact->path;
  pl_code_u32(c, &fact->error);
  pl_code_u32(c, &fact->kind);
  pl_code_bool(c, &content);
  if (content)
    pl_code_digest(c, &fact->content);
}

/* An object and where it stands. */
typedef struct ranked {
  pl_object object;
  size_t index;
} ranked;

static int by_object(const void *left, const void *right) {
  const ranked *a = left, *b = right;
  if (a->object.device != b->object.device)
    return a->object.device < b->object.device ? -1 : 1;
  if (a->object.inode != b->object.inode)
    return a->object.inode < b->object.inode ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

static bool is_same_object(pl_object a, pl_object b) {
  return a.device == b.device && a.inode == b.inode;
}

pl_digest pl_objects_digest(const pl_object *objects, size_t count) {
  ranked *sorted = pl_alloc(count, sizeof *sorted);
  size_t *first = pl_alloc(count, sizeof *first);
  for (size_t i = 0; i < count; i++)
    sorted[i] = (ranked){objects[i], i};
  qsort(sorted, count, sizeof *sorted, by_object);
  for (size_t i = 0, leader = 0; i < count; i++) {
    if (!is_same_object(sorted[leader].object, sorted[i].object))
      leader = i;
    first[sorted[i].index] = sorted[leader].index;
  }
  pl_digest digest = pl_digest_of(first, count * sizeof *first);
  free(first);
  free(sorted);
  return digest;
}
