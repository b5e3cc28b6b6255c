#!/bin/sh
# functions.sh PIPELINIFY CERTIFY: faults in the text's local functions, in their calls,
# and in what a load reads and stores are not shown to be right.
set -u
program=${1:?program} certify=${2:?certify}
accept=$(dirname "$0")/../../testdata/accept
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failed=0

# ... of that loop of them which is asked of: the last one.
line='$'
verdict() { "$certify" "$kernel" "$place" "$1" -- 2>&1 | sed -n "${line}p"; }

# shown NAME: the loop of the right text is.
shown() {
  asked=$line said=$(verdict "$box/right.cu")
  case $said in
    *': shown ('*) ;;
    *) echo "FAILED: $1: the right text: $said"; failed=1 ;;
  esac
}

# fault NAME SED VERDICT: what becomes of the text, and what is said of it. Of a loop that is
# not shown as it is, no fault says anything.
fault() {
  [ "$asked" = "$line" ] || shown "$1"
  sed "$2" "$box/right.cu" >"$box/wrong.cu"
  if cmp -s "$box/right.cu" "$box/wrong.cu"; then
    echo "FAILED: $1 changes nothing"; failed=1
  fi
  said=$(verdict "$box/wrong.cu")
  case $said in
    *': shown ('*) echo "FAILED: $1: $said"; failed=1 ;;
    *": "$3" ("*) ;;
    *) echo "FAILED: $1: $said"; failed=1 ;;
  esac
}

# once NAME SED: a text that was shown once; the right one is not shown either, so far.
once() {
  asked=$line
  fault "$1" "$2" unknown
}

# right NAME PLACE OPTION...: the text of a kernel, whose loop is at that place.
right() {
  kernel=$1 place=$2
  [ -f "$kernel" ] || kernel=$(ls "$accept"/*/"$1"/kernel.cu)
  shift 2
  "$program" -q --cuda-path= "$@" "$kernel" -o "$box/right.cu"
  shown "$kernel"
}

right sgemm-tile16 31:5 --variant=cp.async --stages=3
fault 'no commit' '/auto copy_tile/,/};/s/__pipeline_commit();//' unknown
fault 'a literal stage' '/auto copy_tile/,/};/s/As_stage\[load_stage\]/As_stage[0]/' wrong
fault 'the same stage' 's/copy_tile(stage == 0 ? stages - 1 : stage - 1)/copy_tile(stage)/' wrong
fault 'no copies' 's/copy_tile(stage == 0 ? stages - 1 : stage - 1);//' wrong
fault 'captured by value' 's/\[&\](int load_stage)/[=](int load_stage) mutable/' unknown
fault 'a copy of another type' 's/int t_load = 0, /int /; s/auto copy_tile/short t_load = 0; &/' unknown
fault 'a short wait' 's/wait_prior(stages - 2)/wait_prior(stages - 1)/' wrong
fault 'no number of groups' 's/wait_prior(stages - 2)/wait_prior(stages - 4)/' wrong
right sgemm-tile16 31:5 --variant=pipeline --stages=3
fault 'an alignment that is not' 's/aligned_size_t<[^>]*>/aligned_size_t<16>/' unknown
right rbf-predict 47:5 --variant=cp.async --stages=3
fault 'an alignment that is not asked for' 's/(size_t)sv % 16 == 0/true/' unknown
fault '... of half as many bytes' 's/(size_t)sv % 16 == 0/(size_t)sv % 8 == 0/' unknown
right sgemm-tile16 31:5 --variant=ldg
fault 'a store by some threads' 's/As_stage\[stage\]\[ty\]\[tx\] = As_next/if (tx < 8) &/' unknown
right hgemm-copy-loops 43:5 --variant=barrier --stages=3
fault 'seven zeros of eight' 's/each < 8/each < 7/' wrong
fault 'nine zeros of eight' 's/each < 8/each < 9/' wrong
fault 'every other zero' 's/\[each\] =/[2 * each] =/' wrong
fault 'zeros one further' 's/\[each\] =/[each + 1] =/' wrong
fault 'a copy for four elements' 's/e = 8 \* threadIdx.x/e = 4 * threadIdx.x/' unknown
fault 'turns twice as far apart' 's/e += 8 \* blockDim.x/e += 16 * blockDim.x/' unknown
fault 'zeros of more rows' 's/if (row0 + r < m \&\& k0_load + d < k) {/if (row0 + r + 1 < m \&\& k0_load + d < k) {/' wrong
fault 'copies one further' 's/k0_load + d\], 16/k0_load + d + 1], 16/' unknown
right topk-scores 32:5 --variant=ldg
fault 'more is fetched' '/float4 tile_next/,/tile_next = /s/threadIdx.x < cnt/threadIdx.x <= cnt/' unknown
fault 'more is stored' '/compute_tile();/,/= tile_next/s/threadIdx.x < cnt/threadIdx.x <= cnt/' unknown
right sums-passed-by-global-memory 19:5 --variant=cp.async --stages=3
fault 'no barrier for global memory' '/relay\[u\] = /{n;d}' unknown
right sgemm-8x8-thread 47:5 --variant=ldg
fault 'the first stage at the end' 's/^        compute_tile();/        stage = 0;\n&/' wrong
fault 'no compute at the end' '/^        compute_tile();/d' wrong
fault 'a way out' 's/compute_tile = \[&\]() {/& if (stage) return;/' unknown
fault 'the other stage' '/auto compute_tile/,/};/s/As_stage\[stage\]/As_stage[stage ^ 1]/' wrong
fault 'one stage for two' '/auto compute_tile/,/};/s/As_stage\[stage\]/As_stage[0]/' wrong
fault 'no such stage' '/auto compute_tile/,/};/s/As_stage\[stage\]/As_stage[stage + 1]/' wrong
fault 'the other tile' 's/As_stage\[stage\]\[k \* BM/Bs_stage[stage][k * BM/' '[a-z]*'

# What a variable from ahead of the loop was made of is what it was there.
cat >"$box/began.cu" <<'kernel'
__global__ void began(const float *A, float *C, int K, int k0)
{
    __shared__ float s[64];
    const int base = k0 * 4;
    float sum = 0.f;
    for (; k0 < K; k0 += 16) {
        s[threadIdx.x] = A[base + k0 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i ^ threadIdx.x) & 7);
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/began.cu" 6:5 --variant=ldg-single
fault 'of this tile' 's/_next = A\[base + k0/_next = A[k0 * 4 + k0/' unknown

# Two tiles in one object.
right gemm-dynamic-smem 30:5 --variant=ldg-single
fault 'one of them ahead' '/if (k0 < K) {/,/__syncthreads/s/^ *As\[.*//' unknown
fault 'the other pointer' 's/ Bs\[ty \* tile + tx\] = Bs_next/ As[ty * tile + tx] = Bs_next/' unknown

# Registers that are not there.
right rbf-predict 47:5 --variant=ldg
fault 'fewer registers' 's/float svTile_next\[[^]]*\]/float svTile_next[1]/' unknown
fault 'no registers' 's/float svTile_next\[[^]]*\]/float svTile_next[0]/' unknown

# A part of a load that some tiles go without.
right gemm-batch-loop-barrier-first 30:5 --variant=cp.async --stages=2
fault 'a copy to no stage' 's/^ *\(__pipeline_memcpy.*Bb.*\)$/if (load_stage > 1) { \1 }/' wrong
fault 'a copy to one stage' 's/^ *\(__pipeline_memcpy.*Ab.*\)$/if (load_stage == 0) { \1 }/' wrong
right gemm-batch-loop-barrier-first 30:5 --variant=ldg
fault 'a store to one stage' 's/^ *\(.* = tile_next2;\)$/if (stage == 0) { \1 }/' wrong

# Methods of an object.
right loaders-of-a-common-base 58:5 --variant=ldg-single
fault 'another column' '/load_fetch/,/return/s/k = k0 + threadIdx.x/k = k0 + threadIdx.y/' unknown
fault 'another cell' '/void load_store/,/}/s/tile\[threadIdx.y\]\[threadIdx.x\]/tile[threadIdx.x][threadIdx.y]/' unknown
fault 'another member' '/load_fetch/,/return/s/r < rows/r < ld/' unknown

# Ranges that are copied at once.
right batches-in-each-form 25:5 --variant=pipeline-block --stages=2
fault 'a shorter range' 's/sizeof(int) \* blockDim.x/sizeof(int) * (blockDim.x - 1)/' unknown
fault 'another range' 's/&global_in\[global_idx\]/\&global_in[global_idx + 1]/' unknown
right batches-in-each-form 25:5 -arch=sm_90 --variant=bulk --stages=3
fault 'no multiple of 16' 's/(size_t)global_in % 16 == 0 \&\& //' unknown
fault 'rows apart' 's/count % 4 == 0 \&\& //' unknown
fault 'a part of 16 bytes' 's/ \&\& blockDim.x % 4 == 0//' unknown
fault 'a smaller multiple' 's/aligned_size_t<16>/aligned_size_t<8>/' unknown
fault 'another tile' 's/&global_in\[global_idx + threadIdx.x\],/\&global_in[global_idx + threadIdx.x + 4],/' unknown
right bulk-half-panels 10:5 -arch=sm_90 --variant=bulk --stages=2
fault 'rows of other lengths' 's/(size_t)panel % 16 == 0 \&\& ld % 8 == 0/(size_t)panel % 16 == 0/' unknown
fault 'rows of another tile' 's/full \&\& r0_load + r < rows/full \&\& r < rows/' unknown
fault 'a row too many' 's/full = full \&\& /full = full || /' unknown

# Loops that count down, count several, and ask while they count.
cat >"$box/loops.cu" <<'kernel'
__global__ void loops(const float *A, float *C, int n)
{
    __shared__ float s[256], r[96];
    float sum = 0.f;
    for (int at = 0; at < n; at += 256) {
        for (int p = 7; p >= 0; --p)
            s[p * 32 + threadIdx.x] = A[at + p * 32 + threadIdx.x];
        const float *from = A + at + threadIdx.x;
        unsigned left = 3;
        while (left--) {
            r[left * 32 + threadIdx.x] = *from;
            from += 32;
        }
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += s[i] * r[i % 96] * (float)((i ^ threadIdx.x) & 7);
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/loops.cu" 5:5 --variant=ldg
fault 'begins lower' 's/int p = 7;/int p = 6;/' unknown
fault 'ends higher' 's/p >= 0/p > 0/' unknown
fault 'counts by two' 's/--p/p -= 2/' unknown
fault 'another slot' 's/= s_next\[slot\]/= s_next[slot ^ 1]/' unknown
fault 'fewer slots' 's/slot < 8/slot < 7/' unknown
fault 'asks ahead' 's/(left--)/(--left)/' unknown
fault 'from further on' 's/from += 32/from += 33/' unknown
fault 'not moved on' '/from += 32;/d' unknown
fault 'moved on by some' 's/from += 32;/if (threadIdx.x < 8) &/' unknown
fault 'one more' 's/unsigned left = 3/unsigned left = 4/' unknown
fault 'moved twice' 's/from += 32;/& from += 32;/' unknown
fault 'in another order' 's/r_next\[slot\] = \*from;/from += 32; &/' unknown

# A cursor of the loop's own, which the load moves on.
cat >"$box/cursor.cu" <<'kernel'
__global__ void cursor(const float *A, float *C, int n, int ld)
{
    __shared__ float s[256];
    const float *p = A + threadIdx.x;
    float sum = 0.f;
    for (int at = 0; at < n; at += 8) {
        for (int r = 0; r < 8; ++r, p += ld)
            s[r * 32 + threadIdx.x] = *p;
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += s[i] * (float)((i ^ threadIdx.x) & 7);
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/cursor.cu" 6:5 --variant=cp.async --stages=2
fault 'moved on too far' 's/++r, p += ld/++r, p += ld + 1/' unknown
fault 'moved on ahead' 's/for (int r = 0;/p += ld; &/' '[a-z]*'
fault 'one row more' 's/r < 8/r < 9/' unknown
fault 'the last ones are none' 's/r < 8; ++r/r < 9; ++r/;s/__pipeline_memcpy_async/if (r < 8) &/' unknown

# Bytes that are copied one by one.
cat >"$box/bytes.cu" <<'kernel'
#include <string.h>
__global__ void bytes(const float *A, float *C, int n)
{
    __shared__ float s[128];
    float sum = 0.f;
    for (int at = 0; at < n; at += 128) {
        memcpy(&s[threadIdx.x * 4], A + at + threadIdx.x * 4, 16);
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += s[i] * (float)((i ^ threadIdx.x) & 7);
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/bytes.cu" 6:5 --variant=ldg
fault 'fewer bytes' 's/_next, 16)/_next, 12)/' unknown
fault 'from other bytes' 's/A + at + threadIdx.x \* 4/A + at + threadIdx.x * 4 + 1/' unknown
fault 'to other bytes' 's/\[threadIdx.x \* 4\], /[threadIdx.x * 4 ^ 4], /' unknown

# Clocks of those that ask while they count.
cat >"$box/asks.cu" <<'kernel'
__global__ void asks(const float *A, const float *B, float *C, unsigned tiles)
{
    __shared__ float s[32], r[32];
    const float *a = A + threadIdx.x, *b = B + threadIdx.x;
    float sum = 0.f;
    for (; tiles-- > 0;) {
        s[threadIdx.x] = *a;
        r[threadIdx.x] = b[tiles * 32];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += s[i] * r[31 - i] * (float)((i ^ threadIdx.x) & 7);
        a += 32;
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/asks.cu" 6:5 --variant=cp.async --stages=3
fault 'asks for one more' 's/tiles_load-- > 0/tiles_load-- >= 0/' '[a-z]*'
fault 'asks again' 's/more = tiles_load-- > 0;/& --tiles_load;/' '[a-z]*'
fault 'asks no more' '/^ *more = tiles_load-- > 0;/d' '[a-z]*'
fault 'one cursor stays' '/copy_tile = /,/};/{/a += 32;/d;/a_load += 32;/d}' '[a-z]*'
fault 'one cursor goes on twice' '/copy_tile = /,/};/s/a\(_load\)* += 32;/& &/' '[a-z]*'

# What members of an object lead to.
cat >"$box/two.cu" <<'kernel'
struct Two {
    float (&a)[32];
    float (&b)[32];
    const float *from;
    __device__ Two(float (&x)[32], float (&y)[32], const float *p) : a(x), b(y), from(p) { }
    __device__ void load(int at)
    {
        a[threadIdx.x] = from[at + threadIdx.x];
        b[threadIdx.x] = from[at + 32 + threadIdx.x];
    }
};
__global__ void two(const float *A, float *C, int n)
{
    __shared__ float s[32], r[32];
    Two tiles(s, r, A + blockIdx.x * 64);
    float sum = 0.f;
    for (int at = 0; at < n; at += 64) {
        tiles.load(at);
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += s[i] * r[31 - i] * (float)((i ^ threadIdx.x) & 7);
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/two.cu" 17:5 --variant=ldg-single
fault 'the other tile' '/void load_store/,/^    }/s/a\[threadIdx.x\] = /b[threadIdx.x] = /' '[a-z]*'
fault 'the other value' 's/= next.a_next/= next.b_next/' unknown
fault 'members change places' 's/a(x), b(y)/a(y), b(x)/' unknown
fault 'the pointer is another' 's/from(p)/from(p + 1)/' unknown
fault 'a member is moved on' 's/next.a_next = /++from; &/' '[a-z]*'
fault 'by some threads' 's/b\[threadIdx.x\] = next/if (threadIdx.x < 8) &/' unknown
cat >"$box/label.cu" <<'kernel'
__global__ void levels(const float *A, float *C, int n, int count)
{
    __shared__ float s[64];
    __shared__ int step;
    float sum = 0.f;
    int level = 0;
    if (threadIdx.x == 0)
        step = 1;
    __syncthreads();
again:
    sum += 1.f;
    for (int k = 0; k < n; k += step) {
        s[threadIdx.x] = A[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (i ^ threadIdx.x);
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        step = 2 << level;
    if (++level < count)
        goto again;
    C[threadIdx.x] = sum;
}
kernel
right "$box/label.cu" 12:5 --variant=ldg-single
fault 'no barrier behind a label' '/if (k < n)/{n;/__syncthreads/d}' wrong
cat >"$box/passed.cu" <<'kernel'
__global__ void passed(const float *A, float *C, const int *skips, int rows, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int r = 0; r < rows; ++r) {
        if (skips[r]) {
            s[threadIdx.x ^ 1] = sum;
            continue;
        }
        for (int k = 0; k < n; ++k) {
            __syncthreads();
            s[threadIdx.x] = A[(r * n + k) * 64 + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (i ^ threadIdx.x);
        }
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/passed.cu" 10:9 --variant=ldg-single
fault 'no barrier, and some come past the one behind' '/if (k < n)/{n;/__syncthreads/d}' wrong
right three-tile-types 38:3 --variant=ldg
fault 'a limit that is left out' '/for (++t;/,/compute_tile/{/if (j >= natom)/d}' '[a-z]*'
fault 'a limit of another kind' '/for (++t;/,/compute_tile/s/j = natom - 1/j = natom/' '[a-z]*'
fault 'a limit behind the fetch' '/for (++t;/,/compute_tile/{/if (j >= natom)/{h;d};/s_q_next =/G}' '[a-z]*'
right gemm-element-helpers 52:5,101:5 --variant=ldg
fault 'another default argument' '/copy1_fetch(const/s/fill = 0.0f/fill = 1.0f/' unknown
fault 'an argument that is left out' 's/, i + (int)threadIdx.x < left, 1.0f)/, i + (int)threadIdx.x < left)/' unknown
fault 'an arm of a record alone' 's/next.dst_next = there ? \*src : fill/if (there) next.dst_next = *src/' '[a-z]*'
right kirchhoff-migration 32:2 --variant=ldg
fault 'the limit of the other tile' '/for (itr += NTRACE/,/compute_tile/s/ntile = ntr - itr/ntile = ntr - itr_tile/' '[a-z]*'

# A block that votes to leave, behind the loop's own condition.
cat >"$box/vote.cu" <<'kernel'
__global__ void vote(const float *A, float *C, int n)
{
    __shared__ float s[64];
    float left = 1.f;
    for (int k = 0; k < n; k += 64) {
        const int done = __syncthreads_count(left < 1e-4f);
        if (done == 64)
            break;
        s[threadIdx.x] = A[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            left *= 1.f - s[i] * (float)((i ^ threadIdx.x) & 7);
    }
    C[threadIdx.x] = left;
}
kernel
for form in ldg ldg-single 'cp.async --stages=2'; do
  right "$box/vote.cu" 5:5 --variant=$form
  fault 'no vote in the loop' '/for (k += 64/,$s/const int done = .*/const int done = 0;/' '[a-z]*'
  fault 'a vote on something else' '/for (k += 64/,$s/count(left < 1e-4f)/count(left < 1e-3f)/' '[a-z]*'
  fault 'votes twice' '/for (k += 64/,$s/const int done/__syncthreads_count(left < 1e-4f); &/' '[a-z]*'
  fault 'some vote' '/for (k += 64/,$s/__syncthreads_count/threadIdx.x < 32 \&\& &/' '[a-z]*'
  fault 'votes ahead of compute' '/for (int i = 0/s/for/__syncthreads_count(left < 1e-4f); &/' '[a-z]*'
  fault 'nobody leaves' '/if (voted)/{N;d}' '[a-z]*'
  fault 'leaves for less' '/for (k += 64/,$s/done == 64/done >= 63/' '[a-z]*'
  fault 'the other way' '/for (k += 64/,$s/if (voted)/if (!voted)/' '[a-z]*'
  fault 'computes past the vote' '/for (k += 64/,$s/if (!voted)/if (true)/' '[a-z]*'
  fault 'computes none behind' '/for (k += 64/,$s/if (!voted)/if (voted)/' '[a-z]*'
  fault 'does not ask ahead' '0,/if (!voted)/s/if (!voted)/if (true)/' '[a-z]*'
  fault 'leaves in the first round' 's/if (voted)/if (voted || k == 64)/' '[a-z]*'
done
right "$box/vote.cu" 5:5 --variant=ldg-single
fault 'the tile is read behind the loop' 's/C\[threadIdx.x\] = left/& + s[63 - threadIdx.x]/' '[a-z]*'

# Iterations that are passed by: a branch around the tile, with steps behind it.
cat >"$box/branch.cu" <<'kernel'
__global__ void branch(const float *A, const int *kept, float *C, int n, int ld)
{
    __shared__ float s[64];
    const float *row = A + threadIdx.x;
    float sum = 0.f;
    int k = 0;
    while (k < n) {
        const int column = kept[k];
        if (column >= 0) {
            s[threadIdx.x] = row[column];
            __syncthreads();
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (float)((i ^ column) & 7);
            __syncthreads();
        }
        ++k;
        row += ld;
    }
    C[threadIdx.x] = sum;
}
kernel
for form in 'cp.async --stages=2' 'cp.async --stages=3'; do
  right "$box/branch.cu" 7:5 --variant=$form
  fault 'the loads keep others' '0,/column >= 0/s/column >= 0/column > 0/' '[a-z]*'
  fault 'compute keeps others' '/Main loop/,$s/column >= 0/column > 0/' '[a-z]*'
  fault 'a step less where it is passed by' '0,/row += ld;/s/row += ld;//' '[a-z]*'
  fault 'a step more' '/Main loop/,$s/row += ld;/& &/' '[a-z]*'
  fault 'the column of the next one' 's/const int column = kept\[k\];/const int column = kept[k + 1];/' '[a-z]*'
  fault 'always one more' 's/more = false;/more = true;/' '[a-z]*'
  fault 'not asked for' 's/if (more) {/if (true) {/' '[a-z]*'
done
right "$box/branch.cu" 7:5 --variant=ldg-single
fault 'another column is fetched' 's/_next = row\[column\]/_next = row[column + 1]/' unknown
fault 'the search goes on once more' '/while (true)/,/if (!more)/s/more = false;/& ++k;/' '[a-z]*'
fault 'nothing found' 's/if (!more)/if (more)/' '[a-z]*'

# ... behind a barrier, by what another thread has set ahead of the loop.
cat >"$box/meets.cu" <<'kernel'
__global__ void meets(const float *A, const float *least, float *C, int n)
{
    __shared__ float s[64], bound[64];
    bound[threadIdx.x] = least[threadIdx.x ^ 1];
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        __syncthreads();
        const float most = bound[(k * 7 + 3) % 64];
        if (most < 0.5f)
            continue;
        s[threadIdx.x] = A[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i ^ threadIdx.x) & 7);
    }
    C[threadIdx.x] = sum;
}
kernel

# What a turn makes of what the one before has left, functions of several ways out, parts of
# vectors that are set anew, and what a continue passes by.
cat >"$box/turns.cu" <<'kernel'
__device__ int picked(const int *from, int i)
{
    if (i & 8)
        return from[i];
    int v = from[i];
    v |= from[i + 64] << 8;
    return v;
}

__global__ void turns(const int *A, float *C, int n)
{
    __shared__ float s[256];
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        int word = picked(A + k * 128, threadIdx.x), other = 1;
        if (threadIdx.x & 1)
            word = ~word;
        for (int i = 0; i < 4; ++i) {
            s[threadIdx.x * 4 + i] = (float)(word % other);
            word /= 16;
            other += word;
        }
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (i ^ threadIdx.x);
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
for form in ldg ldg-single 'cp.async --stages=2'; do
  right "$box/meets.cu" 6:5 --variant=$form
  fault 'asks ahead of the barrier' '0,/^ *__syncthreads();/{/^ *__syncthreads();/d}' wrong
  fault 'asks for another bound' '0,/k \* 7 + 3/s/k \* 7 + 3/k * 7 + 4/' '[a-z]*'
  fault 'passes by none' '0,/most < 0.5f/s/most < 0.5f/most < 0.4f/' '[a-z]*'
done

# A loop that ends by what one thread has set, and by a number, behind a barrier.
cat >"$box/limit.cu" <<'kernel'
__global__ void limit(const float *A, const int *ends, float *C, int n, int most)
{
    __shared__ float s[64];
    __shared__ int end;
    float sum = 0.f;
    if (threadIdx.x == 0)
        end = ends[blockIdx.x];
    for (int k = 0; k < n; k += 64) {
        __syncthreads();
        if (k >= end || k > most)
            break;
        s[threadIdx.x] = A[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i ^ threadIdx.x) & 7);
    }
    C[threadIdx.x] = sum;
}
kernel
for form in ldg ldg-single 'cp.async --stages=2'; do
  right "$box/limit.cu" 8:5 --variant=$form
  fault 'asks ahead of the barrier' '0,/^ *__syncthreads();/{/^ *__syncthreads();/d}' wrong
  fault 'one end is not asked for' '0,/ || k > most/s/ || k > most//' '[a-z]*'
  fault 'the other one is not' '0,/k >= end || /s/k >= end || //' '[a-z]*'
  fault 'a tile more' '0,/k >= end/s/>= end/> end/' '[a-z]*'
done

# An object that names a tile, made anew for each stage.
cat >"$box/object.cu" <<'kernel'
class reader {
  public:
    __device__ reader(float (&to)[64], const float *from, int n) : to_(to), from_(from), n_(n) { }
    __device__ void load(int at) { to_[threadIdx.x] = at + (int)threadIdx.x < n_ ? from_[at + threadIdx.x] : 0.f; }
    __device__ float sum() const
    {
        float made = 0.f;
        for (int i = 0; i < 64; ++i)
            made += to_[i] * (float)((i ^ threadIdx.x) & 7);
        return made;
    }

  private:
    float (&to_)[64];
    const float *from_;
    int n_;
};
__global__ void object(const float *A, float *C, int n)
{
    __shared__ float s[64];
    reader made(s, A, n);
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        made.load(k);
        __syncthreads();
        sum += made.sum();
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
for form in ldg 'cp.async --stages=2'; do
  right "$box/object.cu" 23:5 --variant=$form
  fault 'compute by another pointer' '/Main loop/,$s/reader made(s, A, n)/reader made(s, A, n + 1)/' '[a-z]*'
  fault 'loads by another pointer' '0,/reader made(s\(_stage[^,]*\)*, A, n)/s/, A, n)/, A + 1, n)/' '[a-z]*'
  fault 'of the other stage' '/Main loop/,$s/auto &s = s_stage\[stage\]/auto \&s = s_stage[stage ^ 1]/' '[a-z]*'
done

right "$box/turns.cu" 14:5 --variant=ldg
fault 'another operand first' 's/s_next\[i\] = (float)(word % other)/s_next[i] = (float)(other % word)/' unknown
fault 'another step' '/Main loop/,$s/word \/= 16/word \/= 32/' unknown
fault 'a step of another kind' '/Main loop/,$s/other += word/other += i/' unknown
fault 'steps change places' '/Main loop/,${/word \/= 16/{h;d};/other += word/G}' unknown
fault 'another beginning' '/Main loop/,$s/other = 1/other = 2/' '[a-z]*'
fault 'a step in some turns' '/Main loop/,$s/word \/= 16/if (i != 1) &/' unknown
fault 'a step by some threads' '/Main loop/,$s/other += word/if (threadIdx.x < 8) &/' unknown
fault 'the other operator' '/Main loop/,$s/word = ~word/word = -word/' '[a-z]*'
fault 'another way out' 's/if (i & 8)/if (i \& 16)/' unknown
fault 'a function adds another word' 's/from\[i + 64\] << 8/from[i + 64] << 9/' unknown
fault 'a function leaves a part out' '/v |= from/d' unknown
cat >"$box/pieces.cu" <<'kernel'
#define LIMIT 200
__global__ void pieces(const float4 *A, float *C, int n)
{
    __shared__ float4 s[256];
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        float4 v = A[k * 64 + threadIdx.x];
        if (threadIdx.x & 2)
            v.y = 1.f;
        s[threadIdx.x] = v;
        for (int i = threadIdx.x + 64; i < 256; i += 64) {
            if (i > LIMIT)
                continue;
            s[i] = A[k * 64 + i];
        }
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i].x * (i ^ threadIdx.x) + s[i + 64].y;
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel

# A tile that is read behind the loop: it is the last one's, by whichever name.
cat >"$box/behind.cu" <<'kernel'
__global__ void behind(const float *A, float *C, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = A[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (float)((i ^ threadIdx.x) & 7);
        __syncthreads();
    }
    if (n > 0)
        sum += s[63 - threadIdx.x];
    C[threadIdx.x] = sum;
}
kernel
right "$box/behind.cu" 5:5 --variant=ldg
fault 'of the first stage' 's/sum += s_stage\[stage\]\[63/sum += s_stage[0][63/' '[a-z]*'
fault 'by an address from ahead' 's/^    float sum = 0.f;/    float *last = s_stage[0];\n&/; s/sum += s_stage\[stage\]\[63 - threadIdx.x\]/sum += last[63 - threadIdx.x]/' '[a-z]*'
fault 'by a name from ahead' 's/^    float sum = 0.f;/    auto \&last = s_stage[0];\n&/; s/sum += s_stage\[stage\]\[63 - threadIdx.x\]/sum += last[63 - threadIdx.x]/' '[a-z]*'

# Addresses in shared memory that are numbers.
cat >"$box/number.cu" <<'kernel'
__global__ void number(const float *A, float *C, int n)
{
    __shared__ float s[64];
    const unsigned base = (unsigned)__cvta_generic_to_shared(s);
    const unsigned at = base + 4 * (63 - threadIdx.x);
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        s[threadIdx.x] = A[k + threadIdx.x];
        __syncthreads();
        float value;
        asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(at));
        sum = sum * 0.5f + value;
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
for form in ldg 'cp.async --stages=2'; do
  right "$box/number.cu" 7:5 --variant=$form
  fault 'of the other stage' 's/auto &s = s_stage\[stage\];/auto \&s = s_stage[stage ^ 1];/' '[a-z]*'
  fault 'of another cell' 's/base + 4 \* (63/base + 4 * (62/' '[a-z]*'
  fault 'a number further on' 's/(unsigned)__cvta_generic_to_shared(s)/4 + &/' '[a-z]*'
done
right "$box/pieces.cu" 6:5 --variant=ldg
fault 'another part' '/Main loop/,$s/v.y = 1.f/v.z = 1.f/' '[a-z]*'
fault 'another value' '/Main loop/,$s/v.y = 1.f/v.y = 2.f/' '[a-z]*'
fault 'a part set by others' '/Main loop/,$s/threadIdx.x & 2/threadIdx.x \& 4/' '[a-z]*'
fault 'a part set once more' '/Main loop/,$s/s_stage\[stage\]\[threadIdx.x\] = v/v.y = 1.f; &/' '[a-z]*'
fault 'all set behind the part' '/Main loop/,$s/s_stage\[stage\]\[threadIdx.x\] = v/v = A[k * 64 + threadIdx.x]; &/' '[a-z]*'
fault 'more is passed by' '/stage ^= 1/,$s/i > LIMIT/i > LIMIT - 1/' unknown
fault 'less is passed by' '/stage ^= 1/,$s/i > LIMIT/i > LIMIT + 1/' unknown
fault 'nothing is passed by' '/stage ^= 1/,$s/continue;/;/' unknown
fault 'less is fetched' '/Main loop/,/stage ^= 1/s/i > LIMIT/i > LIMIT - 64/' unknown
right conv-rows-by-walking-helper 34:5 --variant=ldg
fault 'a pointer steps further' 's/dst += COLS/dst += COLS + 1/' unknown
fault 'a pointer steps by less' '/_fetch/,/^}/s/src += pitch/src += 1/' unknown
fault 'rows change places' 's/\*dst = next.dst_next\[i\]/*dst = next.dst_next[N - 1 - i]/' unknown
fault 'a row fewer' '/_store/,/^}/s/i < N/i < N - 1/' unknown

# Threads that load, and others that compute.
right roles-sgemm-ragged 26:5 --variant=pipeline-partitioned --stages=3
fault 'the layers change places' 's/threadIdx.z == 1/threadIdx.z == 0/' '[a-z]*'
fault 'any number of layers' '/if (blockDim.z != 2/{N;d}' '[a-z]*'
fault 'three layers' 's/blockDim.z != 2/blockDim.z != 3/' '[a-z]*'
fault 'warps of both layers' 's/ || blockDim.x \* blockDim.y % 32//' '[a-z]*'
fault 'loaders that compute' '/^        return;/d' '[a-z]*'
fault 'fewer loaders' 's/&pipe_state, blockDim.x \* blockDim.y/\&pipe_state, blockDim.x/' '[a-z]*'
fault 'no acquire' '/producer_acquire/d' '[a-z]*'
fault 'no commit' '/producer_commit/d' '[a-z]*'
fault 'no wait' '/consumer_wait/d' '[a-z]*'
fault 'no release' '/consumer_release/d' '[a-z]*'
fault 'a release ahead of compute' '/consumer_release/d; s/pipe.consumer_wait();/& pipe.consumer_release();/' '[a-z]*'
fault 'a commit ahead of the copies' '/producer_commit/d; s/pipe.producer_acquire();/& pipe.producer_commit();/' '[a-z]*'
fault 'loads one more' 's/while (k0 < k)/while (k0 <= k)/' '[a-z]*'
fault 'loads two at a time' 's/k0 += TILE;$/k0 += 2 * TILE;/' '[a-z]*'
fault 'the stages in another order' '/while (k0 < k)/,/return/s/load_stage == stages - 1 ? 0 : load_stage + 1/load_stage == 0 ? stages - 1 : load_stage - 1/' '[a-z]*'
fault 'one stage' '/Main loop/,$s/as_stage\[stage\]/as_stage[0]/' '[a-z]*'
fault 'a barrier for all in the loop' 's/pipe.consumer_release();/__syncthreads(); &/' '[a-z]*'
fault 'loads of the other layer' 's/\[ty\]\[tx\], &a\[row/[ty][tx ^ threadIdx.z], \&a[row/' '[a-z]*'
fault 'no copies by some' 's/k0 + tx < k)/k0 + tx < k \&\& threadIdx.x < 8)/' '[a-z]*'
right roles-scan-of-tiles 27:5 --variant=pipeline-partitioned --stages=3
fault 'one barrier less' '0,/barrier.sync 1/{/barrier.sync 1/d}' '[a-z]*'
fault 'of fewer threads' 's/"r"(blockDim.x \* blockDim.y)/"r"(blockDim.x)/' '[a-z]*'
fault 'of all threads' 's/barrier.sync 1/barrier.sync 0/' '[a-z]*'
fault 'that the compiler may move over' 's/ : "memory")/)/' '[a-z]*'
right roles-gather-by-table 24:5 --variant=pipeline-partitioned --stages=2
fault 'a table of both layers' 's/if (threadIdx.z == 0)/if (threadIdx.z == 1)/' '[a-z]*'
# Members of the object whose method has the loop, of objects that are lists of theirs, and bytes
# that are copied by name.
cat >"$box/members.cu" <<'kernel'
struct Rows {
    const float *from;
    int ld, n;

    __device__ void sums(float *C, int rows) const
    {
        __shared__ float s[64];
        float sum = 0.f;
        for (int k = 0; k < rows; ++k) {
            s[threadIdx.x] = (int)threadIdx.x < n ? from[k * ld + threadIdx.x] : 0.f;
            __syncthreads();
            for (int i = 0; i < 64; ++i)
                sum += s[i] * (i ^ threadIdx.x);
            __syncthreads();
        }
        C[threadIdx.x] = sum;
    }
};

__global__ void members(const float *A, float *C, int ld, int n, int rows)
{
    const Rows all{A, ld, n};
    all.sums(C, rows);
}
kernel
right "$box/members.cu" 9:9 --variant=ldg
fault 'another member is the distance' '/Main loop/,$s/k \* ld/k * n/' unknown
fault 'another member is the limit' '/Main loop/,$s/threadIdx.x < n/threadIdx.x < ld/' unknown
fault 'not where it leads' '/Main loop/,$s/? from\[/? from[1 + /' unknown
fault 'members change places' 's/^    int ld, n;/    int n, ld;/' '[a-z]*'
cat >"$box/places.cu" <<'kernel'
struct Place {
    float *cell;
    const float *from;
};

__device__ void put(float &to, const float &value) { to = value; }

__device__ int clamped(const int &i, int n)
{
    int at = i;
    if (at > n * 64 - 3)
        at = n * 64 - 3;
    return at;
}

__global__ void places(const float *A, const float4 *B, float *C, int n)
{
    __shared__ float s[64];
    __shared__ float4 q[64];
    float sum = 0.f;
    const Place place = {s + threadIdx.x, A + threadIdx.x};
    for (int k = 0; k < n; ++k) {
        put(*place.cell, place.from[clamped(k * 64, n)]);
        __builtin_memcpy(&q[threadIdx.x], B + k * 64 + threadIdx.x, 16);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (i ^ threadIdx.x) + q[i].x;
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/places.cu" 22:5 --variant=ldg
fault 'a list of another place' '/stage ^= 1/,$s/{s + threadIdx.x, A/{s + 63 - threadIdx.x, A/' unknown
fault 'a list that is changed' '/stage ^= 1/,$s/const Place place = {s/Place place = {s/; /stage ^= 1/,$s/put(\*place/place.cell = s; &/' '[a-z]*'
fault 'a step by what is named' '/stage ^= 1/,$s/put(\*place.cell/put(place.cell[1]/' unknown
fault 'half as many bytes' '/stage ^= 1/,$s/&q_next, 16/\&q_next, 8/' unknown
fault 'bytes of half the register' '/Main loop/,/compute_tile();/s/threadIdx.x, 16)/threadIdx.x, 8)/' unknown
fault 'bytes from elsewhere' '/Main loop/,/compute_tile();/s/B + k \* 64/B + k * 32/' unknown
fault 'bytes that go elsewhere' '/stage ^= 1/,$s/&q_stage\[stage\]\[threadIdx.x\], &q/\&q_stage[stage][0], \&q/' unknown
fault 'a function of another limit' 's/at = n \* 64 - 3/at = n * 64 - 4/' unknown
fault 'a function that is asked for more' '/Main loop/,/compute_tile();/s/clamped(k \* 64/clamped(k * 64 + 1/' unknown
right lambda-locals 30:5 --variant=ldg
fault 'a lambda of another limit' 's/return at < n/return at < n - 1/' '[a-z]*'
fault 'a lambda of another line' 's/= coeffs + row \* n/= coeffs + row * n + 1/' '[a-z]*'
right gemm-helper-macros-lambdas 43:5 --variant=ldg
fault 'a lambda of copies has another limit' 's/c < cols ? mean/c < cols - 1 ? mean/' '[a-z]*'

# Addresses of a tile that are no accesses.
right address-set-in-each-tile 28:5 --variant=ldg
fault 'a distance to another stage' 's/best - s_stage\[stage\]/best - s_stage[stage ^ 1]/' wrong
fault 'a distance to no stage' 's/best - s_stage\[stage\]/best - s_stage[t]/' unknown

# What is fetched of a load that makes something of it.
right one-variable-for-both 41:5,82:5,113:2,143:9,170:2 --variant=ldg
fault 'a fetch of one more to be scaled' '/s_next\[2\]/,/}/s/i_load < 20/i_load <= 20/' unknown
fault 'a fetch of any to be scaled' '/s_next\[2\]/,/}/s/slot < 2 \&\&/slot < 2 ||/' unknown

# Numbers and functions of one template are not those of another.
right main-loop-with-its-sizes 60:5,85:5 --variant=ldg
fault 'a step of another class' 's/k0 += BlockProduct<8, 16, 32>::kDepth;/k0 += BlockProduct<8, 16, 64>::kDepth;/' '[a-z]*'
fault 'steps of another class' 's/k0 += BlockProduct<8, 16, 32>::kDepth)/k0 += BlockProduct<8, 16, 16>::kDepth)/' '[a-z]*'
cat >"$box/kinds.cu" <<'kernel'
template <int N> __device__ float lifted(float x) { return x + N; }
template <int N> __device__ float folded(float x)
{
    while (x > N)
        x -= N;
    return x;
}
__device__ float weight(int x) { return x < 0 ? 0.f : 2.f * x; }
__device__ float weight(unsigned x) { return 3.f * x; }

__global__ void __launch_bounds__(64) kinds(const int *A, const unsigned char *B, const float *F,
                                            float *C, int n, int m)
{
    __shared__ float s[64], t[64], u[64], v[64];
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        s[threadIdx.x] = (float)A[k * 64 + threadIdx.x] + weight(A[k]);
        t[threadIdx.x] = lifted<4>(F[k * 64 + threadIdx.x]) + (m / 3) + (m >> 1);
        u[threadIdx.x] = folded<4>(F[k * 64 + threadIdx.x]);
        v[threadIdx.x] = (float)B[k * 64 + threadIdx.x] * 0.5f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (i ^ threadIdx.x) + t[i] * u[63 - i] + v[i];
        __syncthreads();
    }
    C[threadIdx.x] = sum;
}
kernel
right "$box/kinds.cu" 16:5 --variant=ldg
fault 'a register without a sign' 's/int s_next = A/unsigned s_next = A/' unknown
fault 'a register read as another kind' 's/int s_next = A/float s_next = ((const float *)A)/' unknown
fault 'a conversion without a sign' 's/(float)s_next/(float)(unsigned)s_next/' unknown
fault 'a first tile without a sign' 's/\(s_stage\[0\].* = (float)\)A\[/\1((const unsigned *)A)[/' unknown
fault 'bytes with a sign' 's/\(v_stage\[0\].* = (float)\)B\[/\1((const signed char *)B)[/' unknown
fault 'a function of another kind' 's/int s_next2 = A/unsigned s_next2 = A/' unknown
fault 'a quotient without a sign' 's/\(t_next.*\)m \/ 3/\1(unsigned)m \/ 3/' unknown
fault 'a shift without a sign' 's/\(t_next.*\)m >> 1/\1(unsigned)m >> 1/' unknown
fault 'another of a template' 's/lifted<4>(t_next/lifted<5>(t_next/' unknown
fault '... for the first tile' 's/lifted<4>(F/lifted<5>(F/' unknown
fault 'another of a template with a loop' 's/folded<4>(u_next/folded<5>(u_next/' unknown
fault '... that the first tile asks for' 's/folded<4>(F/folded<5>(F/' unknown

# Pipelines of roles have stages, and copies no more alignment than bytes.
right roles-sgemm-by-float4 22:5 --variant=pipeline-partitioned --stages=2
fault 'a pipeline of no stages' 's/thread_scope_block, [0-9]*>/thread_scope_block, 0>/' unknown
fault 'the alignment of a tile' 's/aligned_size_t<sizeof(float4)>/aligned_size_t<sizeof(as_stage)>/' unknown

# A barrier of the source that another build leaves out keeps nothing apart.
right barrier-ahead-in-some-builds 25:5,58:5 --variant=cp.async --stages=2
fault 'no barrier where some builds have none' '/if (d_load < days) {/{n;s/__syncthreads();//}' wrong

# What a lambda of the text has of its own, and what it hands on.
cat >"$box/clamped.cu" <<'kernel'
__global__ void __launch_bounds__(64)
clamped_rows(const float *A, const float *B, float *C, int n, int m, int pitch)
{
    __shared__ float s[64], t[64];
    const int row = blockIdx.x * pitch;
    int last = n - 1;
    if (m < n)
        last = m - 1;
    auto fill = [&](float *tile, const float *from, int first) {
        int at = first + threadIdx.x;
        if (at > last)
            at = last;
        const bool is = at < m;
        tile[threadIdx.x] = is ? from[row + at] : 1.f;
    };
    float sum = 0.f;
    for (int k = 0; k < n; k += 64) {
        fill(s, A, k);
        fill(t, B, k);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * t[63 - (i ^ threadIdx.x)];
        __syncthreads();
    }
    C[blockIdx.x * 64 + threadIdx.x] = sum;
}
kernel
right "$box/clamped.cu" 17:5 --variant=ldg
in='/fill_fetch = /,/};/s'
fault 'a variable of a lambda that is set otherwise' "$in/at = last/at = last - 1/" unknown
fault '... under another condition' "$in/at > last/at > n/" unknown
fault 'a truth of a lambda of another row' "$in/at < m/at < n/" unknown
fault 'a register of another kind' "$in/float tile_next/int tile_next/" unknown
fault 'what a lambda gives back by another way' "$in/return tile_next;/if (at > 5) tile_next = 0.f; &/" unknown
fault 'a copy of a name of another value' '/fill_fetch = /s/\[&\]/[\&, last = 3]/' unknown
fault 'the record of another tile' 's/s_stage\[stage\], s_next/s_stage[stage], t_next/' unknown
fault 'a record handed to another tile' 's/fill_store(s_stage\[stage\]/fill_store(t_stage[stage]/' wrong
fault 'a tile that is handed from its second cell on' 's/fill_store(s_stage\[stage\]/& + 1/' unknown
fault 'something made of a register' '/fill_store = /,/};/s/= tile_next/= -tile_next/' unknown
right "$box/clamped.cu" 17:5 --variant=cp.async --stages=3
in='/fill_async = /,/};/s'
fault 'a copy to another cell of what is handed' "$in/&tile\[threadIdx.x\]/\&tile[threadIdx.x ^ 1]/" unknown
fault 'a copy from another row' "$in/&from\[row + at\]/\&from[row + first]/" unknown
fault 'a copy to a tile that is not handed' "$in/&tile\[threadIdx.x\]/\&s_stage[0][threadIdx.x]/" '[a-z]*'
fault 'another stage that is handed' 's/fill_async(s_stage\[load_stage\]/fill_async(s_stage[0]/' wrong

# Where each thread reads elsewhere, who fills a cell says what is in it.
cat >"$box/own.cu" <<'kernel'
#include <cuda_fp16.h>
__global__ void __launch_bounds__(64)
shifted_lines(const float *A, const __half *B, float *C, int n, int most)
{
    __shared__ float s[128], t[128];
    const int tx = threadIdx.x;
    int off = 0, far = most;
    while (off < most && A[off] < tx)
        off += 8;
    while (far > 0 && A[far] < tx)
        --far;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = tx; i < 128; i += 64)
            s[i] = A[k * 128 + off + i];
        for (int i = tx; i < 128; i += 64)
            t[i] = __half2float(B[k * 128 + far + i]);
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += s[i] * t[127 - (i ^ tx)];
        __syncthreads();
    }
    C[blockIdx.x * 64 + tx] = sum;
}
kernel
others='(int)(blockDim.x - 1 - tx)'
right "$box/own.cu" 13:5 --variant=cp.async --stages=2
fault 'a first copy by other threads' "0,/int i = tx;/s//int i = $others;/" unknown
right "$box/own.cu" 13:5 --variant=ldg-single
fault 'what other threads fetch first' "0,/int i = tx;/s//int i = $others;/" unknown
fault 'what other threads convert first' "/= __half2float(B/s/i\]/i - tx + $others]/g" unknown

# Turns that are counted from where another loop begins, and where one ahead has ended.
right residues-to-the-stop 24:5 --variant=ldg
fault 'a turn that nobody makes' '/not been fetched ahead/{n;s/threadIdx.x + blockDim.x/threadIdx.x + 2 * blockDim.x/}' unknown
fault 'every other turn' '/not been fetched ahead/{n;s/i += blockDim.x/i += 2 * blockDim.x/}' unknown
fault 'one turn more' '/not been fetched ahead/{n;s/i < m/i <= m/}' unknown
fault 'no turn at once' 's/slot < 1/slot < 0/' '[a-z]*'
fault 'turns of another limit' '/residue_t seq_next/,/#pragma/s/m = 32/m = 31/' unknown
line=1
right start-subtracted 21:5,50:5 --variant=ldg-single
fault 'what is left begins later' 's/for (; i < t1; i += blockDim.x)/i += blockDim.x; &/' unknown
fault 'more at once than was fetched' '/__syncthreads/,$s/slot < 1 \&\& i < t1; i/slot < 2 \&\& i < t1; i/' unknown
fault 'what is left goes further' 's/for (; i < t1; i/for (; i <= t1; i/' unknown
line='$'
right byte-rows-nested-copy 34:5 --variant=ldg
fault 'rows that nobody copies' 's/r = ty + 4 \* blockDim.y/r = ty + 5 * blockDim.y/' unknown
fault 'columns that nobody copies' 's/q = tx + 2 \* blockDim.x/q = tx + 3 * blockDim.x/' unknown
fault 'rows of another axis' 's/r = ty + slot \* blockDim.y/r = ty + slot * blockDim.x/' unknown
fault 'rows that are too long' '/uint8_t here_next/,/compute_tile();/s/width + left + q\]/width + left + q + 1]/' unknown
cat >"$box/rounds.cu" <<'kernel'
__global__ void __launch_bounds__(64) rounds(const float *__restrict__ x, float *__restrict__ out,
                                             int n, int m)
{
    __shared__ float s[512], t[64];
    int down = 160 / 5;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        int i = threadIdx.x;
        while (i < m) {
            s[i] = x[k * m + i];
            i = i + blockDim.x;
        }
        for (int from = 0; from < 64; from += down)
            if ((int)threadIdx.x < down)
                t[from + threadIdx.x] = x[k * m + from + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (j ^ threadIdx.x) + t[63 - j];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
kernel
right "$box/rounds.cu" 7:5 --variant=ldg
fault 'a step of two' '/stage ^= 1/,$s/i = i + blockDim.x/i = i + 2 * blockDim.x/' unknown
fault 'a step back' '/stage ^= 1/,$s/i = i + blockDim.x/i = i - blockDim.x/' unknown
fault 'a step of something else' '/stage ^= 1/,$s/i = i + blockDim.x/i = m + blockDim.x/' unknown
fault 'a step of a fraction' '/stage ^= 1/,$s/i = i + blockDim.x/i = i + 1.f * blockDim.x/' unknown

# Numbers that wrap around, and numbers of times of a name.
line=1
right bound-after-wrap 21:5,50:5 --variant=ldg
fault 'one less than wraps around' '/Main loop/,/compute_tile();/s/i < live/i < live - 1/' unknown
right strides-never-changed 22:5,49:5 --variant=ldg
fault 'a register of another row' '/stage ^= 1/,$s/part_next\[from \/ down\];/part_next[(from + r) \/ down];/' unknown
fault 'registers one apart' 's/part_next\[from \/ down\];/part_next[from \/ (down + 1)];/' unknown
line='$'

# What another of the source's loads reads may be read, and what this one reads of cells that
# are stored anew.
right cells-by-reference 38:5 --variant=ldg
fault 'words that no load reads' '/fill_row_fetch/,/return next/s/from\[t\]/from[t + 64]/' unknown
right fields-filled-by-calls 34:5,52:5 --variant=ldg
fault 'words behind those' '/fill_front_of_a_fetch/,/return next/s/a_next\[2\]/a_next[3]/; /fill_front_of_a_fetch/,/return next/s/slot < 2/slot < 3/; /fill_front_of_a_fetch/,/return next/s/i < 128/i < 192/' unknown
fault 'the later words first' 's/fill_front_of_a_store(\(.*\), rows_next2)/fill_front_of_a_store(\1, rows_next)/' unknown
line=1
right rows-from-the-last 29:5,61:5 --variant=ldg
fault 'a fetch of one row more' '/fill_rows_fetch/,/return next/s/slot < 8 \&\& q-- > 0/slot < 9 \&\& q-- > -1/' unknown
fault 'rows of another order' '/fill_rows_store/,/^}/s/to\[q\]/to[7 - q]/' unknown
line='$'

# A register that gets what another variable of the load was given.
right names-behind-a-guarded-load 18:5,47:5 --variant=ldg
fault 'a register that gets something else' 's/v_next = v;/v_next = -v;/' unknown
fault 'a register that some threads set' 's/v_next = v;/if (t < 8) v_next = v;/' unknown

# Where a loop ends another one goes on, and of several turns' stores the last one counts.
cat >"$box/runs.cu" <<'kernel'
__global__ void __launch_bounds__(64)
two_runs(const float *x, float *y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        int i = t;
        for (; i < 200; i += 64)
            s[i] = x[k * 512 + i];
        for (; i < 500; i += 128)
            s[i] = x[k * 512 + i];
        __syncthreads();
        for (int j = 0; j < 512; ++j)
            sum += s[j] * (float)(j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
kernel
right "$box/runs.cu" 7:5 --variant=ldg
right "$box/runs.cu" 7:5 --variant=cp.async --stages=2
fault 'shorter steps behind another loop' 's/i += 128/i += 64/' unknown
fault 'a loop that ends later, and another goes on' 's/i < 200/i < 264/' unknown
cat >"$box/last.cu" <<'kernel'
__global__ void __launch_bounds__(64)
last_of(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        {
            float v = 0.f;
            for (int i = 0; i < 4; ++i)
                v = x[k * 256 + t * 4 + i];
            s[t] = v;
        }
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)(j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
kernel
"$program" -q --cuda-path= --variant=ldg "$box/last.cu" -o "$box/right.cu"
kernel=$box/last.cu place=7:5
once 'a variable that turns set the other way round' 's/t \* 4 + i\]/t * 4 + 3 - i]/'
cat >"$box/over.cu" <<'kernel'
__global__ void __launch_bounds__(64)
over(const float *x, float *y, int n)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 4; ++i)
            s[t] = x[k * 256 + t * 4 + i];
        s[64 + t] = x[k + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)(j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
kernel
right "$box/over.cu" 7:5 --variant=ldg
fault 'a cell that turns fill the other way round' 's/s_stage\[stage\]\[t\] = s_next\[i\]/s_stage[stage][t] = s_next[3 - i]/' unknown
fault 'what turns fetch the other way round' 's/= x\[k \* 256 + t \* 4 + i\]/= x[k * 256 + t * 4 + 3 - i]/' unknown
cat >"$box/twice.cu" <<'kernel'
__global__ void __launch_bounds__(64)
over(const float *x, float *y, int n)
{
    __shared__ float s[256];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 4; ++i)
            s[t * 4 + i] = x[k * 256 + t * 4 + i];
        for (int i = 0; i < 2; ++i)
            s[t * 4 + 2 * i] = x[k * 256 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)(j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
kernel
right "$box/twice.cu" 7:5 --variant=ldg
fault 'two stores to a cell, swapped' '/stage ^= 1/,/__syncthreads/{/int i = 0; i < 4/s//int i = 0; i < 2/;t;/int i = 0; i < 2/s//int i = 0; i < 4/;t;s/t \* 4 + i\] = s_next\[i\]/t * 4 + 2 * i] = s_next2[i]/;t;s/t \* 4 + 2 \* i\] = s_next2\[i\]/t * 4 + i] = s_next[i]/}' unknown
cat >"$box/fused.cu" <<'kernel'
__global__ void __launch_bounds__(64)
fused(const float *x, const float *w, float *y, int n)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 4; ++i) {
            s[t * 8 + i] = x[k * 256 + t * 4 + i];
            s[t * 8 + i + 1] = w[k * 256 + t * 4 + i];
        }
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j * 8 + (t & 3)] * (float)(j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
kernel
right "$box/fused.cu" 7:5 --variant=ldg
fault 'two loops for one' 's/s_stage\[stage\]\[t \* 8 + i + 1\] =/} for (int i = 0; i < 4; ++i) { &/' unknown
fault '... for the first tile' 's/s_stage\[0\]\[t \* 8 + i + 1\] =/} for (int i = 0; i < 4; ++i) { &/' unknown
cat >"$box/halves.cu" <<'kernel'
__global__ void __launch_bounds__(64)
halves(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        {
            float a[2];
            for (int i = 0; i < 4; ++i)
                a[i % 2] = x[k * 256 + t * 4 + i];
            s[t] = a[0];
        }
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)(j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
kernel
"$program" -q --cuda-path= --variant=ldg "$box/halves.cu" -o "$box/right.cu"
kernel=$box/halves.cu place=7:5
once 'elements that turns set twice, the other way round' 's/a\[i % 2\] = x\[\(.*\) + i\]/a[(3 - i) % 2] = x[\1 + 3 - i]/'
cat >"$box/either.cu" <<'kernel'
__global__ void __launch_bounds__(64)
either(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        {
            float v = 0.f;
            for (int i = 0; i < 2; ++i) {
                if (i == 0)
                    v = x[k + t];
                else
                    v = x[k + t + 7];
            }
            s[t] = v;
        }
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (float)(j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
kernel
"$program" -q --cuda-path= --variant=ldg "$box/either.cu" -o "$box/right.cu"
kernel=$box/either.cu place=7:5
once 'what other turns set, the other way round' '/Main loop/,$s/i == 0/i == 1/'
once '... for the first tile' '1,/Main loop/s/i == 0/i == 1/'
cat >"$box/falls.cu" <<'kernel'
__global__ void __launch_bounds__(64)
falls(const float *x, float *y, int n, int m)
{
    __shared__ float s[512];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = t; i < 512 && 400 - i < m; i += 64)
            s[i] = x[k * 512 + i];
        __syncthreads();
        for (int j = 0; j < 512; ++j)
            sum += s[j] * (float)(j ^ t);
        __syncthreads();
    }
    y[t] = sum;
}
kernel
right "$box/falls.cu" 7:5 --variant=ldg
fault 'turns behind one that ends the loop' 's/slot < 8 \&\& (i < 512 \&\& 400 - i < m);/slot < 8 \&\& i < 512;/; s/s_next\[slot\] = x/if (400 - i < m) &/; s/s_stage\[stage\]\[i\] =/if (400 - i < m) &/' unknown

# A variable from ahead of the loop that lambdas set for each tile.
right kirchhoff-migration 32:2 --variant=cp.async --stages=2
in='/copy_tile = /,/};/s'
fault 'a variable of the load before' "$in/from = threadIdx.x < ntile_load ? itr_load + threadIdx.x : ntr - 1;//" unknown
fault 'a variable that some threads set' "$in/from = threadIdx.x < /if (threadIdx.x > 3) &/" unknown
fault 'a variable that a step sets' "$in/from = threadIdx.x < .*;/from += 1;/" unknown
fault 'a variable by its address' "$in/__pipeline_memcpy_async(&srx/*(\&from) = 0; &/" unknown
fault 'a variable that another lambda sets' "s/auto copy_tile = /auto set = [\&]() { from = 0; };\n&/;$in/__pipeline_memcpy_async(&srx/set(); &/" unknown
right syrk-counters-shared 50:5 --variant=ldg
fault 'a counter that compute has left' '/compute_tile();$/,/__syncthreads/s/for (n = 0; n < BLK_K; n += DIM_YA)/for (; n < BLK_K; n += DIM_YA)/' unknown
fault 'a counter that the load has left' '/compute_tile = /,/};/s/for (m = 0; m < THR_M; m++)/for (; m < THR_M; m++)/' unknown
# Parts of an object that a load moves on for the next tile.
line=1
right loads-that-step 54:5,98:5,130:5 --variant=ldg
fault 'a fetch that moves nothing on' '/auto load_fetch/,/return tile_next/s/move_on();//' wrong
fault 'a fetch that moves on twice' '/auto load_fetch/,/return tile_next/s/move_on();/move_on(); move_on();/' unknown
fault 'a fetch of what is next' '/auto load_fetch/,/return tile_next/{s/T tile_next = rows_/move_on(); &/; s/^ *move_on();$//}' unknown
fault 'another number is moved on' '/auto load_fetch/,/return tile_next/s/move_on();/at_ += step_rows_ * ld_ + step_cols_; rows_ -= step_cols_; cols_ -= step_cols_;/' unknown
fault 'a number less is moved on' '/auto load_fetch/,/return tile_next/s/move_on();/at_ += step_rows_ * ld_ + step_cols_; cols_ -= step_cols_;/' unknown
fault 'a store that moves on as well' '0,/= tile_next;/s//= tile_next; rows_ -= 1;/' '[a-z]*'
fault 'another loader is stored' 's/a.load_store(as_stage\[stage\], as_next)/a.load_store(as_stage[stage], bs_next)/' unknown
fault 'another loader fetches' 's/auto as_next = a.load_fetch/auto as_next = b.load_fetch/' '[a-z]*'
line=2
fault 'steps that do not change' '/wide = !wide/s/!wide/wide/' '[a-z]*'
fault 'steps of another size' '/auto load_fetch/,/return tile_next/s/wide ? 2 \* TILE : TILE/wide ? TILE : 2 * TILE/' unknown
fault 'a step that is one less' '/auto load_fetch/,/return tile_next/s/2 \* TILE : TILE/2 * TILE - 1 : TILE/' unknown
line='$'
right iterators-by-value 21:5,77:9 --variant=ldg
line=1
fault 'an iterator that is moved on by two' '/auto load_fetch/,/return next/s/++at/at += 2/' unknown
fault 'an iterator that is moved back' '/auto load_fetch/,/return next/s/++at/--at/' unknown
fault 'an iterator that stays' '/auto load_fetch/,/return next/s/++at;//' wrong
fault 'a row further' '/auto load_fetch/,/return next/s/rows\[at \* 32/rows[(at + 1) * 32/' unknown
line='$'
cat >"$box/walks.cu" <<'kernel'
struct Walk {
    const float *p;
    int at, by;
    __device__ void load(float *tile)
    {
        const Walk was = *this;
        at += by;
        by = by == 64 ? 128 : 64;
        tile[threadIdx.x] = was.p[was.at + threadIdx.x];
    }
};
__global__ void __launch_bounds__(64) walks(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    Walk w = {x, 0, 64};
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        w.load(s);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (j ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
kernel
right "$box/walks.cu" 17:5 --variant=ldg
fault 'a copy once it is moved on' '/auto load_fetch/,/return next/{s/const Walk was = \*this;//; s/float tile_next = /const Walk was = *this; &/}' unknown
fault '... in part' '/auto load_fetch/,/return next/{s/const Walk was = \*this;//; s/at += by;/& const Walk was = *this;/}' unknown
fault 'a reference to what is moved on' '/auto load_fetch/,/return next/s/const Walk was/const Walk \&was/' unknown
fault 'what it is now' '/auto load_fetch/,/return next/s/was.at/at/' unknown
fault 'a part that nobody moves on' '/auto load_fetch/,/return next/s/at += by;/& p += 1;/' unknown
fault 'a turn moves on' '/auto load_fetch/,/return next/s/at += by;/for (int i = 0; i < 2; ++i) &/' unknown
fault 'some threads move on' '/auto load_fetch/,/return next/s/at += by;/if (threadIdx.x < 63) &/' unknown
fault 'another condition' '/auto load_fetch/,/return next/s/by == 64/by <= 64/' unknown
# What an object begins with, or a function that is not read gives, is each thread's own.
cat >"$box/own.cu" <<'kernel'
struct Lane {
    int at = threadIdx.x % 8;
};
__device__ int turned(int bits)
{
    int sum = 0;
    for (int i = 0; i < bits; ++i) {
        if (sum > 64)
            break;
        sum += threadIdx.x >> i;
    }
    return sum;
}
__global__ void __launch_bounds__(64) lanes(const short *__restrict__ x, int *__restrict__ out, int n)
{
    __shared__ short s[512];
    Lane own{};
    const int off = 8 * own.at;
    int sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < 512; i += 64)
            s[i] = x[t * 512 + off + i];
        __syncthreads();
        sum += s[(threadIdx.x + 3) % 64] + s[511 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) turns(const short *__restrict__ x, int *__restrict__ out, int n, int bits)
{
    __shared__ short s[512];
    int sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < 512; i += 64)
            s[i] = x[t * 512 + turned(bits) + i];
        __syncthreads();
        sum += s[(threadIdx.x + 3) % 64] + s[511 - threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
kernel
right "$box/own.cu" 20:5,33:5 --variant=ldg
line=1
fault 'cells of other threads, by objects of their own' 's/threadIdx.x + slot/(int)blockDim.x - 1 - threadIdx.x + slot/' unknown
line=2
fault '... by what a function gives them' 's/threadIdx.x + slot/(int)blockDim.x - 1 - threadIdx.x + slot/' unknown
line='$'
# A place by the name of what was made to lead there, of something that has changed since.
right scratch-that-may-meet-tiles 19:5,51:5,79:5,106:5,135:5,162:5 --variant=ldg-single
line=5
fault 'a cell further than it leads' '/after_a_change(/,/^}/s/t\[threadIdx.x\] = t_next/t[threadIdx.x + 1] = t_next/' unknown
fault 'what it was made of, as it is now' '/after_a_change(/,/^}/s/t\[threadIdx.x\] = t_next/(sm + off)[threadIdx.x] = t_next/' unknown
fault '... as it was' '/after_a_change(/,/^}/s/t\[threadIdx.x\] = t_next/(sm + off - 16)[threadIdx.x] = t_next/' unknown
fault 'another one of that object' '/after_a_change(/,/^}/s/t\[threadIdx.x\] = t_next/s[threadIdx.x] = t_next/' unknown
fault 'one that is moved on' '/after_a_change(/,/^}/s/t\[threadIdx.x\] = t_next/*(t += 1, t - 1 + threadIdx.x) = t_next/' '[a-z]*'
fault 'one of that name' '/after_a_change(/,/^}/s/t\[threadIdx.x\] = t_next;/{ float *t = sm + off; t[threadIdx.x] = t_next; }/' '[a-z]*'
line=1
right places-of-what-changes-later 22:5,48:5,75:5,103:5 --variant=ldg-single
fault 'a cell beside the one that is named' '/^mirrored(/,/^}/s/mine = mine_next/(\&mine)[1] = mine_next/' unknown
fault 'the cell as it is named now' '/^mirrored(/,/^}/s/mine = mine_next/row[lane[0]] = mine_next/' unknown
fault 'the cell of this thread' '/^mirrored(/,/^}/s/mine = mine_next/row[threadIdx.x] = mine_next/' unknown
fault 'by some threads' '/^mirrored(/,/^}/s/mine = mine_next/if (threadIdx.x < 63) &/' unknown
line=2
fault '... where a pointer leads' '/^mirrored_by_helper(/,/^}/s/\*mine = mine_next/mine[1] = mine_next/' unknown
fault 'the row of another thread' '/^mirrored_by_helper(/,/^}/s/rows\[i \* 64 + threadIdx.x\]/rows[i * 64 + 63 - threadIdx.x]/' '[a-z]*'
line='$'
# What the header of a copy loop sets ahead of its counter.
right bound-set-in-the-header 17:3 --variant=ldg
fault 'a bound that is not set' '/^    for (++c\|^    for (c += 64/,$s/(m \/= 2, threadIdx.x)/threadIdx.x/' '[a-z]*'
fault 'a bound that is set otherwise' '/xs_next\[/,$s/m \/= 2/m \/= 4/' '[a-z]*'
fault 'a counter of something else' '/xs_next\[/,$s/(m \/= 2, threadIdx.x)/(m \/= 2, threadIdx.x + 1)/' '[a-z]*'
# What other turns of a loop, ahead or around, have stored in an array of the thread's own.
cat >"$box/turns.cu" <<'kernel'
__global__ void __launch_bounds__(64) shifted(const int *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[512];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        int row[9];
        for (int i = 0; i < 8; ++i)
            row[i + 1] = 5;
        for (int i = 0; i < 8; ++i)
            row[i] = x[t * 512 + threadIdx.x * 8 + i];
        for (int i = 0; i < 8; ++i)
            s[threadIdx.x * 8 + i] = (float)row[i + 1];
        __syncthreads();
        for (int i = 0; i < 512; ++i)
            sum += s[i] * (i ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64) smeared(const int *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[512];
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        int row[9];
        for (int i = 0; i < 9; ++i)
            row[i] = x[t * 512 + threadIdx.x * 8 + i];
        for (int i = 0; i < 8; ++i)
            row[i + 1] = row[i];
        for (int i = 0; i < 8; ++i)
            s[threadIdx.x * 8 + i] = (float)row[i + 1];
        __syncthreads();
        for (int i = 0; i < 512; ++i)
            sum += s[i] * (i ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
kernel
right "$box/turns.cu" 5:5,24:5 --variant=ldg
line=1
fault 'other cells, of which a later turn has stored most' '/for (++t/,$s/\(row\[i\] = .*\) + i\]/\1 + i + 1]/' unknown
fault 'other numbers, which a later loop leaves one of' '/for (++t/,$s/row\[i + 1\] = 5/row[i + 1] = 6/' unknown
line=2
fault 'what a turn stores, read by the next one' '/for (++t/,$s/row\[i + 1\] = row\[i\]/row[i + 1] = x[t * 512 + threadIdx.x * 8 + i]/' unknown
fault '... the other way round' '/row\[i + 1\] = row\[i\]/s/row\[i + 1\] = row\[i\]/row[8 - i] = row[7 - i]/' '[a-z]*'
line='$'
right functions-as-arguments 44:5 --variant=ldg
fault 'a register of another turn' '/load_rows_store(/,/^}/s/next.q_next\[i0 \/ nwarps\]/next.q_next[(rows - nwarps - i0) \/ nwarps]/' unknown
fault 'the next register' '/load_rows_store(/,/^}/s/next.q_next\[i0 \/ nwarps\]/next.q_next[(i0 + nwarps) \/ nwarps]/' unknown
fault 'the registers of every other turn' '/load_rows_store(/,/^}/s/next.q_next\[i0 \/ nwarps\]/next.q_next[i0 \/ nwarps \/ 2]/' unknown
fault 'registers of another turn are set' '/load_rows_fetch(/,/^}/s/next.q_next\[i0 \/ nwarps\]/next.q_next[(rows - nwarps - i0) \/ nwarps]/' unknown
# An alignment that a term is asked for.
right joined-premises-as-set 16:5,40:5,63:5,85:5 --variant=cp.async --stages=2
line=3
fault 'the rest of a smaller number' '/off = ld \* 0.3f/,/^}/s/off % 8 == 0/off % 4 == 0/' unknown
fault 'another rest' '/off = ld \* 0.3f/,/^}/s/off % 8 == 0/off % 8 == 4/' unknown
fault 'some rest' '/off = ld \* 0.3f/,/^}/s/off % 8 == 0/off % 8 >= 0/' unknown
fault 'a rest of something else' '/off = ld \* 0.3f/,/^}/s/off % 8 == 0/(int)(ld * 0.4f) % 8 == 0/' unknown
fault 'one beside it' '/off = ld \* 0.3f/,/^}/s/off % 8 == 0/(off + 1) % 8 == 0/' unknown
fault 'either of two' '/off = ld \* 0.3f/,/^}/s/\&\& off % 8 == 0/|| off % 8 == 0/' unknown
fault 'none' '/off = ld \* 0.3f/,/^}/s/ \&\& off % 8 == 0//' unknown
line='$'
# A switch in a load, in whole and as branches.
right sources-by-switch 51:5,87:5,128:5,167:5,206:5 --variant=ldg
line=3
fault 'no break' '/window_or_row(/,/^}/{/for (k += 64/,/float tile_next/{0,/break;/s/break;//}}' unknown
fault 'the other case' '/window_or_row(/,/^}/{/for (k += 64/,/float tile_next/s/case 1:/case 2:/}' unknown
fault 'any case' '/window_or_row(/,/^}/{/for (k += 64/,/float tile_next/s/case 1:/default:/}' unknown
fault 'both cases' '/window_or_row(/,/^}/{/for (k += 64/,/float tile_next/s/case 1:/case 1: case 2:/}' unknown
fault 'a switch of something else' '/window_or_row(/,/^}/{/for (k += 64/,/float tile_next/s/switch (shape)/switch (window)/}' unknown
fault 'a break of some threads' '/window_or_row(/,/^}/{/for (k += 64/,/float tile_next/s/weight = w\[t\];/if (t < 32) break; &/}' unknown
fault 'a number of another thread' '/window_or_row(/,/^}/{/for (k += 64/,/float tile_next/s/weight = w\[t\];/weight = w[63 - t];/}' unknown
line=1
fault 'another format' '/load_row_fetch(/,/^}/s/Format::Float/Format::Half/;/load_row_fetch(/,/^}/s/else if (FORMAT == Format::Half/else if (FORMAT == Format::Float/' '[a-z]*'
fault 'another cell' '/load_row_store(/,/^}/s/tile\[t\] = next.tile_next;/tile[63 - t] = next.tile_next;/' unknown
line='$'
# Numbers that a constructor has made.
right arguments-behind-members 57:5,95:5,130:5,145:5 --variant=ldg
line=1
fault 'a row for a column' '/load_store(/,/^    }/s/storage_.a\[ty_\]\[tx_\]/storage_.a[tx_][ty_]/' unknown
fault 'a column beside it' '/load_fetch(/,/^    }/s/params_.k + k0 + tx_\]/params_.k + k0 + tx_ + 1]/' unknown
right members-made-of-members 60:5 --variant=ldg
fault 'another member' '/load_x_store(/,/^    }/s/= row + i/= column + i/' unknown
fault 'the other tile' '/load_x_store(/,/^    }/s/sx\[r/sy[r/' unknown
fault 'the other rows' '/load_x_fetch(/,/^    }/s/x\[r \* ld/y[r * ld/' unknown
line='$'
# One of two pointers, by what the conditions around say.
cat >"$box/two.cu" <<'kernel'
__global__ void __launch_bounds__(64) two(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y,
                                          int m, int k)
{
    __shared__ float s[64];
    const int row = blockIdx.x * 64 + threadIdx.x;
    float sum = 0.f;
    for (int t = 0; t < k; ++t) {
        if (row < m && t + 1 < k)
            s[threadIdx.x] = *(row < m ? &a[t * 64 + threadIdx.x] : b);
        else
            s[threadIdx.x] = 0.f;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (j ^ threadIdx.x);
        __syncthreads();
    }
    y[row] = sum;
}
kernel
right "$box/two.cu" 7:5 --variant=ldg
fault 'the other pointer' '/for (++t/,$s/row < m ? \(&a.*\) : b/row < m ? b : \1/' unknown
fault 'a pointer by another condition' '/for (++t/,$s/row < m ? /row < m - 1 ? /' unknown
fault 'a pointer beside it' '/for (++t/,$s/threadIdx.x\] : b/threadIdx.x + 1] : b/' unknown
fault 'a condition around less' '/for (++t/,$s/row < m \&\& t + 1 < k/t + 1 < k/' unknown
fault 'another condition around' '/for (++t/,$s/row < m \&\& t + 1 < k/row <= m \&\& t + 1 < k/' unknown
# Threads of two axes by their ranks.
right cg-sync-ldg 30:5 --variant=ldg
fault 'a rank and an index' '/for (r0 += R/,$s/(tid < 64 ? tid : 63) + slot/(tid < 64 ? (int)threadIdx.x : 63) + slot/' unknown
fault 'fewer threads than copy' '/for (r0 += R/,$s/(tid < 64 ? tid : 63) + slot/(tid < 63 ? tid : 62) + slot/' unknown
fault 'ranks one further' '/for (r0 += R/,$s/(tid < 64 ? tid : 63) + slot/(tid < 64 ? tid + 1 : 63) + slot/' unknown
right bf16-rank-copy-loops 37:3 --variant=ldg
fault 'a row of other threads' '/xs_next\[slot\] = /s/x\[r \* width + c\]/x[(r + threadIdx.y) * width + c]/' unknown
fault 'stored by an index' '/xs_stage\[stage\]\[i\]/s/\[i\]/[i - tid + threadIdx.x]/' unknown
fault 'some ranks alone' '/xs_stage\[stage\]\[i\]/s/^ */&if (tid < 128) /' unknown
fault 'some rows of threads alone' '/xs_stage\[stage\]\[i\]/s/^ */&if (threadIdx.y < 4) /' unknown
fault 'ranks along the other axis' '/for (left -= BK/,$s/unsigned int i = (tid/unsigned int i = (threadIdx.x * blockDim.y + threadIdx.y/' '[a-z]*'

# Tiles that callers hand over: by a parameter, and by what an object knows.
right gemm-tiles-of-caller 12:5 --variant=ldg-single
fault 'no barrier ahead of what the caller does' '31d' wrong
fault 'no barrier behind compute' '24d' wrong
fault 'the other tile' '25s/as\[/bs[/' wrong
fault 'transposed' '25s/ty..tx/tx][ty/' unknown
fault 'what the other fetched' '25s/as_next/bs_next/' unknown
fault 'computed of one tile' '14,30s/bs\[k\]/as[k]/' unknown
right two-loops-by-one-method 22:9,30:9 --variant=ldg-single
fault 'the other member' 's/tiles_->b\[tx\]\[ty\] = tiles_next2/tiles_->a[tx][ty] = tiles_next2/' unknown
fault 'a store ahead of what a method reads' '/multiply();/{N;s/\( *multiply();\)\n\( *__syncthreads();\)/\2\n\1/}' wrong
fault 'another method' 's/sum_ += tiles_->a\[threadIdx.y\]\[k\]/sum_ += tiles_->a[k][threadIdx.y]/' unknown
line=1
right main-loop-calls-own-methods 36:9,97:9 --variant=ldg-single
fault 'transposed in a method' 's/shared_.a\[tx_\]\[ty_\] = a_next/shared_.a[ty_][tx_] = a_next/' unknown
fault 'the other member in a method' 's/shared_.a\[tx_\]\[ty_\] = a_next/shared_.b[tx_][ty_] = a_next/' unknown
fault 'another load of that name' 's/shared_.a\[tx_\]\[ty_\] = a_/shared_.a[ty_][tx_] = a_/' unknown
line='$'

# Copies to where names of the load's own lead.
right row-pointers 18:5 --variant=cp.async --stages=3
fault 'the other tile' 's/float \*arow = As_stage/float *arow = Bs_stage/' wrong
fault 'another row' 's/As_stage\[load_stage\]\[r\]/As_stage[load_stage][r ^ 1]/' unknown
fault 'another stage' 's/float \*arow = As_stage\[load_stage\]/float *arow = As_stage[0]/' wrong
fault 'two rows on' 's/__pipeline_memcpy_async(&arow\[tx\]/arow += 66; &/' unknown
fault 'a cell on' 's/__pipeline_memcpy_async(bcell/__pipeline_memcpy_async(bcell + 1/' unknown
fault 'one way or another' 's/float \*arow = As_stage\[load_stage\]\[r\]/float *arow = tx < 16 ? As_stage[load_stage][r] : Bs_stage[load_stage][r]/' unknown

# What loads and other statements move on in turn (which is not compared), and where pointers lead.
line=1
right loads-that-step 54:5,98:5,130:5 --variant=cp.async --stages=2
line='$'
once 'a load that moves on once more' 's/walker.load_async(tile_stage\[load_stage\]);/if (threadIdx.x < 4096) { & walker.next += 16; }/'
once '... by a method' 's/walker.load_async(tile_stage\[load_stage\]);/if (threadIdx.x < 4096) { & walker.skip(); }/'
line='$'
right rows-to-a-last-pointer 41:5 --variant=ldg
fault 'rows that compute does not step over' '/stage ^= 1/,${s/i++, A += lda/i++/}' wrong
fault 'a row more' '/while (B < Blast)/s/while/A += lda; &/' unknown
fault 'the pointer to a tile' '/while (B < Blast)/s/while/A = \&bs_stage[0][0][0]; &/' unknown
right address-kept-for-later-tile 21:5 --variant=ldg-single
fault 'no barrier behind what the address leads to' '/^ *compute_tile();/{n;s/__syncthreads();//}' wrong
fault 'added ahead of what is found' '/auto compute_tile/s/$/ sum += best ? *best : 0.0f;/; /^            sum += best/d' wrong
fault 'the address twice' 's/best = &s/best = \&s[0]; &/' unknown
right template-match-flag 24:5 --variant=cp.async --stages=2
fault 'a flag that is not set yet' 's/more_load = at_load != end;/more2 = more_load; &/' unknown
fault 'a flag of the tile before' 's/more_load = at_load != end;//; s/at_load += 32;/more_load = at_load != end; &/' wrong
fault 'a flag of another step' 's/at_load += 32/at_load += 64/' unknown
fault 'another flag' 's/more2 = more_load/more2 = true/' unknown
fault 'a flag of a narrower type' 's/bool more_load/char more_load/' unknown
right precision-of-a-build 36:5 --variant=ldg
fault 'the other tile, by a macro' 's/FMA(xs_stage\[stage\]/FMA(ws_stage[stage]/' unknown
fault 'another number, by a macro' 's/TILE\], sum)/TILE], 0)/' unknown

# Tiles that may have cells in common.
right tiles-carved-by-caller 11:5,46:5 --variant=ldg-single
fault 'stores the other way round' '/as\[ty \* T + tx\] = as_next;/{N;s/\(.*\)\n\(.*\)/\2\n\1/}' wrong
fault 'a store ahead of what is computed of the other' 's/float as_next2 = \(.*\);/bs[ty * T + tx] = \1; float as_next2 = 0;/' unknown
fault 'no barrier behind compute' '/acc += as/{n;s/__syncthreads();//}' wrong
line=1
fault 'a scratch that lies in a tile' '/compute_tile();/{n;s/__syncthreads();//}' wrong
fault 'stores the other way round' '/xs\[threadIdx.x\] = xs_next;/{N;s/\(.*\)\n\(.*\)/\2\n\1/}' wrong
line='$'
right scratch-over-tile 22:5,55:5 --variant=ldg-single
fault 'a scratch that lies in the tile' '/^ *compute_tile();/{n;s/__syncthreads();//}' wrong
# Numbers without a sign that wrap around: threads for which a loop begins below zero make no turn
# of it. (A text like it was written; that with the turn ahead asked for as well is right.)
cat >"$box/lead.cu" <<'kernel'
__global__ void lead(const float *__restrict__ signal, float *__restrict__ out, int n, unsigned lead)
{
    __shared__ float window[256], taps[128];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        for (unsigned i = threadIdx.x - lead; i < 256; i += 128)
            window[i] = signal[t * 256 + i];
        taps[threadIdx.x] = (threadIdx.x - lead + 12) / 12 < 3 ? 0.f : signal[t * 256 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 256; ++i)
            sum += window[i] * taps[i % 128] * (float)((i ^ threadIdx.x) & 7);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
kernel
cat >"$box/right.cu" <<'kernel'
__global__ void lead(const float *__restrict__ signal, float *__restrict__ out, int n, unsigned lead)
{
    __shared__ float window[256], taps[128];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 4f9b4260
    int t = 0;
    if (t < n) {
        for (unsigned i = threadIdx.x - lead; i < 256; i += 128)
            window[i] = signal[t * 256 + i];
        taps[threadIdx.x] = (threadIdx.x - lead + 12) / 12 < 3 ? 0.f : signal[t * 256 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float window_next[2];
            for (int slot = 0; slot < 2; ++slot) {
                unsigned i = threadIdx.x - lead + slot * 128;
                if (threadIdx.x - lead < 256 && i < 256)
                    window_next[slot] = signal[t * 256 + i];
            }
            float taps_next = (threadIdx.x - lead + 12) / 12 < 3 ? 0.f : signal[t * 256 + threadIdx.x];
            for (int i = 0; i < 256; ++i)
                sum += window[i] * taps[i % 128] * (float)((i ^ threadIdx.x) & 7);
            __syncthreads();
            for (int slot = 0; slot < 2; ++slot) {
                unsigned i = threadIdx.x - lead + slot * 128;
                if (threadIdx.x - lead < 256 && i < 256)
                    window[i] = window_next[slot];
            }
            taps[threadIdx.x] = taps_next;
            __syncthreads();
        }
        for (int i = 0; i < 256; ++i)
            sum += window[i] * taps[i % 128] * (float)((i ^ threadIdx.x) & 7);
    }
    out[threadIdx.x] = sum;
}
kernel
kernel="$box/lead.cu" place=5:5
shown 'turns behind one that is made'
turn='threadIdx.x - lead < 256 && i < 256'
fault 'a turn behind one that is not made' "s/$turn/i < 256/" unknown
fault '... with a sign' "s/$turn/(int)(threadIdx.x - lead) < 256 \\&\\& i < 256/" unknown
fault '... as an integer' "s/unsigned i = threadIdx/int i = threadIdx/; s/$turn/i < 256/" unknown
fault '... of more bytes' "s/$turn/(long long)threadIdx.x - lead < 256 \\&\\& i < 256/" unknown
fault '... made wider' "s/$turn/(long long)(threadIdx.x - lead) < 256 \\&\\& i < 256/" unknown
fault 'none that wraps as far as zero' "s/$turn/threadIdx.x >= lead \\&\\& i < 256/" unknown
fault 'a quotient of it' '/taps_next =/s/(threadIdx.x - lead + 12) \/ 12 < 3/(threadIdx.x - lead) \/ 12 < 2/' unknown
fault '... with a sign' '/taps_next =/s/(threadIdx.x - lead + 12) \/ 12/(int)(threadIdx.x - lead + 12) \/ 12/' unknown
fault 'the least of it, with a sign' '/taps_next =/s/(threadIdx.x - lead + 12) \/ 12/min((int)(threadIdx.x - lead + 12), 40) \/ 12/' unknown
cat >"$box/widened.cu" <<'kernel'
__global__ void __launch_bounds__(128) widened(const float *__restrict__ x, float *__restrict__ out, int n, unsigned lead)
{
    __shared__ float w[128], v[128];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        w[threadIdx.x] = x[t * 128 + threadIdx.x] * (float)(0ll + (threadIdx.x - lead));
        if ((threadIdx.x > 3 ? threadIdx.x - lead : 5ll) < 7)
            v[threadIdx.x] = x[t * 128 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += w[i] * v[i] * (float)((i ^ threadIdx.x) & 7);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
kernel
rm "$box/right.cu"
right "$box/widened.cu" 5:5 --variant=ldg-single
fault 'a number that is wider ahead of its difference' '/_next/s/0ll + (threadIdx.x - lead)/(long long)threadIdx.x - lead/' unknown
fault '... of a choice' '/for (++t/,$s/threadIdx.x > 3 ? threadIdx.x - lead/threadIdx.x > 3 ? (long long)threadIdx.x - lead/' unknown
exit $failed
