// Jumps: switch that falls through, nested loops, do-while, comma, continue, early return, short circuit.
__device__ int count(int* log, int v) { log[0] = log[0] * 3 + v; return v; }
__device__ int collatz(int n) { int steps = 0; for (; n != 1; steps++) n = n & 1 ? 3 * n + 1 : n / 2; return steps; }
__device__ int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }
__device__ int ack(int m, int n) { if (!m) return n + 1; if (!n) return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1)); }
__device__ bool even(int n); 
__device__ bool odd(int n) { return n == 0 ? false : even(n - 1); }
__device__ bool even(int n) { return n == 0 || odd(n - 1); }
__device__ int early(const int* v, int n) { for (int i = 0; i < n; i++) { if (v[i] < 0) return -i; for (int j = i;
    j < n; j++) if (v[j] == v[i] * 2) return i * 100 + j; } return 999; }
__device__ int duff(int n) { int r = 0; switch (n % 4) { case 3: r += 1; case 2: { r *= 3; }
    case 1: for (int i = 0; i < 2; i++) { if (i) break; r += 7; } default: r++; } return r; }
__device__ void up(int* v) { *v += 10; }
__device__ void down(int* v) { *v -= 3; }
extern "C" __global__ void jumps(float* x, int* p) {
    int n = 0, log = 1, i, j, s;
    for (i = 0; i < 7; i++) p[40 + i] = duff(i);
    p[n++] = count(&log, 0) && count(&log, 1);
    p[n++] = log;
    p[n++] = count(&log, 2) || count(&log, 1);
    p[n++] = log;
    p[n++] = (count(&log, 1), count(&log, 2));
    p[n++] = log;
    p[n++] = log > 3 ? count(&log, 1) : count(&log, 2);
    p[n++] = log % 1000;
    for (s = 0, i = 0; i < 10; ++i) { if (i % 3 == 0) continue; if (i == 8) break; s += i; } p[n++] = s;
    p[n++] = i;
    for (s = i = 0; i < 4; i++) for (j = 0; j < 4; j++) { if (j == i) continue; if (j > 2) break; s = s * 2 + j; }
    p[n++] = s;
    i = 0; do s += i; while (i++ < 3);
    p[n++] = s;
    p[n++] = i; i = 5; while (i --> 2) s ^= i << i;
    p[n++] = s;
    i = 0; while (true) { if (++i > 5) break; switch (i) { case 2: continue; case 4: s += 100; break;
    default: s += i; } s += 1000; } p[n++] = s;
    for (i = 0; i < 3; i++) i == 1 ? up(&p[30]) : down(&p[30]);
    p[n++] = collatz(27);
    p[n++] = gcd(1071, 462);
    p[n++] = ack(2, 3);
    p[n++] = odd(7) + 2 * even(7);
    p[n++] = early(p + 1, 5);
    for (unsigned k = 3; k-- > 0;) s += k;
    p[n++] = s; { int s = 5; { int s = 6;
    p[n++] = s; } p[n++] = s; } for (int n = 0; n < 2; n++) s += n;
    p[n++] = s;
    for (int a = 0, b = 10; a < b; a += 2, --b) s = a * b;
    p[n++] = s;
     int a[5] = {1, 2, 3}; i = 0; a[i++] += 5, a[i++] *= 7;
    p[n++] = a[0] + a[1] * 100 + a[3]; int* q = a + 4; *--q = 9;
    p[n++] = a[3] + (int)(q - a);
    p[n++] = *(a + 1);
    p[n++] = q[-1] - -q[0];
}
