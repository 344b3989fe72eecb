// Of what cuda-samples' header of this name gives their programs: numbers in files, and comparisons.
inline char* sdkFindFilePath(const char* name, const char* program) {
    const char* folders[] = {"./%s", "./data/%s"};
    char* path = (char*)calloc(strlen(name) + 16, 1);
    for (int i = 0; i < 2; i++) {
        sprintf(path, folders[i], name);
        FILE* file = fopen(path, "r");
        if (file != NULL) { fclose(file); return path; }
    }
    free(path);
    return NULL;
}
template <typename T> bool sdkReadFile(const char* name, T** data, unsigned* count, bool verbose) {
    FILE* file = fopen(name, "r");
    if (file == NULL) return false;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fseek(file, 0, SEEK_SET);
    char *text = (char*)calloc(size + 1, 1), *at = text, *next = text;
    fread(text, 1, size, file);
    fclose(file);
    T* numbers = *data == NULL ? (T*)malloc((size + 1) * sizeof(T)) : *data;
    unsigned n = 0;
    for (T number = (T)strtod(at, &next); next != at; number = (T)strtod(at, &next)) { numbers[n++] = number; at = next; }
    free(text);
    *data = numbers;
    *count = n;
    return n > 0;
}
template <typename T, typename S>
bool sdkWriteFile(const char* name, const T* data, unsigned count, const S epsilon, bool verbose, bool append = false) {
    FILE* file = fopen(name, append ? "a" : "w");
    if (file == NULL) return false;
    if (!append) fprintf(file, "# %g\n", (double)epsilon);
    for (unsigned i = 0; i < count; i++) fprintf(file, "%g ", (double)data[i]);
    fprintf(file, "\n");
    fclose(file);
    return true;
}
template <typename T, typename S>
bool compareData(const T* reference, const T* data, const unsigned length, const S epsilon, const float threshold) {
    unsigned wrong = 0;
    for (unsigned i = 0; i < length; i++) wrong += fabsf((float)reference[i] - (float)data[i]) > epsilon;
    return threshold == 0.0f ? wrong == 0 : length * threshold > wrong;
}
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned length, const float epsilon) {
    float error = 0, norm = 0;
    for (unsigned i = 0; i < length; i++) {
        float difference = reference[i] - data[i];
        error += difference * difference;
        norm += reference[i] * reference[i];
    }
    return sqrtf(error) / sqrtf(norm) < epsilon;
}
