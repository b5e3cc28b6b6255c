/* pl_check.h - one launch, twice: as the program has it, and rewritten.
 *
 *   save what the launch can reach; run the original; save what it left; put
 *   back what was there before; run the rewritten kernel; compare; put back
 *   what the original left.
 *
 * Several forms of the kernel are compared one after the other, and then timed in
 * turns with the original, each on what was there before. */
#ifndef PL_CHECK_H
#define PL_CHECK_H

#include "pl_kernel.h"
#include "pl_memory.h"
#include "pl_shadow_abi.h"
#include "pl_times.h"

#include <chrono>
#include <thread>

namespace pl {

enum class verdict {
  equal,
  unchanged,        /* equal, but the original left everything as it was */
  differs,
  launch_failed,    /* the rewritten kernel's; the original's went well */
  crash, timeout,   /* likewise; the device's memory is lost */
  nondeterministic, /* the original disagrees with itself */
  not_shadowed
};

inline const char *verdict_name(verdict v) {
  static const char *const names[] = {
      "equal", "unchanged", "differs", "launch-failed",
      "crash", "timeout",   "nondeterministic", "not-shadowed"};
  return names[(int)v];
}

struct finding {
  verdict result = verdict::not_shadowed;
  int error = 0; /* what the original's launch returned */
  std::string reason;
  long long bytes = 0, changed = 0;
  /* differs: the first element, and how many do */
  std::string where, value, should;
  long long differing = 0, elements = 0;
  double ms = 0, original_ms = 0; /* medians; 0: not timed */
};

class check {
public:
  /* The forms of one kernel, at least one. */
  check(const setup &s, const std::vector<const kernel *> &forms,
        const pl_shadow_call &call)
      : setup_(s), forms_(forms), found_(forms.size()), call_(call) {}

  /* What was found of each form; all know what the original's launch returned. */
  std::vector<finding> run() {
    bool ready = leave_out_troubled() && can_begin() && save();
    if (!ready && !ran_)
      f_.error = call_.run(&call_);
    bool compares = ready && run_original() && keep_results();
    if (compares)
      compare_forms();
    for (size_t i = 0; i < forms_.size(); i++)
      if (!compares && forms_[i]->trouble.empty())
        found_[i] = f_;
      else
        found_[i].error = f_.error;
    return found_;
  }

private:
  const setup &setup_;
  const std::vector<const kernel *> &forms_;
  std::vector<finding> found_; /* one a form */
  const kernel *kernel_ = nullptr; /* the form at hand */
  const pl_shadow_call &call_;
  reach reach_;
  finding f_;
  bool ran_ = false;
  double original_seconds_ = 0;

  bool refuse(const std::string &reason) {
    f_.result = verdict::not_shadowed;
    f_.reason = reason;
    return false;
  }

  /* False: none is left. */
  bool leave_out_troubled() {
    for (size_t i = 0; i < forms_.size(); i++)
      if (!forms_[i]->trouble.empty())
        found_[i].reason = forms_[i]->trouble;
      else if (!kernel_)
        kernel_ = forms_[i];
    return kernel_;
  }

  /* A capture forbids waiting, and copies would become a part of it. */
  bool can_begin() {
    void *const legacy = (void *)1;
    int status = 0, other = 0;
    if (cuda().is_capturing(call_.stream, &status) != 0 || status)
      return refuse("its stream is being captured into a graph");
    if (call_.captures > 0 || cuda().is_capturing(legacy, &other) != 0)
      return refuse("another stream is being captured into a graph");
    int error = cuda().synchronize();
    if (error)
      return refuse("an error before it: " + error_text(error));
    return true;
  }

  /* ---- what the launch can reach ---- */

  const unsigned char *argument(size_t i) const {
    return (const unsigned char *)call_.arguments[i];
  }

  /* A pointer that is only compared may stand behind its allocation. */
  bool add_pointer(size_t i) {
    address at;
    memcpy(&at, argument(i), sizeof at);
    bool plain = element_of(pointee(kernel_->parameters[i].type)).is_plain;
    if (at == 0 || reach_.add(at, plain) >= 0 ||
        reach_.add(at - 1, plain) >= 0)
      return true;
    return refuse(argument_name(i) +
                  " points into no allocation that the driver knows");
  }

  std::string argument_name(size_t i) const {
    const std::string &name = kernel_->parameters[i].name;
    return name.empty() ? "argument " + std::to_string(i + 1) : name;
  }

  void add_variable(const variable &v) {
    for (auto &r : reach_.regions)
      if (r.begin == v.original)
        return;
    region r;
    r.begin = v.original, r.size = v.size;
    r.name = signature_of(v.name).name;
    reach_.regions.push_back(std::move(r));
  }

  bool find_regions() {
    for (auto form : forms_)
      if (form->trouble.empty())
        for (auto &v : form->variables)
          add_variable(v);
    for (size_t i = 0; i < kernel_->parameters.size(); i++) {
      size_t size = kernel_->entry->parameters[i];
      if (is_pointer_type(kernel_->parameters[i].type) && size == 8) {
        if (!add_pointer(i))
          return false;
      } else {
        reach_.add_from(argument(i), size, 1);
      }
    }
    return true;
  }

  bool read(bytes &to, const region &r) {
    if (r.size <= available_memory() / 10 * 9)
      to.reset(new (std::nothrow) unsigned char[r.size]);
    if (!to)
      return refuse("it can reach " + std::to_string(reach_.total() >> 20) +
                    " MiB, too much for the host's memory");
    int error = read_memory(to.get(), r.begin, r.size);
    return !error || refuse("memory that it can reach cannot be read: " +
                            error_text(error));
  }

  /* Regions that are found on the way are saved in their turn. */
  bool save() {
    if (!find_regions())
      return false;
    for (size_t i = 0; i < reach_.regions.size(); i++) {
      if (!read(reach_.regions[i].before, reach_.regions[i]))
        return false;
      if (!reach_.regions[i].is_plain) {
        const unsigned char *data = reach_.regions[i].before.get();
        reach_.add_from(data, reach_.regions[i].size, 8);
      }
      if (!reach_.trouble.empty())
        return refuse(reach_.trouble);
    }
    f_.bytes = (long long)reach_.total();
    return true;
  }

  /* ---- the original ---- */

  bool run_original() {
    auto start = std::chrono::steady_clock::now();
    f_.error = call_.run(&call_);
    ran_ = true;
    if (f_.error)
      return refuse("the program's own launch fails: error " +
                    std::to_string(f_.error));
    int error = cuda().synchronize();
    original_seconds_ = std::chrono::duration<double>(
                            std::chrono::steady_clock::now() - start)
                            .count();
    if (error)
      return refuse("the original kernel fails: " + error_text(error));
    return true;
  }

  void count_changed(region &r) {
    enum { BLOCK = 4096 };
    long long changed = 0;
    for (size_t at = 0; at < r.size; at += BLOCK) {
      size_t end = std::min<size_t>(r.size, at + BLOCK);
      if (memcmp(r.before.get() + at, r.after.get() + at, end - at) == 0)
        continue;
      for (size_t i = at; i < end; i++)
        changed += r.before[i] != r.after[i];
    }
    if (changed == 0)
      r.after.reset();
    f_.changed += changed;
  }

  bool keep_results() {
    for (auto &r : reach_.regions) {
      if (!read(r.after, r))
        return false;
      count_changed(r);
    }
    return true;
  }

  /* ---- the rewritten kernel ---- */

  /* What was there before, or what the original left: everywhere, or where
   * the original changed something. */
  enum state { BEFORE, LEFT };
  bool put_back(state wanted, bool everywhere) {
    int error = 0;
    for (auto &r : reach_.regions) {
      const unsigned char *data = wanted == LEFT ? r.left() : r.before.get();
      if (everywhere || r.is_changed())
        error |= write_memory(r.begin, data, r.size);
      if (r.twin && wanted == BEFORE)
        error |= write_memory(r.twin, data, r.size);
    }
    error |= cuda().synchronize();
    return !error || refuse("memory cannot be put back");
  }

  void copy_attributes() {
    for (int what : {DRIVER_MAX_DYNAMIC_SHARED, DRIVER_CARVEOUT,
                     DRIVER_NON_PORTABLE_CLUSTER}) {
      int value = 0, own = 0;
      if (cuda().get(&value, what, kernel_->original) == 0 &&
          cuda().get(&own, what, kernel_->pipelined) == 0 && value != own)
        cuda().set(kernel_->pipelined, what, value);
    }
    if (!kernel_->dynamic.empty())
      cuda().set(kernel_->pipelined, DRIVER_MAX_DYNAMIC_SHARED,
                 (int)dynamic_bytes(kernel_->dynamic, call_.shared));
  }

  int launch_pipelined() {
    const unsigned *g = call_.grid, *of = call_.block;
    const unsigned b[] = {of[0], of[1], of[2] * kernel_->layers};
    unsigned shared = dynamic_bytes(kernel_->dynamic, call_.shared);
    copy_attributes();
    if (call_.how == PL_SHADOW_EXTENDED) {
      launch_config config = {{g[0], g[1], g[2]}, {b[0], b[1], b[2]}, shared,
                              call_.stream, call_.attributes,
                              call_.n_attributes};
      return cuda().launch_extended(&config, kernel_->pipelined,
                                    call_.arguments, nullptr);
    }
    if (call_.how == PL_SHADOW_COOPERATIVE)
      return cuda().launch_cooperative(kernel_->pipelined, g[0], g[1], g[2],
                                       b[0], b[1], b[2], shared, call_.stream,
                                       call_.arguments);
    return cuda().launch(kernel_->pipelined, g[0], g[1], g[2], b[0], b[1], b[2],
                         shared, call_.stream, call_.arguments, nullptr);
  }

  /* 0: done; DRIVER_NOT_READY: it does not end. */
  int wait_for_pipelined() {
    auto start = std::chrono::steady_clock::now();
    double limit = setup_.timeout + 100 * original_seconds_;
    for (long turns = 0;; turns++) {
      int status = cuda().query(call_.stream);
      std::chrono::duration<double> passed =
          std::chrono::steady_clock::now() - start;
      if (status == 0)
        return cuda().synchronize();
      if (status != DRIVER_NOT_READY || passed.count() > limit)
        return status;
      if (turns > 1000)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  /* The form at hand, with its own copies of variables. */
  void choose(size_t form) {
    kernel_ = forms_[form];
    for (auto &r : reach_.regions) {
      r.twin = 0;
      for (auto &v : kernel_->variables)
        if (!r.name.empty() && v.original == r.begin)
          r.twin = v.twin;
    }
  }

  void compare_forms() {
    finding common = f_;
    for (size_t i = 0; i < forms_.size(); i++) {
      if (!forms_[i]->trouble.empty())
        continue;
      f_ = common;
      choose(i);
      compare_kernels();
      found_[i] = f_;
      if (f_.result == verdict::crash || f_.result == verdict::timeout)
        return; /* the device's memory is lost */
    }
    f_ = common;
    time_forms();
  }

  /* ---- times ---- */

  bool may_be_timed(size_t form) const {
    verdict v = found_[form].result;
    return v == verdict::equal || v == verdict::unchanged ||
           v == verdict::nondeterministic;
  }

  /* The original, or a form. */
  double time_once(stopwatch &watch, size_t form) {
    bool is_form = form < forms_.size();
    if (is_form)
      choose(form);
    if (!put_back(BEFORE, false))
      return -1;
    return watch.measure(
        [&] { return is_form ? launch_pipelined() : call_.run(&call_); });
  }

  /* All in turns, so that a change of clocks meets all alike. False: an error, and
   * no times. */
  bool time_round(stopwatch &watch, std::vector<std::vector<double>> &times) {
    for (size_t i = 0; i < times.size(); i++) {
      size_t form = times.size() - 1 - i; /* the original first */
      if (form < forms_.size() && !may_be_timed(form))
        continue;
      double ms = time_once(watch, form);
      if (ms < 0)
        return false;
      times[form].push_back(ms);
    }
    return true;
  }

  void time_forms() {
    enum { LEAST_ROUNDS = 3, MOST_SECONDS = 10 };
    auto start = std::chrono::steady_clock::now();
    std::vector<std::vector<double>> times(forms_.size() + 1);
    bool good = false;
    if (setup_.rounds <= 0)
      return;
    {
      stopwatch watch(call_.stream);
      good = watch.can_measure();
      for (long r = 0; good && r < setup_.rounds; r++) {
        std::chrono::duration<double> passed =
            std::chrono::steady_clock::now() - start;
        if (r >= LEAST_ROUNDS && passed.count() > MOST_SECONDS)
          break;
        good = time_round(watch, times);
      }
    }
    for (size_t i = 0; good && i < forms_.size(); i++)
      if (may_be_timed(i)) {
        found_[i].ms = median(times[i]);
        found_[i].original_ms = median(times.back());
      }
    leave_original(true);
  }

  /* ---- one form ---- */

  void compare_kernels() {
    if (!put_back(BEFORE, false)) {
      leave_original(false);
      return;
    }
    int error = launch_pipelined();
    if (error) {
      f_.result = verdict::launch_failed;
      f_.reason = error_text(error);
      leave_original(false);
      return;
    }
    error = wait_for_pipelined();
    if (error) {
      f_.result = error == DRIVER_NOT_READY ? verdict::timeout
                                            : verdict::crash;
      f_.reason = error_text(error);
      return;
    }
    f_.result = verdict::equal;
    for (auto &r : reach_.regions) /* the first one that differs is enough */
      if (f_.result == verdict::equal)
        compare_region(r);
    bool is_equal = f_.result == verdict::equal;
    if (f_.result == verdict::differs)
      repeat_original();
    if (is_equal && f_.changed == 0)
      f_.result = verdict::unchanged;
    leave_original(!is_equal);
  }

  void leave_original(bool everywhere) {
    finding found = f_;
    put_back(LEFT, everywhere);
    f_ = found;
  }

  /* ---- comparing ---- */

  void compare_region(const region &r) {
    enum { CHUNK = 16 << 20 };
    std::vector<unsigned char> now(std::min<size_t>(r.size, CHUNK)), twin;
    if (r.twin)
      twin.resize(now.size());
    for (size_t at = 0; at < r.size; at += CHUNK) {
      size_t n = std::min<size_t>(r.size - at, CHUNK);
      int error = read_memory(now.data(), r.begin + at, n);
      if (r.twin && !error)
        error = read_memory(twin.data(), r.twin + at, n);
      if (error) {
        refuse("memory cannot be read again: " + error_text(error));
        return;
      }
      if (r.twin)
        compare_twins(r, at, n, now, twin);
      else if (memcmp(now.data(), r.left() + at, n) != 0)
        compare_elements(r, at, n, now.data());
    }
  }

  /* The rewritten kernel reaches its own copy of a variable by name and the
   * program's by pointers: one of them has to hold the new value. */
  void compare_twins(const region &r, size_t at, size_t n,
                     std::vector<unsigned char> &now,
                     const std::vector<unsigned char> &twin) {
    const unsigned char *before = r.before.get() + at;
    for (size_t i = 0; i < n; i++)
      if (now[i] == before[i])
        now[i] = twin[i];
    if (memcmp(now.data(), r.left() + at, n) != 0)
      compare_elements(r, at, n, now.data());
  }

  /* A variable that lies in an allocation is compared on its own. */
  bool is_of_variable(const region &r, size_t offset) const {
    for (auto &v : kernel_->variables)
      if (!r.twin && r.begin + offset >= v.original &&
          r.begin + offset - v.original < v.size)
        return true;
    return false;
  }

  /* How a byte of a region is called: by the argument that points nearest
   * before it, by the one that holds such a pointer, or by the variable. */
  struct place {
    address base = 0;
    element_type type;
    std::string name;
    bool is_argument = false;
  };

  place place_of(const region &r, size_t offset) const {
    place p;
    p.base = r.begin;
    p.name = r.name.empty() ? "memory" : r.name;
    p.is_argument = !r.name.empty();
    for (auto &v : kernel_->variables)
      if (r.twin && v.original == r.begin)
        p.type = v.type;
    for (size_t i = 0; r.name.empty() && i < kernel_->parameters.size(); i++)
      for (size_t k = 0; k + 8 <= kernel_->entry->parameters[i]; k++) {
        address at;
        memcpy(&at, argument(i) + k, sizeof at);
        if (at < p.base || at > r.begin + offset)
          continue;
        p.base = at;
        p.is_argument = is_pointer_type(kernel_->parameters[i].type);
        p.type = element_of(pointee(kernel_->parameters[i].type));
        p.name = p.is_argument ? argument_name(i)
                               : "memory behind " + argument_name(i);
      }
    return p;
  }

  void describe(const region &r, size_t offset, const place &p,
                const unsigned char *value) {
    long long index = (long long)(r.begin + offset - p.base) /
                      (long long)p.type.size;
    std::string number = std::to_string(index);
    f_.where = p.is_argument ? p.name + "[" + number + "]"
                             : p.name + ", element " + number;
    f_.value = value_text(p.type, value);
    f_.should = value_text(p.type, r.left() + offset);
    f_.elements = (long long)(r.size / p.type.size);
  }

  /* Counts the elements of one piece of a region that differ. */
  void compare_elements(const region &r, size_t at, size_t n,
                        const unsigned char *now) {
    const unsigned char *should = r.left() + at;
    size_t first = 0;
    while (now[first] == should[first])
      first++;
    place p = place_of(r, at + first);
    size_t size = p.type.size, shift = (size_t)((p.base - r.begin) % size);
    size_t ahead = (first + size - shift) % size; /* of it, in its element */
    for (size_t i = first - std::min(first, ahead); i < n; i += size) {
      if (i + size > n) /* what no element fills */
        p.type = {element_kind::u, 1, true}, size = 1;
      if (memcmp(now + i, should + i, size) == 0 || is_of_variable(r, at + i))
        continue;
      if (f_.differing++ == 0)
        describe(r, at + i, p, now + i);
      f_.result = verdict::differs;
    }
  }

  /* A difference is only the rewritten kernel's where the original always
   * leaves the same. */
  void repeat_original() {
    finding found = f_;
    for (int i = 0; i < 3 && found.result == verdict::differs; i++) {
      if (!put_back(BEFORE, true) || call_.run(&call_) != 0 ||
          cuda().synchronize() != 0)
        break;
      f_ = finding();
      f_.result = verdict::equal;
      for (auto &r : reach_.regions)
        compare_region(r);
      if (f_.result == verdict::differs)
        found.result = verdict::nondeterministic;
    }
    f_ = found;
  }
};

} // namespace pl

#endif
