#!/bin/sh
# functions.sh PIPELINIFY CERTIFY: faults in the text's local functions, in their calls,
# and in what a load reads and stores are not shown to be right.
set -u
program=${1:?program} certify=${2:?certify}
accept=$(dirname "$0")/../../testdata/accept
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
failed=0

verdict() { "$certify" "$kernel" "$place" "$1" -- 2>&1 | tail -n 1; }

# fault NAME SED VERDICT: what becomes of the text, and what is said of it.
fault() {
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

# right NAME PLACE OPTION...: the text of a kernel, whose loop is at that place.
right() {
  kernel=$1 place=$2
  [ -f "$kernel" ] || kernel=$(ls "$accept"/*/"$1"/kernel.cu)
  shift 2
  "$program" -q --cuda-path= "$@" "$kernel" -o "$box/right.cu"
  said=$(verdict "$box/right.cu")
  case $said in
    *': shown ('*) ;;
    *) echo "FAILED: $*: $said"; failed=1 ;;
  esac
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
fault 'rows of other lengths' 's/(size_t)panel % 16 == 0 \&\& ld % 8 == 0;/(size_t)panel % 16 == 0;/' unknown
fault 'rows of another tile' 's/full \&\& r0_load + r < rows/full \&\& r < rows/' unknown
fault 'a row too many' 's/full = full \&\& /full = full || /' unknown
exit $failed
