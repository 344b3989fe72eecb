// <sys/utsname.h>: what the machine calls itself.
struct utsname { char sysname[65], nodename[65], release[65], version[65], machine[65]; };
inline int uname(utsname* name) {
    memset(name, 0, sizeof(utsname));
    strcpy(name->sysname, "Linux");
    strcpy(name->machine, "x86_64");
    return 0;
}
