"""What is said of a mistake, to the letter: the words, the place, what would have been right."""

import pytest

from nnlib.cuda import HostError, Program, force_simulator


@pytest.fixture(autouse=True, scope="module")
def simulated():
    """What is counted and said here is the simulator's, also where there is a GPU."""
    with force_simulator():
        yield


HEAD = "__global__ void k(int* x) { x[0] = 1; }\n__global__ void none() { }\nint main() {\n"
WORDS = [  # statements in lines 4 and on, the message without the lines of the program
    (
        "int* p = new int; int q;\ndelete p; delete p;",
        "p is freed twice: first in line 5|hint: free it once",
        "5:11",
    ),
    (
        "int* p = (int*)malloc(8);\ncudaFree(p);",
        "cudaFree of p, which is made by malloc|hint: write free",
        "5:1",
    ),
    (
        "int* p; cudaMalloc(&p, 8);\nfree(p);",
        "free of p, which is made by cudaMalloc|hint: write cudaFree",
        "5:1",
    ),
    (
        "int* p; cudaMallocManaged(&p, 8);\nfree(p);",
        "free of p, which is made by cudaMallocManaged|hint: write cudaFree",
        "5:1",
    ),
    (
        "int* p; cudaMallocHost(&p, 8);\ncudaFree(p);",
        "cudaFree of p, which is made by cudaMallocHost|hint: write cudaFreeHost",
        "5:1",
    ),
    (
        "int p[2];\nfree(p);",
        "free of p, which is made by its declaration|hint: only what was allocated can be freed",
        "5:1",
    ),
    (
        'free((void*)"x");',
        "free of a text, which is made by a text|hint: only what was allocated can be freed",
        "4:1",
    ),
    (
        "int* p = (int*)malloc(8);\nfree(p + 1);",
        "free of an address 4 bytes behind the beginning of p|hint: pass the pointer as the allocation returned it",
        "5:1",
    ),
    (
        "free((void*)5);",
        "free of an address that was never allocated|hint: pass what the allocation returned",
        "4:1",
    ),
    (
        "int* p = (int*)malloc(8);\nfree(p);\np[0] = 1;",
        "p is written after it was freed in line 5|hint: free it after its last use",
        "6:6",
    ),
    (
        "int* p = new int[2];\nint i = -1; p[i] = 1;",
        "p[-1] is written, but p has 2 elements of 4 bytes|it has 8 bytes, since line 4|hint: the index is negative",
        "5:18",
    ),
    (
        "char* p = new char[2];\nint i = -1; p[i] = 1;",
        "p[-1] is written, but p has 2 bytes|it has 2 bytes, since line 4|hint: the index is negative",
        "5:18",
    ),
    (
        "struct S { int* p; } s[2], *t = s; s[1].p = new int;\ndelete s[1].p; delete t[1].p;",
        "s.p is freed twice: first in line 5|hint: free it once",
        "5:16",
    ),
    (
        "struct S { int* p; } *s = new S; s->p = (int*)malloc(4);\nfree((s->p) + 1);",
        "free of an address 4 bytes behind the beginning of s.p|hint: pass the pointer as the allocation returned it",
        "5:1",
    ),
    (
        "char* p = new char[2];\nint x = p[2];",
        "p[2] is read, but p has 2 bytes|it has 2 bytes, since line 4|hint: work out by hand which index the last turn "
        "of the loop uses",
        "5:5",
    ),
    (
        "double p[2];\np[2] = 1;",
        "p[2] is written, but p has 2 elements of 8 bytes|hint: work out by hand which index the last turn of the loop "
        "uses",
        "5:6",
    ),
    (
        "double* p = (double*)malloc(12);\np[1] = 1;",
        "p[1] is written, but p has 1 elements of 8 bytes|it has 12 bytes, since line 4|hint: work out by hand which "
        "index the last turn of the loop uses",
        "5:6",
    ),
    (
        "double* p = (double*)malloc(4);\ndouble x = p[0];",
        "p[0] is read, but p has 0 elements of 8 bytes|it has 4 bytes, since line 4|hint: work out by hand which index "
        "the last turn of the loop uses",
        "5:8",
    ),
    (
        "int* p = (int*)malloc(1 << 12);\np[1 << 20] = 1;",
        "p[1048576] is written, but p has 1,024 elements of 4 bytes|it has 4,096 bytes, since line 4|hint: work out by "
        "hand which index the last turn of the loop uses",
        "5:12",
    ),
    (
        "int* p = NULL;\nint x = *p;",
        "read through a null pointer|hint: did malloc, or what should have set it, come before?",
        "5:5",
    ),
    (
        "int* p = (int*)((1ull << 32) - 4);\n*p = 1;",
        "written through a null pointer|hint: did malloc, or what should have set it, come before?",
        "5:4",
    ),
    (
        "int* p = (int*)(1ull << 34);\n*p = 1;",
        "written through a pointer that points nowhere|hint: give the pointer a value first",
        "5:4",
    ),
    (
        "int* p = (int*)(1ull << 33);\nint x = *p;",
        "read through a pointer that points nowhere|hint: give the pointer a value first",
        "5:5",
    ),
    (
        "int* d; cudaMalloc(&d, 4);\nd[0] = 1;",
        "d is memory of the GPU: the host cannot write it|it is made by cudaMalloc in line 4|hint: copy it: "
        "cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice)",
        "5:6",
    ),
    (
        "int* d; cudaMalloc(&d, 4);\nint x = *d;",
        "d is memory of the GPU: the host cannot read it|it is made by cudaMalloc in line 4|hint: copy it: "
        "cudaMemcpy(host, d, bytes, cudaMemcpyDeviceToHost)",
        "5:5",
    ),
    (
        'char* t = (char*)"text";\nt[0] = 1;',
        'a text in quotes cannot be changed|hint: make an array of it: char text[] = "...";',
        "5:6",
    ),
    (
        "int x = 0;\nx = 7 % x;",
        "an integer is divided by zero|hint: check the divisor before",
        "5:3",
    ),
    (
        "int some_name;\nint y = some_name;",
        "some_name is read, but it has no value yet|hint: give it one where it is declared: some_name = 0",
        "5:5",
    ),
    (
        'const char* form = "%d %d\\n"; int x = 1;\nprintf(form, x);',
        "the text of printf has places for 2 values, but 1 given|hint: write one value for each % (and %% for the sign "
        "itself)",
        "5:1",
    ),
    (
        'const char* form = "%d%%\\n";\nprintf(form, 1.5);',
        "%d of '%d%%\\n' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text",
        "5:1",
    ),
    (
        'const char* form = "%s";\nprintf(form, 1);',
        "%s of '%s' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text",
        "5:1",
    ),
    (
        'const char* form = "%*f";\nprintf(form, 1.0, 1.0);',
        "%d of '%*f' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text",
        "5:1",
    ),
    (
        "int n = -1;\nint* p = new int[n];",
        "new of -1 elements|hint: the number is not what was meant",
        "5:10",
    ),
    (
        "long n = 1L << 31;\nint* p = new int[n];",
        "new of 2,147,483,648 elements|hint: the number is not what was meant",
        "5:10",
    ),
    (
        "int n = -4;\nmalloc(n);",
        "malloc of 18,446,744,073,709,551,612 bytes|hint: the size is negative, or no number of bytes",
        "5:1",
    ),
    (
        "int n = -4; int* d;\ncudaMalloc(&d, n);",
        "cudaMalloc of 18,446,744,073,709,551,612 bytes|hint: the size is negative, or no number of bytes",
        "5:1",
    ),
    (
        "int x[2] = {1, 2};\nk<<<1, 1>>>(x);",
        "kernel k is given x, memory of the host: a GPU cannot reach it|x is made by its declaration|hint: copy it to "
        "memory of cudaMalloc first, and pass that; or use cudaMallocManaged",
        "5:1",
    ),
    (
        "int* x = (int*)malloc(4);\nk<<<1, 1>>>(x);",
        "kernel k is given x, memory of the host: a GPU cannot reach it|x is made by malloc in line 4|hint: copy it to "
        "memory of cudaMalloc first, and pass that; or use cudaMallocManaged",
        "5:1",
    ),
    (
        "k<<<1, 1>>>((int*)9);",
        "kernel k is given argument 1, which points nowhere|hint: did cudaMalloc(&argument 1, bytes) come before?",
        "4:1",
    ),
    (
        "int* d; cudaMalloc(&d, 4);\ncudaFree(d); k<<<1, 1>>>(d);",
        "d is given to a kernel after it was freed in line 5|hint: free it after its last use",
        "5:14",
    ),
    (
        "none<<<0, 1>>>();",
        "kernel none was not launched, and nobody asked: a grid of 0 x 1 x 1 has nothing in it: its x is 0|a launch "
        "that fails says so only to cudaGetLastError(); what follows works on old results|hint: n / block is rounded "
        "down; write (n + block - 1) / block",
        "4:1",
    ),
    (
        "none<<<1, dim3(1, 0)>>>();",
        "kernel none was not launched, and nobody asked: a block of 1 x 0 x 1 has nothing in it: its y is 0|a launch "
        "that fails says so only to cudaGetLastError(); what follows works on old results|hint: a block has at least "
        "one thread",
        "4:1",
    ),
    (
        "none<<<1, dim3(1, 1, 65)>>>();",
        "kernel none was not launched, and nobody asked: a block of 1 x 1 x 65 is too large: its z may be up to 64|a "
        "launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: use a smaller "
        "one",
        "4:1",
    ),
    (
        "none<<<1, dim3(32, 33)>>>();",
        "kernel none was not launched, and nobody asked: a block of 32 x 33 x 1 has 1,056 threads; at most 1,024 are "
        "possible|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: use "
        "smaller blocks and more of them",
        "4:1",
    ),
    (
        "none<<<dim3(1, 65536), 1>>>();",
        "kernel none was not launched, and nobody asked: a grid of 1 x 65536 x 1 is too large: its y may be up to "
        "65,535|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: use a "
        "smaller one",
        "4:1",
    ),
    (
        "char* d; size_t p;\ncudaMallocPitch(&d, &p, -5, 2);",
        "cudaMallocPitch of 36,893,488,147,419,103,232 bytes|hint: the size is negative, or no number of bytes",
        "5:1",
    ),
    (
        "int* x = (int*)malloc(8); free(x);\ncudaHostRegister(x, 8, 0);",
        "cudaHostRegister needs memory of malloc or new|hint: pass the pointer that it returned",
        "5:1",
    ),
    (
        "int* x = (int*)5;\ncudaHostRegister(x, 8, 0);",
        "cudaHostRegister needs memory of malloc or new|hint: pass the pointer that it returned",
        "5:1",
    ),
    (
        "int* x = (int*)5;\ncudaHostUnregister(x);",
        "cudaHostUnregister of memory that was never registered|hint: register it first",
        "5:1",
    ),
    (
        "int* x = (int*)5; void* p;\ncudaHostGetDevicePointer(&p, x, 0);",
        "only pinned memory has an address on the GPU|hint: allocate it with cudaHostAlloc",
        "5:1",
    ),
    (
        "cudaEvent_t e;\ncudaEventRecord(e);",
        "e is read, but it has no value yet|hint: give it one where it is declared: e = 0",
        "5:1",
    ),
    (
        "cudaEvent_t e = 0;\ncudaEventRecord(e);",
        "an event is used that was never created|hint: write cudaEventCreate(&event) first",
        "5:1",
    ),
    (
        "cudaEvent_t e; cudaEventCreate(&e);\ncudaEventDestroy(e); cudaEventRecord(e);",
        "an event is used that was destroyed in line 5|hint: destroy it after its last use",
        "5:22",
    ),
    (
        "cudaEvent_t e; cudaEventCreate(&e); float t;\ncudaEventElapsedTime(&t, e, e);",
        "e was never recorded|hint: write cudaEventRecord(e) where the time is to be taken",
        "5:1",
    ),
    (
        "cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); float t; int *d, h = 1; cudaMalloc(&d, "
        "4);\ncudaEventRecord(e); cudaEventSynchronize(e); cudaEventRecord(f); cudaEventElapsedTime(&t, e, f);",
        "cudaEventElapsedTime asks for the time of f, which may not have happened yet|hint: wait for it first: "
        "cudaEventSynchronize(f)",
        "5:66",
    ),
    (
        "cudaStream_t s = (cudaStream_t)5;\ncudaStreamSynchronize(s);",
        "a stream is used that was never created|hint: write cudaStreamCreate(&stream) first",
        "5:1",
    ),
    (
        "cudaStream_t s; cudaStreamCreate(&s);\ncudaStreamDestroy(s); cudaStreamQuery(s);",
        "a stream is used that was destroyed in line 5|hint: destroy it after its last use",
        "5:23",
    ),
    (
        "int n = 1; cudaFuncAttributes a;\ncudaFuncGetAttributes(&a, &n);",
        "cudaFuncGetAttributes needs the name of a kernel|hint: write the name of a __global__ function",
        "5:1",
    ),
    (
        "int x; void* p;\ncudaHostGetDevicePointer(&p, &x, 0);",
        "only pinned memory has an address on the GPU|hint: allocate it with cudaHostAlloc",
        "5:1",
    ),
    (
        "int x[2];\ncudaHostRegister(x, 8, 0);",
        "cudaHostRegister needs memory of malloc or new|hint: pass the pointer that it returned",
        "5:1",
    ),
    (
        "int* x = new int;\ncudaHostUnregister(x);",
        "cudaHostUnregister of memory that was never registered|hint: register it first",
        "5:1",
    ),
    ('system("ls");', "a program here cannot start others|hint: leave system() out", "4:1"),
    (
        'FILE* f = fopen("x", "r"); char b[4];\nfread(b, 1, 4, f);',
        "this FILE* is NULL: fopen did not open the file|hint: ask before it is used: if (f == NULL) "
        '{ printf("no such file\\n"); return 1; }',
        "5:1",
    ),
    (
        'FILE* f = fopen("x", "w"); fclose(f);\nfprintf(f, "x");',
        "this FILE* is closed, or was never opened|hint: use it between fopen and fclose",
        "5:1",
    ),
    (
        'FILE* f = fopen("x", "w"); fclose(f);\nfclose(f);',
        "this FILE* is closed, or was never opened|hint: use it between fopen and fclose",
        "5:1",
    ),
    (
        'fopen("../x", "r");',
        "a program here has a folder of its own: '../x' is outside of it|hint: write a plain file name",
        "4:1",
    ),
]


@pytest.mark.parametrize(("statements", "words", "place"), WORDS)
def test_the_words(statements, words, place):
    with pytest.raises(HostError) as caught:
        Program(f"{HEAD}{statements}\n}}").run()
    line, column = map(int, place.split(":"))
    told = str(caught.value).splitlines()
    assert told[1] == f"  at program.cu:{place}" and (caught.value.line, caught.value.column) == (
        line,
        column,
    )
    assert told[2] == f"{line:5d} | {(HEAD + statements).splitlines()[line - 1]}"
    assert told[3] == " " * (8 + column - 1) + "^"
    assert "|".join([told[0], *(one[2:] for one in told[4:])]) == words
    assert caught.value.what == told[0] and "|hint: " + caught.value.hint in words


FUNCTIONS = [
    (
        "int f(int n) { if (n) return 1; }\nint main() { return f(0); }",
        "f ends without a return, but its value is needed",
        "return a value at its end",
        1,
    ),
    (
        "int* f() { int x[2], *y = x; return y; }\nint main() {\nint* p = f(); p[0] = 1; }",
        "x is written, but its function has ended",
        "memory that outlives a function comes from malloc or new",
        3,
    ),
    (
        "char c;\nint main() { (&c)[1] = 1; }",
        "c[1] is written, but c has 1 bytes",
        "work out by hand which index the last turn of the loop uses",
        2,
    ),
    (
        "int main() { static short s;\nreturn (&s)[1]; }",
        "s[1] is read, but s has 1 elements of 2 bytes",
        "work out by hand which index the last turn of the loop uses",
        2,
    ),
    (
        "int f(int n) { return f(n + 1) + 1; }\nint main() { return f(0); }",
        "the recursion is more than 10,000 calls deep",
        "a recursive function needs a case without a call of itself",
        1,
    ),
]


@pytest.mark.parametrize(("text", "what", "hint", "line"), FUNCTIONS)
def test_mistakes_with_functions(text, what, hint, line):
    with pytest.raises(HostError) as caught:
        Program(text).run()
    assert (caught.value.what, caught.value.hint, caught.value.line) == (what, hint, line)


NOTES = [
    (
        "int *p = new int[3], *q = new int[3], *r = (int*)malloc(4); delete p; free(q); delete r;",
        [
            "line 3: delete of what new[] made; write delete[]",
            "line 3: free of q, which is made by new; write delete[]",
            "line 3: delete of r, which is made by malloc; write free",
        ],
    ),
    (
        "char* p = new char; new int[2]; p = 0;",
        [
            "line 3: 1 bytes of p are never freed; write delete p;",
            "line 3: 8 bytes of memory are never freed; write delete[] ;",
        ],
    ),
    (
        "int *p, *q, *r; cudaMallocHost(&p, 4000); cudaMallocManaged(&q, 4); cudaMalloc(&r, 4);",
        [
            "line 3: 4,000 bytes of p are never freed; write cudaFreeHost(p);",
            "line 3: 4 bytes of q are never freed; write cudaFree(q);",
            "line 3: 4 bytes of r are never freed; write cudaFree(r);",
        ],
    ),
    (
        "said<<<1, 1>>>(); cudaDeviceSynchronize(); said<<<1, 1>>>();",
        [
            "1 line of printf in kernels are not shown, as on a GPU: the program ended before it waited for them; write "
            "cudaDeviceSynchronize();"
        ],
    ),
    (
        "said<<<1, 2>>>();",
        [
            "2 lines of printf in kernels are not shown, as on a GPU: the program ended before it waited for them; write "
            "cudaDeviceSynchronize();"
        ],
    ),
    ("silent<<<1, 1>>>();", []),
    (
        "bare<<<1, 1>>>();",
        [
            "1 line of printf in kernels are not shown, as on a GPU: the program ended before it waited for them; write "
            "cudaDeviceSynchronize();"
        ],
    ),
    (
        "void *p = realloc(NULL, 8); p = realloc(p, 16); p = calloc(1, 2);",
        [
            "line 3: 16 bytes of p are never freed; write free(p);",
            "line 3: 2 bytes of p are never freed; write free(p);",
        ],
    ),
]


@pytest.mark.parametrize(("statements", "notes"), NOTES)
def test_the_notes(statements, notes):
    text = (
        '__global__ void said() { printf("x\\n"); } __global__ void bare() { printf("x"); } '
        "__global__ void silent() { }\nint main() {\n%s\n}"
    )
    assert Program(text % statements).run().notes == notes
