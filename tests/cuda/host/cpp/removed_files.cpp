#include <cstdio>

int main() {
    FILE* file = fopen("made.txt", "w");
    fprintf(file, "here\n");
    fclose(file);
    printf("%d", remove("made.txt"));
    printf(" %d %d\n", remove("made.txt") != 0, fopen("made.txt", "r") == NULL);
    return 0;
}
