// What is said of functions that do not end well.
CASE

// case
    int f(int n) { if (n) return 1; }
//      ^ f ends without a return, but its value is needed|hint: return a value at its end
    int main() { return f(0); }

// case
    int* f() { int x[2], *y = x; return y; }
    int main() {
    int* p = f(); p[0] = 1; }
//                     ^ x is written, but its function has ended|hint: memory that outlives a function comes from malloc or new

// case
    char c;
    int main() { (&c)[1] = 1; }
//                       ^ c[1] is written, but c has 1 bytes|it has 1 bytes, since line 2|hint: work out by hand which index the last iteration of the loop uses

// case
    int main() { static short s;
    return (&s)[1]; }
//  ^ s[1] is read, but s has 1 elements of 2 bytes|it has 2 bytes, since line 2|hint: work out by hand which index the last iteration of the loop uses

// case
    int f(int n) { return f(n + 1) + 1; }
//                 ^ the recursion is more than 10,000 calls deep|hint: a recursive function needs a case without a call of itself
    int main() { return f(0); }
