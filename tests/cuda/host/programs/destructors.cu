// {"output": "+a +b 2 -b +c 0 -c +c 1 -c +made 4 +x +y -y -x +d0 +d1 -d1 -d0 +one -one -made -a end\n"}
#include <stdio.h>
int made = 0, counted = 0;
struct Buffer {
    const char* name;
    float* data;
    Buffer(const char* n) {
        name = n;
        made++;
        cudaMalloc(&data, 8);
        printf("+%s ", name);
    }
    ~Buffer() {
        cudaFree(data);
        printf("-%s ", name);
    }
};
struct Pair {
    Buffer x, y;
    Pair(const char* a, const char* b) : x(a), y(b) { }
};
class Counted {
public:
    Counted() {
        number = counted++;
        printf("+d%d ", number);
    }
    ~Counted();
private:
    int number;
};
Counted::~Counted() { printf("-d%d ", number); }
Buffer make(const char* name) {
    Buffer buffer(name);
    return buffer;
}
void run() {
    Buffer a("a");
    {
        Buffer b("b");
        printf("%d ", made);
    }
    for (int i = 0; i < 3; i++) {
        if (i == 2) break;
        Buffer c("c");
        printf("%d ", i);
        if (i == 0) continue;
    }
    Buffer result = make("made");
    printf("%d ", made - 1);
    {
        Pair pair("x", "y");
    }
    {
        Counted several[2];
    }
    {
        Buffer* one = new Buffer("one");
        delete one;
    }
}
int main() {
    run();
    printf("end\n");
}
