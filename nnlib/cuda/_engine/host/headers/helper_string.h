// What cuda-samples' header of this name gives their programs.
inline const char* __value_of(int argc, const char** argv, const char* name) {
    for (int i = 1; i < argc; i++) {
        const char* word = argv[i];
        while (*word == '-') word++;
        size_t length = strlen(name);
        if (!strncmp(word, name, length) && (word[length] == '=' || word[length] == 0)) return word + length;
    }
    return NULL;
}
inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) {
    return __value_of(argc, argv, name) != NULL;
}
inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
    const char* found = __value_of(argc, argv, name);
    *value = found != NULL && *found == '=' ? (char*)(found + 1) : NULL;
    return *value != NULL;
}
inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
    const char* value = __value_of(argc, argv, name);
    return value != NULL && *value == '=' ? atoi(value + 1) : 0;
}
inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
    const char* value = __value_of(argc, argv, name);
    return value != NULL && *value == '=' ? (float)atof(value + 1) : 0;
}
