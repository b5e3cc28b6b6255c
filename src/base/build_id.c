/* build_id.c - see build_id.h. */
#define _GNU_SOURCE
#include "build_id.h"

#include "environment.h"
#include "pipelinify.h"

#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t padded(size_t size) { return (size + 3) & ~(size_t)3; }

/* The build ID among the notes of a segment; NULL: none. */
static const void *find_id(const char *notes, size_t size, size_t *length) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes, sizeof note);
    size_t name = padded(note.n_namesz), text = padded(note.n_descsz);
    const char *at = notes + sizeof note;
    if (name > size - sizeof note || text > size - sizeof note - name)
      return NULL;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(at, "GNU", 4) == 0) {
      *length = note.n_descsz;
      return at + name;
    }
    size -= sizeof note + name + text;
    notes = at + name + text;
  }
  return NULL;
}

static const void *id_of(const struct dl_phdr_info *object, size_t *length) {
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    const char *notes = (const char *)(object->dlpi_addr + part->p_vaddr);
    const void *id = part->p_type == PT_NOTE
                         ? find_id(notes, part->p_memsz, length)
                         : NULL;
    if (id)
      return id;
  }
  return NULL;
}

static void add_state(pl_hasher *hasher, const char *path) {
  struct stat at = {0};
  stat(*path ? path : "/proc/self/exe", &at);
  const int64_t state[] = {
      (int64_t)at.st_dev,    (int64_t)at.st_ino,     at.st_size,
      at.st_mtim.tv_sec,     at.st_mtim.tv_nsec,
      at.st_ctim.tv_sec,     at.st_ctim.tv_nsec};
  pl_hasher_add_text(hasher, path);
  pl_hasher_add(hasher, state, sizeof state);
}

/* The kernel's own page of code is no part of the answer. The program itself
 * has the name "". */
static int add_object(struct dl_phdr_info *object, size_t size, void *data) {
  pl_hasher *hasher = data;
  const char *path = object->dlpi_name ? object->dlpi_name : "";
  size_t length = 0;
  (void)size;
  if (*path && !strchr(path, '/'))
    return 0;
  const void *id = id_of(object, &length);
  if (id)
    pl_hasher_add(hasher, id, length);
  else
    add_state(hasher, path);
  return 0;
}

/* libclang and what it needs may not be loaded yet: their files stand for them. */
static bool add_libclang(pl_hasher *hasher) {
  const char *const *files = pl_libclang_files();
  for (size_t i = 0; files[i]; i++) {
    if (access(files[i], R_OK) != 0)
      return false;
    add_state(hasher, files[i]);
  }
  pl_hasher_add_text(hasher, pl_environment_libraries());
  return true;
}

pl_digest pl_loaded_builds(void) {
  pl_hasher hasher;
  pl_hasher_start(&hasher);
  if (!add_libclang(&hasher))
    pl_libclang_load();
  dl_iterate_phdr(add_object, &hasher);
  return pl_hasher_end(&hasher);
}
