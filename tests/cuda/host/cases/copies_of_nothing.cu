// Bytes that nobody wrote may be copied; the host may not use them before it writes them.
int main() { int h[4] = {0}, g[1], *d; cudaMalloc(&d, 16);
cudaMemset(d, 0, 5);
cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
cudaMemcpy(h + 2, d + 2, 8, cudaMemcpyDeviceToHost);
h[1] = 3;
CASE
cudaFree(d); }

// case
// output: 0 3
// note: line 4: of the 16 bytes of d that are copied, 11 were never written
    printf("%d %d", h[0], h[1]);

// case
    g[0] = h[2];
//       ^ h is read, but it was copied in line 5 from d, which nobody had written|cudaMalloc in line 2 leaves it with whatever was there before|hint: did the kernel run, and does it write there?

// case
    g[0] = h[3];
//       ^ h is read, but it was copied in line 5 from d, which nobody had written|cudaMalloc in line 2 leaves it with whatever was there before|hint: did the kernel run, and does it write there?

// case
    memcmp(h + 3, g, 1);
//  ^ h is read, but it was copied in line 5 from d, which nobody had written|cudaMalloc in line 2 leaves it with whatever was there before|hint: did the kernel run, and does it write there?

// case
    memcmp(h, g, 9);
//  ^ h is read, but it was copied in line 5 from d, which nobody had written|cudaMalloc in line 2 leaves it with whatever was there before|hint: did the kernel run, and does it write there?

// case
// output: 0
// note: line 4: of the 16 bytes of d that are copied, 11 were never written
    h[2] = h[3] = 7; printf("%d", h[2] < 0);

// case
// output: 0
// note: line 4: of the 16 bytes of d that are copied, 11 were never written
    memset(h + 2, 7, 8); printf("%d", h[2] < 0);

// case
// output: 0
// note: line 4: of the 16 bytes of d that are copied, 11 were never written
    memcpy(h + 2, h, 8); printf("%d", h[2] < 0);

// case
// output: 0
// note: line 4: of the 16 bytes of d that are copied, 11 were never written
    cudaMemcpy(h + 2, d, 4, cudaMemcpyDefault); printf("%d", h[2] < 0);
