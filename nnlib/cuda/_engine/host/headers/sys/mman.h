// Of <sys/mman.h>: memory that no file is behind.
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 2
#define MAP_ANON 32
#define MAP_ANONYMOUS 32
#define MAP_FAILED ((void*)-1)
inline void* mmap(void* address, size_t size, int protection, int flags, int file, long offset) { return malloc(size); }
inline int munmap(void* address, size_t size) { free(address); return 0; }
