// Structs that hold pointers, arrays of pointers, pointers to pointers.

struct Matrix {
    int w, h;
    float* e;
};
__device__ float get(const Matrix A, int r, int c) {
    return A.e[r * A.w + c];
}
__device__ void set(Matrix A, int r, int c, float v) {
    A.e[r * A.w + c] = v;
}
__device__ Matrix sub(Matrix A, int r, int c) {
    Matrix s;
    s.w = A.w;
    s.h = 2;
    s.e = &A.e[A.w * 2 * r + 2 * c];
    return s;
}
struct List {
    Matrix* m[2];
    int n;
};
extern "C" __global__ void pointers(float* x, int* p) {
    Matrix A = {4, 4, x}, B;
    B.w = B.h = 4;
    B.e = x + 16;
    Matrix s = sub(A, 1, 1);
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) set(B, i, j, get(s, i, j) * 2);
    List l = {{&A, &B}, 2};
    for (int i = 0; i < l.n; i++) l.m[i]->e[5] += i + 1;
    float* rows[4];
    for (int i = 0; i < 4; i++) rows[i] = x + 4 * i;
    rows[2][1] = 77;
    float** pp = rows;
    pp[3][0] = 78;
    *pp[0] = 79;
    p[0] = B.e - A.e;
    Matrix* best = p[1] > 0 ? &A : &B;
    best->w = 9;
    p[2] = A.w * 10 + B.w;
    rows[p[40] & 3] = x + 30;
    rows[p[40] & 3][1] = 5;
    for (int i = 0; i < 4; i++) rows[i][3]++;
}
