/* pl_memory.h - the memory that a launch can reach, saved and put back.
 *
 * A region is one allocation, as the driver knows it. Those that a launch's
 * arguments point into are found from the bytes of the arguments, whatever
 * their types; those that they point to in turn from the bytes of the regions
 * whose elements are not known to be plain numbers. */
#ifndef PL_MEMORY_H
#define PL_MEMORY_H

#include "pl_driver.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_set>
#include <vector>

namespace pl {

typedef std::unique_ptr<unsigned char[]> bytes;

struct region {
  address begin = 0;
  size_t size = 0;
  bool is_plain = false; /* holds numbers, no pointers */
  std::string name;      /* of a variable; empty: an allocation */
  address twin = 0;      /* the same variable beside the rewritten kernel */
  bytes before, after;   /* as the launch found it; as the original left it,
                            null where that is the same */

  bool is_changed() const { return after != nullptr; }
  const unsigned char *left() const {
    return after ? after.get() : before.get();
  }
};

/* The allocation that holds `at`. False: the driver knows of none. */
inline bool find_allocation(address at, address &begin, size_t &size) {
  int type = 0;
  if (at < 4096 || at >> 57 ||
      cuda().pointer(&type, DRIVER_MEMORY_TYPE, at) != 0 || type == 0 ||
      type == DRIVER_TYPE_ARRAY)
    return false;
  if (cuda().pointer(&begin, DRIVER_RANGE_START, at) == 0 &&
      cuda().pointer(&size, DRIVER_RANGE_SIZE, at) == 0 && size)
    return true;
  return cuda().range(&begin, &size, at) == 0 && size;
}

class reach {
public:
  std::vector<region> regions;
  std::string trouble; /* why it is not all of it; empty: it is */

  /* The region of an address; found anew where it must be. -1: none. */
  int add(address at, bool is_plain) {
    int known = find(at);
    if (known >= 0) {
      regions[known].is_plain &= is_plain;
      return known;
    }
    region r;
    if (!find_allocation(at, r.begin, r.size))
      return -1;
    r.is_plain = is_plain;
    regions.push_back(std::move(r));
    return (int)regions.size() - 1;
  }

  int find(address at) const {
    for (size_t i = 0; i < regions.size(); i++)
      if (at >= regions[i].begin && at - regions[i].begin < regions[i].size)
        return (int)i;
    return -1;
  }

  /* Whatever in these bytes may be an address. */
  void add_from(const unsigned char *data, size_t size, size_t step) {
    for (size_t i = 0; i + sizeof(address) <= size; i += step) {
      address value;
      memcpy(&value, data + i, sizeof value);
      if (is_likely(value) && add(value, false) < 0)
        add(value & ~255ull, false);
    }
  }

  size_t total() const {
    size_t sum = 0;
    for (auto &r : regions)
      sum += r.size;
    return sum;
  }

private:
  enum { MOST_QUESTIONS = 2000000 };
  std::unordered_set<address> asked_; /* 256 bytes each: asked about once */

  bool is_likely(address value) {
    if (value < (1u << 20) || value >> 48 || find(value) >= 0)
      return false;
    if (asked_.size() >= MOST_QUESTIONS) {
      trouble = "its memory holds too much that could be an address";
      return false;
    }
    return asked_.insert(value >> 8).second;
  }
};

inline size_t available_memory() {
  FILE *file = fopen("/proc/meminfo", "r");
  size_t kib = 0;
  char line[256];
  while (file && !kib && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %zu", &kib) != 1)
      kib = 0;
  if (file)
    fclose(file);
  return kib * 1024;
}

inline int read_memory(unsigned char *to, address from, size_t size) {
  return cuda().copy((address)(uintptr_t)to, from, size);
}

inline int write_memory(address to, const unsigned char *from, size_t size) {
  return cuda().copy(to, (address)(uintptr_t)from, size);
}

} // namespace pl

#endif
