// Lists in a block of dynamic shared memory that loads read, and that tiles may reach into.
#define DEPTH 8
#define WIDTH 32

// The tile is as deep as an argument says.
__global__ void depth_of_the_run(const float *__restrict__ v, const int *__restrict__ chosen,
                                 float *__restrict__ y, int n, int depth) {
  extern __shared__ float pool[];
  float *tile = pool;
  int *list = (int *)(tile + DEPTH * WIDTH);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    list[i] = chosen[i];
  __syncthreads();
  float sum = 0.0f;
  for (int first = 0; first < n; first += DEPTH) {
    for (int i = threadIdx.x; i < depth * WIDTH; i += blockDim.x)
      tile[i] = first + i / WIDTH < n ? v[list[first + i / WIDTH] * WIDTH + i % WIDTH] : 0.0f;
    __syncthreads();
    for (int k = 0; k < DEPTH * WIDTH; ++k)
      sum += tile[k] * (float)(k ^ threadIdx.x);
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// How many threads there are is not said, and a cell is named for each.
__global__ void a_cell_for_each_thread(const float *__restrict__ v, const int *__restrict__ chosen,
                                       float *__restrict__ y, int n) {
  extern __shared__ float pool[];
  float *tile = pool;
  int *list = (int *)(tile + WIDTH);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    list[i] = chosen[i];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = v[list[k] * WIDTH + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < WIDTH; ++i)
      sum += tile[i] * (float)(i + threadIdx.x);
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Launches in sight have blocks of 16 by 16, and with one buffer nothing would stop another one.
__global__ void blocks_in_sight(const float *__restrict__ v, const int *__restrict__ chosen,
                                float *__restrict__ y, int n) {
  extern __shared__ float pool[];
  float *tile = pool;
  int *list = (int *)(tile + 256);
  for (int i = threadIdx.x + threadIdx.y * 16; i < n; i += 256)
    list[i] = chosen[i];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < n; k += 16) {
    const int row = k + threadIdx.y;
    tile[threadIdx.y * 16 + threadIdx.x] = row < n ? v[list[row] * 16 + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += tile[i * 16 + threadIdx.x] * (float)(i + threadIdx.y);
    __syncthreads();
  }
  y[blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x] = sum;
}
void run(const float *v, const int *chosen, float *y, int n) {
  size_t bytes = 256 * sizeof(float) + n * sizeof(int);
  blocks_in_sight<<<4, dim3(16, 16), bytes>>>(v, chosen, y, n);
}

// How many rows the tile has, another instantiation may say.
template <int ROWS>
__global__ void rows_of_an_argument(const float *__restrict__ v, const int *__restrict__ chosen,
                                    float *__restrict__ y, int n) {
  extern __shared__ float pool[];
  float *tile = pool;
  int *list = (int *)(tile + 8 * WIDTH);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    list[i] = chosen[i];
  __syncthreads();
  float sum = 0.0f;
  for (int first = 0; first < n; first += ROWS) {
    for (int i = threadIdx.x; i < ROWS * WIDTH; i += blockDim.x)
      tile[i] = first + i / WIDTH < n ? v[list[first + i / WIDTH] * WIDTH + i % WIDTH] : 0.0f;
    __syncthreads();
    for (int k = 0; k < ROWS * WIDTH; ++k)
      sum += tile[k] * (float)(k ^ threadIdx.x);
    __syncthreads();
  }
  y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
template __global__ void rows_of_an_argument<8>(const float *, const int *, float *, int);

// The list is set backwards from what an argument says, and not in each iteration: it may be
// anywhere.
__global__ void list_from_the_end(const float *__restrict__ v, const int *__restrict__ chosen,
                                  float *__restrict__ y, int n, int end) {
  extern __shared__ float pool[];
  float *tile = pool;
  int *list = (int *)(tile + DEPTH * WIDTH);
  for (int i = end - (int)threadIdx.x; i > end - n; i -= 64)
    list[i] = chosen[end - i];
  __syncthreads();
  float sum = 0.0f;
  for (int first = 0; first < n; first += DEPTH) {
    for (int i = threadIdx.x; i < DEPTH * WIDTH; i += 64)
      tile[i] = first + i / WIDTH < n ? v[list[end - first - i / WIDTH] * WIDTH + i % WIDTH] : 0.0f;
    __syncthreads();
    for (int k = 0; k < DEPTH * WIDTH; ++k)
      sum += tile[k] * (float)(k ^ threadIdx.x);
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Only some of what steps is stored: the counter may wrap around in between.
__global__ void stored_now_and_then(const float *__restrict__ v, const int *__restrict__ chosen,
                                    float *__restrict__ y, int n, int last) {
  extern __shared__ float pool[];
  float *tile = pool;
  int *list = (int *)(tile + DEPTH * WIDTH);
  for (int i = threadIdx.x; i < last; i += blockDim.x)
    if (chosen[i & 1023] >= 0)
      list[i] = chosen[i & 1023];
  __syncthreads();
  float sum = 0.0f;
  for (int first = 0; first < n; first += DEPTH) {
    for (int i = threadIdx.x; i < DEPTH * WIDTH; i += 64)
      tile[i] = first + i / WIDTH < n ? v[list[first + i / WIDTH] * WIDTH + i % WIDTH] : 0.0f;
    __syncthreads();
    for (int k = 0; k < DEPTH * WIDTH; ++k)
      sum += tile[k] * (float)(k ^ threadIdx.x);
    __syncthreads();
  }
  y[blockIdx.x * 64 + threadIdx.x] = sum;
}
