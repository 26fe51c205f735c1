// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: functions, structs, templates and constants. The same kernels as in
// functions.spl.

__device__ void minMax(const float *row, int n, float &least, float &most) {
  for (int k = 0; k < n; ++k) {
    least = fminf(least, row[k]);
    most = fmaxf(most, row[k]);
  }
}

__global__ void normalizeRows(int rows, int columns, float *a) {
  for (int y = blockIdx.x * blockDim.x + threadIdx.x; y < rows; y += gridDim.x * blockDim.x) {
    float least = INFINITY, most = -INFINITY;
    float *row = a + y * columns;
    minMax(row, columns, least, most);
    for (int x = 0; x < columns; ++x)
      row[x] = (row[x] - least) / (most - least);
  }
}

struct Stack {
  int top = 0;
  int items[32];
  __device__ void push(int item) { items[top++] = item; }
  __device__ int pop() { return items[--top]; }
  __device__ bool isEmpty() const { return top == 0; }
};

__global__ void treeSums(int n, const int *roots, const int *left, const int *right,
                         const int *value, int *sums) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Stack stack;
    stack.push(roots[i]);
    while (!stack.isEmpty()) {
      int node = stack.pop();
      sums[i] += value[node];
      if (left[node] >= 0)
        stack.push(left[node]);
      if (right[node] >= 0)
        stack.push(right[node]);
    }
  }
}

struct Mesh {
  const int *starts, *neighbours;
  const float *heat;
  float *next;
  int nodes;
  __device__ float mean(int node) const {
    float sum = 0;
    for (int k = starts[node]; k < starts[node + 1]; ++k)
      sum += heat[neighbours[k]];
    return sum / max(starts[node + 1] - starts[node], 1);
  }
};

__global__ void spread(Mesh mesh, float rate) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < mesh.nodes; i += gridDim.x * blockDim.x)
    mesh.next[i] = mesh.heat[i] + rate * (mesh.mean(i) - mesh.heat[i]);
}

template <typename F> __device__ void forEach(const float *row, int n, F visit) {
  for (int k = 0; k < n; ++k)
    visit(row[k]);
}

__global__ void densities(int rows, int columns, const float *a, float radius, float *out) {
  for (int y = blockIdx.x * blockDim.x + threadIdx.x; y < rows; y += gridDim.x * blockDim.x) {
    float sum = 0;
    forEach(a + y * columns, columns, [&](float x) { sum += fmaxf(radius - x, 0); });
    out[y] = sum;
  }
}

template <typename T, int N> __device__ T polynomial(const T (&c)[N], T x) {
  T y = 0;
#pragma unroll
  for (int k = N - 1; k >= 0; --k)
    y = y * x + c[k];
  return y;
}

template <typename T> __global__ void evaluate(int n, const T *a, T *out) {
  const T c[] = {1, 2, 3};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = polynomial(c, a[i]);
}

template __global__ void evaluate<float>(int, const float *, float *);
template __global__ void evaluate<int>(int, const int *, int *);

__global__ void rowDots(int rows, int columns, const float *a, const float *b, float *out) {
  for (int y = blockIdx.x * blockDim.x + threadIdx.x; y < rows; y += gridDim.x * blockDim.x) {
    float sum = 0;
#pragma unroll 4
    for (int x = 0; x < columns; ++x)
      sum += a[y * columns + x] * b[x];
    out[y] = sum;
  }
}

__constant__ float weights[3] = {0.25f, 0.5f, 0.25f};

__global__ void smooth(int n, const float *a, float *out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum = 0;
    for (int k = 0; k < 3; ++k)
      sum += weights[k] * a[min(max(i + k - 1, 0), n - 1)];
    out[i] = sum;
  }
}

struct CrcTable {
  unsigned at[256];
};

constexpr CrcTable makeCrcTable() {
  CrcTable table{};
  for (unsigned i = 0; i < 256; ++i) {
    unsigned c = i;
    for (int k = 0; k < 8; ++k)
      c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0);
    table.at[i] = c;
  }
  return table;
}

__constant__ CrcTable crcTable = makeCrcTable();

__global__ void crc32Rows(int rows, int columns, const unsigned char *bytes, unsigned *crcs) {
  for (int y = blockIdx.x * blockDim.x + threadIdx.x; y < rows; y += gridDim.x * blockDim.x) {
    unsigned c = ~0u;
    for (int x = 0; x < columns; ++x)
      c = c >> 8 ^ crcTable.at[(c ^ bytes[y * columns + x]) & 255];
    crcs[y] = ~c;
  }
}
