// getopt, as of POSIX: it stops at the first argument that is no option, and glibc's getopt_long.
char* optarg = NULL;
int optind = 1, opterr = 1, optopt = 0, __inside = 1;
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct option { const char* name; int has_arg; int* flag; int val; };
inline int getopt(int argc, char** argv, const char* known) {
    if (optind >= argc || argv[optind][0] != '-' || argv[optind][1] == 0) return -1;
    char* text = argv[optind];
    if (strcmp(text, "--") == 0) { optind++; return -1; }
    int letter = optopt = text[__inside++];
    const char* place = strchr(known, letter);
    bool ends = text[__inside] == 0;
    if (place == NULL || letter == ':') letter = '?';
    else if (place[1] == ':') {
        optarg = ends ? argv[++optind] : text + __inside;
        if (ends && optind >= argc) letter = '?';
        ends = true;
    }
    if (ends) { optind++; __inside = 1; }
    return letter;
}
inline int getopt_long(int argc, char** argv, const char* known, const option* all, int* index) {
    if (optind >= argc || strncmp(argv[optind], "--", 2) != 0 || argv[optind][2] == 0) return getopt(argc, argv, known);
    const char* text = argv[optind++] + 2;
    size_t length = strcspn(text, "=");
    for (int k = 0; all[k].name != NULL; k++) {
        if (strlen(all[k].name) != length || strncmp(all[k].name, text, length) != 0) continue;
        optarg = NULL;
        if (text[length] == '=') optarg = (char*)text + length + 1;
        else if (all[k].has_arg == required_argument) optarg = argv[optind++];
        if (index) *index = k;
        if (all[k].flag) { *all[k].flag = all[k].val; return 0; }
        return all[k].val;
    }
    return '?';
}
