/* A disk that fails when it is told to: loaded before the C library into a process (LD_PRELOAD), it stands between SQLite and the system.
 *
 * FAULTY_DISK names a directory: only files below it are concerned. FAULTY_DISK_SWITCH names a file of four 32-bit numbers, by which a test
 * says what fails, while the process runs: see server/tests/common/faults.rs.
 *
 * Nothing is flushed: no test takes the power away, and thousands of flushes take minutes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SOUND = 0, FULL = 1, BROKEN = 2, KILLED = 3 };

struct control {
    _Atomic int kind;     /* what fails */
    _Atomic int lasting;  /* whether it fails from then on, or once */
    _Atomic int left;     /* how many operations still succeed */
    _Atomic int counted;  /* how many there were */
};

static struct control *control;
static const char *directory;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("FAULTY_DISK_SWITCH");
    directory = getenv("FAULTY_DISK");
    if (!path || !directory) return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) control = mapped;
    close(file);
}

/* Whether this operation on this file fails, and how. */
static int fault(int file, int takes_room) {
    if (!control) return 0;
    int kind = atomic_load(&control->kind);
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    if (strncmp(path, directory, strlen(directory)) != 0) return 0;
    /* A full disk still flushes what it has. */
    if (kind == FULL && !takes_room) return 0;
    atomic_fetch_add(&control->counted, 1);
    if (kind == SOUND) return 0;
    int left = atomic_fetch_sub(&control->left, 1);
    if (left > 0) return 0;
    if (left < 0 && !atomic_load(&control->lasting)) return 0;
    if (kind == KILLED) raise(SIGKILL);
    return kind == FULL ? ENOSPC : EIO;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAIL_FIRST(file, takes_room)           \
    do {                                       \
        int error = fault(file, takes_room);   \
        if (error) { errno = error; return -1; } \
    } while (0)

ssize_t write(int file, const void *bytes, size_t size) {
    static __typeof__(&write) real;
    if (!real) real = REAL(write);
    FAIL_FIRST(file, 1);
    return real(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
    static __typeof__(&pwrite) real;
    if (!real) real = REAL(pwrite);
    FAIL_FIRST(file, 1);
    return real(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
    static __typeof__(&pwrite64) real;
    if (!real) real = REAL(pwrite64);
    FAIL_FIRST(file, 1);
    return real(file, bytes, size, at);
}

int fsync(int file) {
    static __typeof__(&fsync) real;
    if (!real) real = REAL(fsync);
    FAIL_FIRST(file, 0);
    return control ? 0 : real(file);
}

int fdatasync(int file) {
    static __typeof__(&fdatasync) real;
    if (!real) real = REAL(fdatasync);
    FAIL_FIRST(file, 0);
    return control ? 0 : real(file);
}
