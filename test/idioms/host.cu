// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Idioms of docs/cuda.md: the host. The same parts as in examples/from_cuda.cpp.
#include <algorithm>
#include <stdexcept>

__global__ void saxpy(int n, float alpha, const float *x, float *y);

void check(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

float transferAndCompute(int n) {
  float *hostX, *hostY, *x, *y;
  check(cudaMallocHost(&hostX, n * sizeof(float)));
  check(cudaMallocHost(&hostY, n * sizeof(float)));
  std::fill(hostX, hostX + n, 1.0f);
  check(cudaMalloc(&x, n * sizeof(float)));
  check(cudaMalloc(&y, n * sizeof(float)));
  check(cudaMemset(y, 0, n * sizeof(float)));
  check(cudaDeviceSynchronize());
  cudaStream_t copies, kernels;
  check(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
  cudaEvent_t begin, uploaded, end;
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&uploaded));
  check(cudaEventCreate(&end));

  check(cudaEventRecord(begin, copies));
  check(cudaMemcpyAsync(x, hostX, n * sizeof(float), cudaMemcpyHostToDevice, copies));
  check(cudaEventRecord(uploaded, copies));
  check(cudaStreamWaitEvent(kernels, uploaded));
  saxpy<<<(n + 255) / 256, 256, 0, kernels>>>(n, 2.0f, x, y);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(hostY, y, n * sizeof(float), cudaMemcpyDeviceToHost, kernels));
  check(cudaEventRecord(end, kernels));
  check(cudaEventSynchronize(end));
  float milliseconds;
  check(cudaEventElapsedTime(&milliseconds, begin, end));

  cudaEventDestroy(begin);
  cudaEventDestroy(uploaded);
  cudaEventDestroy(end);
  cudaStreamDestroy(copies);
  cudaStreamDestroy(kernels);
  cudaFree(x);
  cudaFree(y);
  cudaFreeHost(hostX);
  cudaFreeHost(hostY);
  return milliseconds;
}

void replay(cudaStream_t stream, int n, float *x, float *y) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  saxpy<<<(n + 255) / 256, 256, 0, stream>>>(n, 2.0f, x, y);
  saxpy<<<(n + 255) / 256, 256, 0, stream>>>(n, 1.0f, y, x);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&exec, graph, 0));
  for (int step = 0; step < 3; ++step)
    check(cudaGraphLaunch(exec, stream));
  check(cudaStreamSynchronize(stream));
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
}

void launchAndCheck(int n, float alpha, const float *x, float *y) {
  saxpy<<<(n + 255) / 256, 256>>>(n, alpha, x, y);
  check(cudaGetLastError());      // a wrong launch
  check(cudaDeviceSynchronize()); // an error of the kernel, which ends the context
}
