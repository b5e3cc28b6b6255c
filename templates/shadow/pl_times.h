/* pl_times.h - how long a kernel runs, by events of the driver.
 *
 * Ahead of each measurement all of the L2 cache is written, in the launch's own
 * stream: the kernel finds it as cold each time, and the events and the launch are
 * all queued by the time that it is done, so that what the host takes is not
 * measured. */
#ifndef PL_TIMES_H
#define PL_TIMES_H

#include "pl_driver.h"

#include <algorithm>
#include <vector>

namespace pl {

inline double median(std::vector<double> v) {
  if (v.empty())
    return 0;
  std::sort(v.begin(), v.end());
  size_t n = v.size();
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

class stopwatch {
public:
  explicit stopwatch(void *stream) : stream_(stream) {
    const driver &d = cuda();
    int device = 0, l2 = 0;
    can_ = d.make_event && d.note_event && d.elapsed && d.drop_event &&
           d.make_event(&begin_, 0) == 0 && d.make_event(&end_, 0) == 0;
    if (!can_ || !d.device_attribute || !d.allocate || !d.release || !d.fill)
      return;
    if (d.device(&device) == 0 &&
        d.device_attribute(&l2, DRIVER_L2_BYTES, device) == 0 && l2 > 0)
      size_ = 2 * (size_t)l2;
    if (size_ && d.allocate(&scratch_, size_) != 0)
      size_ = 0; /* the program has it all: the cache stays as it is */
  }
  ~stopwatch() {
    if (size_)
      cuda().release(scratch_);
    if (begin_)
      cuda().drop_event(begin_);
    if (end_)
      cuda().drop_event(end_);
  }
  stopwatch(const stopwatch &) = delete;
  stopwatch &operator=(const stopwatch &) = delete;

  bool can_measure() const { return can_; }

  /* Milliseconds between the events around what `launch` starts; less than 0:
   * something went wrong. */
  template <typename launch_type> double measure(launch_type launch) {
    float ms = 0;
    if (size_)
      cuda().fill(scratch_, 0, size_, stream_);
    int error = cuda().note_event(begin_, stream_);
    if (!error)
      error = launch();
    if (!error)
      error = cuda().note_event(end_, stream_);
    if (!error)
      error = cuda().synchronize();
    if (!error)
      error = cuda().elapsed(&ms, begin_, end_);
    return error ? -1 : ms;
  }

private:
  void *stream_, *begin_ = nullptr, *end_ = nullptr;
  address scratch_ = 0;
  size_t size_ = 0;
  bool can_ = false;
};

} // namespace pl

#endif
