/* pl_symbols.h - the symbol table of a loaded object, as its file has it: also
 * what is not exported. */
#ifndef PL_SYMBOLS_H
#define PL_SYMBOLS_H

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Calls f(symbol, name) for each. */
template <class F> static void pl_each_symbol(const char *path, F f) {
  struct stat about;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &about) != 0)
    return;
  size_t size = (size_t)about.st_size;
  char *file = (char *)mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (file == MAP_FAILED)
    return;
  const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)file;
  const ElfW(Shdr) *parts = (const ElfW(Shdr) *)(file + head->e_shoff);
  for (int i = 0; i < head->e_shnum; i++) {
    if (parts[i].sh_type != SHT_SYMTAB)
      continue;
    const char *names = file + parts[parts[i].sh_link].sh_offset;
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)(file + parts[i].sh_offset);
    for (size_t k = 0; k < parts[i].sh_size / sizeof *symbols; k++)
      f(symbols[k], names + symbols[k].st_name);
  }
  munmap(file, size);
}

#endif
