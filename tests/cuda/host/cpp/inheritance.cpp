#include <cstdio>
#include <vector>

struct Shape {
    const char* name;
    int id;
    Shape(const char* n) : name(n), id(7) { printf("Shape %s\n", n); }
    virtual ~Shape() { printf("~Shape %s\n", name); }
    virtual float area() const = 0;
    virtual void show() { printf("%s %d %.2f\n", name, id, area()); }
    int twice(int x) { return 2 * x + id; }
};

class Square : public Shape {
protected:
    float side;

public:
    Square(float s) : Shape("square"), side(s) {}
    ~Square() { printf("~Square\n"); }
    float area() const override { return side * side; }
};

class Cube final : public Square {
public:
    Cube(float s) : Square(s) { id = 9; }
    void show() override {
        Square::show();
        printf("cube %f\n", side * side * side);
    }
};

struct Counter {  // its constructor is the compiler's
    int n = 3;
    virtual int next() { return ++n; }
};
struct Double : Counter {
    int next() { return n += 2; }
};

struct Point {
    float x, y;
    float sum() const { return x + y; }
};
struct Solid : Point {
    float z;
    float sum() const { return Point::sum() + z; }
};

void print(const Shape& shape) { printf("area %f\n", shape.area()); }

int main() {
    std::vector<Shape*> shapes;
    shapes.push_back(new Square(3));
    shapes.push_back(new Cube(2));
    for (auto shape : shapes) {
        shape->show();
        print(*shape);
        printf("%d\n", shape->twice(3));
    }
    for (auto shape : shapes) delete shape;
    Cube cube(4);
    Shape& reference = cube;
    reference.show();
    Counter counter;
    Double twice;
    Counter* both[2] = {&counter, &twice};
    for (int i = 0; i < 2; i++) {
        printf("%d ", both[i]->next());
        printf("%d\n", both[i]->n);
    }
    Solid solid;
    solid.x = 1;
    solid.y = 2;
    solid.z = 3;
    Point part = solid;
    printf("%f %f %zu\n", solid.sum(), part.sum(), sizeof(Solid));
    return 0;
}
