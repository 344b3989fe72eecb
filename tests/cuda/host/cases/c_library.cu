// The C library: what does not fit, and what a program finds only here.
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
int main(int argc, char** argv) {
CASE
}

// case
    char t[3]; sprintf(t, "%d", 123);
//             ^ 4 bytes are written from byte 0 of t on, which has 3|hint: compare with what was allocated; a text has a byte of 0 at its end

// case
    char t[3]; strcpy(t, "abc");
//             ^ 4 bytes are written from byte 0 of t on, which has 3|hint: compare with what was allocated; a text has a byte of 0 at its end

// case
    char t[4] = "ab"; strcat(t, "cd");
//                    ^ 3 bytes are written from byte 2 of t on, which has 4|hint: compare with what was allocated; a text has a byte of 0 at its end

// case
    char t[2] = {1, 2}; fwrite(t, 1, 3, stdout);
//                      ^ 3 bytes are read from byte 0 of t on, which has 2|hint: compare with what was allocated; a text has a byte of 0 at its end

// case
    printf("%s", (char*)NULL);
//  ^ read through a null pointer|hint: did malloc, or what should have set it, come before?

// case
    struct P { int a, b, c; }; P* p = new P[2]; P q = p[2];
//                                                ^ p[2] is read, but p has 2 elements of 12 bytes|it has 24 bytes, since line 7|hint: work out by hand which index the last iteration of the loop uses

// case
    struct P { int a, b, c; }; P q, *p = new P[2]; p[-1] = q;
//                                                       ^ p[-1] is written, but p has 2 elements of 12 bytes|it has 24 bytes, since line 7|hint: the index is negative

// case
    strlen((char*)NULL);
//  ^ read through a null pointer|hint: did malloc, or what should have set it, come before?

// case
    int n = 0; sscanf("5", "%q", &n);
//             ^ scanf does not know %q of '%q'|hint: it reads %d %i %u %x %o %f %lf %e %g %s %c %p %n and %[...]

// case
    int n = 0; sscanf("5", "%hhhd", &n);
//             ^ scanf does not know %hhh of '%hhhd'|hint: it reads %d %i %u %x %o %f %lf %e %g %s %c %p %n and %[...]

// case
    int n = 0; sscanf("5", "%d %", &n);
//             ^ scanf does not know % of '%d %'|hint: it reads %d %i %u %x %o %f %lf %e %g %s %c %p %n and %[...]

// case
    int n = 0; sscanf("5", "%S", &n);
//             ^ scanf does not know %S of '%S'|hint: it reads %d %i %u %x %o %f %lf %e %g %s %c %p %n and %[...]

// case
    int n = 0; sscanf("5", "%9999999999d", &n);
//             ^ scanf does not know % of '%9999999999d'|hint: it reads %d %i %u %x %o %f %lf %e %g %s %c %p %n and %[...]

// case
    std::string s; printf("%d", s);
//                 ^ %d of '%d' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text

// case
    std::cout << std::setw(2000000000) << 1;
//                                     ^ a value is printed with a width of 100,000 characters or more|hint: write a smaller width

// case
    std::cout << std::setprecision(200000) << 1.5;
//                                         ^ a value is printed with a width of 100,000 characters or more|hint: write a smaller width

// case
    int n = -1; int a[n];
//                  ^ an array has fewer than 0 elements|hint: print the number before: what computes it?

// case
    int a[1 << -1];
//      ^ an array has fewer than 0 elements|hint: print the number before: what computes it?

// case
    long n = 1l << 60; int a[n];
//                         ^ 4,611,686,018,427,387,904 bytes for an array are more than a program gets here|hint: use smaller arrays

// case
    char t[4]; strncpy(t, "a", 5);
//             ^ 5 bytes are written, past the end of t|t has 4 bytes|hint: compare the number of bytes with what was allocated

// case
    char t[4]; strncpy(t, "a", -1);
//             ^ 18,446,744,073,709,551,615 bytes are written, past the end of t|t has 4 bytes|hint: compare the number of bytes with what was allocated

// case
    strtol("7", NULL, -1);
//  ^ strtol knows no base -1|hint: write 10; or 0 for as the number is written

// case
    strtol("7", NULL, 1);
//  ^ strtol knows no base 1|hint: write 10; or 0 for as the number is written

// case
    strtol("7", NULL, 37);
//  ^ strtol knows no base 37|hint: write 10; or 0 for as the number is written

// case
// args: more
    if (argc > 1)
    printf("%d %f", 1);
//  ^ the text of printf has places for 2 values, but 1 given|hint: write one value for each % (and %% for the sign itself)

// case
// args: more
    if (argc > 1)
    printf("%f", 1);
//  ^ %f of '%f' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text

// case
// args: more
    if (argc > 1)
    fprintf(stderr, "%s", 1.5);
//  ^ %s of '%s' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text

// case: it is a mistake where it is printed
    if (argc > 1)
    printf("%d %f", 1);

// case: a value too many is left out
// output: "1%\n2\n"
// note: line 7: printf is given 2 values, but its text prints only 1
    printf("%d%%\n", 1, 2.5);
    printf("%d\n", 2);

// case: what a program finds only here
    FILE* w = fopen("a", "w"); fputs("abc", w); fclose(w); w = fopen("c", "w"); fputs("abc", w);
    fclose(w); w = fopen("t", "w"); fclose(w);
    { fputs("one ", stdout); fprintf(stderr, "%c|%3c|%-3c|", 'a', 'b', 'c'); puts(""); }
    //  prints: one a|  b|c  |
    { fwrite("ab", 1, 2, stdout); printf("%d", (int)fwrite("cdef", 2, 2, stderr)); puts(""); }
    //  prints: abcdef2
    { printf("%d", getenv("HOME") == NULL); puts(""); }
    //  prints: 1
    { perror("oh"); puts(""); }
    //  prints: oh: No such file or directory
    //  prints:

    { FILE* f = fopen("a", "r"); fclose(f); FILE* h = fopen("a", "r"); printf("%d", h == f);
    fclose(h); puts(""); }
    //  prints: 1
    { FILE* f = fopen("c", "r"); char l[3]; printf("%d%d", (int)fread(l, 1, -1, f), feof(f));
    fclose(f); puts(""); }
    //  prints: 31
    { int n = 0; while (n < 200 && fopen("t", "r")) n++; printf("%d", n); puts(""); }
    //  prints: 101
