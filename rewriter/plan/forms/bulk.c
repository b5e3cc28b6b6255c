/* bulk.c - whole rows by bulk copies, beside the copies of barrier.c.
 *
 * The order, the waits and what is no row are those of barrier.c. Where all rows of a
 * tile are whole and aligned, which the run decides, one thread has the copy engine of
 * sm_90 and newer copy them (cp.async.bulk), 512 bytes and more at a time. It tells the
 * buffer's barrier how many bytes are to come, ahead of its own arrival there: the phase
 * is over when all threads have come and the bytes have landed.
 *
 * Bulk copies are accesses by the asynchronous proxy, all others by the generic one (PTX
 * ISA, "Asynchronous proxy"). That these come first needs a proxy fence on the way from
 * them to the copy: whoever read or wrote the buffer before has passed a barrier behind
 * it, and the thread that copies makes a fence behind that barrier. The other way needs
 * none: a bulk copy's completion, once it is observed, implies one. The fence makes the
 * barriers' initialisation known to that proxy as well. */
#include "barriers.h"

static const pl_copy_words words = {
    PL_WORDS_OF_BARRIERS,
    .elects = PL_ONE_THREAD,
    .fence = "cuda::device::experimental::fence_proxy_async_shared_cta();",
    .row = "cuda::device::barrier_expect_tx($NAME[$STAGE], $BYTES);\n"
           "cuda::device::memcpy_async_tx($TO, $FROM, cuda::aligned_size_t<16>($BYTES), "
           "$NAME[$STAGE]);",
};

const pl_form pl_form_bulk = {
    .schedule = &pl_schedule_of_barriers,
    .async = true,
    .words = &words,
    .usual = 3,
    .obstacle = pl_needs_rows,
};
