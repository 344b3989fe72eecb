#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>

void log(const char* form, ...) {
    va_list more;
    va_start(more, form);
    vprintf(form, more);
    va_end(more);
}

double sum(int count, ...) {
    va_list more;
    va_start(more, count);
    double result = 0;
    for (int i = 0; i < count; i++) result += i % 2 ? va_arg(more, double) : va_arg(more, int);
    va_end(more);
    return result;
}

int ascending(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

int main(int argc, char** argv) {
    int option, n = 0, verbose = 0;
    while ((option = getopt(argc, argv, "vn:")) != -1) {
        if (option == 'n') n = atoi(optarg);
        else if (option == 'v') verbose = 1;
    }
    printf("%d %d %s\n", n, verbose, argv[optind]);
    log("%d %s %5.2f %c %ld\n", 3, "text", 2.5f, 'x', 123456789012L);
    printf("%f\n", sum(4, 1, 2.5, 3, 4.5));
    int a = 0, b = 0, count = sscanf("12 0x1f abc", "%d %x", &a, &b);
    float f = 0;
    double d = 0;
    char word[20], letter = 0;
    printf("%d %d %d\n", count, a, b);
    count = sscanf("3.5e2,-7.25 hello x", "%f,%lf %19s %c", &f, &d, word, &letter);
    printf("%d %f %f %s %c\n", count, f, d, word, letter);
    printf("%d %d\n", sscanf("abc", "%d", &a), sscanf("", "%d", &a));
    count = sscanf("key=value;rest", "%[^=]=%[a-z]", word, word + 10);
    printf("%d %s %s\n", count, word, word + 10);
    FILE* file = fopen(argv[optind], "r");
    count = fscanf(file, "%d %d", &a, &b);
    printf("%d %d %d\n", count, a, b);
    count = fscanf(file, "%lf%s", &d, word);
    printf("%d %f %s\n", count, d, word);
    printf("%c", fgetc(file) == ' ' ? 's' : 'n');
    while (fscanf(file, "%s", word) == 1) printf(" %s", word);
    printf(" %d\n", feof(file) != 0);
    rewind(file);
    char line[50];
    while (fgets(line, 50, file)) printf("(%s)", line);
    fclose(file);
    int numbers[7] = {5, 3, 9, 1, 7, 2, 8};
    qsort(numbers, 7, sizeof(int), ascending);
    for (int i = 0; i < 7; i++) printf(" %d", numbers[i]);
    char text[] = "one, two;three";
    for (char* part = strtok(text, ", ;"); part != NULL; part = strtok(NULL, ", ;")) printf(" <%s>", part);
    printf("\n%s %s %d\n", strchr("hello", 'l'), strstr("hello world", "wor"), (int)strcspn("abc;d", ";"));
    printf("%d %d %c %c\n", isdigit('5') != 0, isalpha('5') != 0, toupper('q'), tolower('Q'));
    float* aligned = NULL;
    if (posix_memalign((void**)&aligned, 64, 4 * sizeof(float)) == 0) aligned[3] = 1.5f;
    printf("%f %lu\n", aligned[3], strtoul("ff", NULL, 16));
    free(aligned);
    int rows = n / 4;
    float table[rows];
    for (int i = 0; i < rows; i++) table[i] = i;
    char names[rows][8];
    strcpy(names[rows - 1], "last");
    printf("%zu %f %s %zu\n", sizeof(table), table[rows - 1], names[2], sizeof(names) / sizeof(names[0]));
    return 0;
}
