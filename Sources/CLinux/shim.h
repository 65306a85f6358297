// The parts of Linux that the Glibc module of the toolchain leaves out, and wrappers for what Swift can't call:
// variadic functions and macros.
#ifndef HUDDLE_CLINUX_SHIM_H
#define HUDDLE_CLINUX_SHIM_H

// First: with _FORTIFY_SOURCE <stdlib.h> says something else where this has not been read, and Swift takes one meaning alone.
#include <limits.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/if_addr.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/openat2.h>
#include <linux/rtnetlink.h>
#include <linux/stat.h>
#include <malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

// <link.h> shows it to those only who ask for all that is GNU's. The beginning of it is enough.
struct dl_phdr_info {
    Elf64_Addr dlpi_addr;
    const char *dlpi_name;
    const Elf64_Phdr *dlpi_phdr;
    Elf64_Half dlpi_phnum;
};
extern int dl_iterate_phdr(int (*each)(struct dl_phdr_info *object, size_t size, void *data), void *data);

// `syscall` is variadic; Debian 12's glibc has no wrapper of its own for these.
static inline int huddle_pidfd_open(int pid) {
    return (int)syscall(SYS_pidfd_open, pid, 0);
}

static inline int huddle_pidfd_send_signal(int pidfd, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, 0, 0);
}

static inline int huddle_openat2(int folder, const char *path, uint64_t flags, uint64_t mode, uint64_t resolve) {
    struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
    return (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
}

// `accept4` stands behind _GNU_SOURCE, which the importer does not define for every header.
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);

// The number that /proc/self/task lists a thread under.
static inline int huddle_thread_number(void) {
    return (int)syscall(SYS_gettid);
}

// Gives the calling thread, and no other, its own view of the mounted file systems.
static inline int huddle_leave_shared_mounts(void) {
    return (int)syscall(SYS_unshare, 0x00020000 /* CLONE_NEWNS */);
}

// The same for `renameat2`.
static inline int huddle_rename_without_overwriting(int from_folder, const char *from, int to_folder, const char *to) {
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 1 /* RENAME_NOREPLACE */);
}

static inline int huddle_rename_exchanging(int from_folder, const char *from, int to_folder, const char *to) {
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 2 /* RENAME_EXCHANGE */);
}

// Leases stand behind _GNU_SOURCE: F_SETLEASE, F_GETLEASE and F_SETSIG. `kind` is F_RDLCK, F_WRLCK or F_UNLCK.
static inline int huddle_set_lease(int file, int kind) {
    return fcntl(file, 1024, kind);
}

static inline int huddle_get_lease(int file) {
    return fcntl(file, 1025);
}

static inline int huddle_choose_lease_signal(int file, int signal) {
    return fcntl(file, 10, signal);
}

// `ioctl` is variadic, and FICLONE a macro.
static inline int huddle_clone_file(int to, int from) {
    return ioctl(to, FICLONE, from);
}

// `ioctl` is variadic, and FS_IOC_GETFLAGS a macro. File systems without flags have no such folders.
static inline int huddle_folds_names(int folder) {
    int flags = 0;
    return ioctl(folder, FS_IOC_GETFLAGS, &flags) == 0 && (flags & FS_CASEFOLD_FL) != 0;
}

// O_PATH stands behind _GNU_SOURCE; the kernel's own headers have its value.
static const int huddle_open_path_only = 010000000;

// `makedev` is a macro.
static inline uint64_t huddle_device(unsigned int major, unsigned int minor) {
    return makedev(major, minor);
}

// `statx` and its flags stand behind _GNU_SOURCE. Without automounting, and without asking a server.
static inline int huddle_cached_device(const char *path, uint64_t *device) {
    struct statx facts;
    const int flags = 0x800 | 0x4000;
    if (syscall(SYS_statx, AT_FDCWD, path, flags, 0, &facts) != 0) return -1;
    *device = makedev(facts.stx_dev_major, facts.stx_dev_minor);
    return 0;
}

// `syncfs` and `sync_file_range` stand behind _GNU_SOURCE.
static inline int huddle_sync_file_system(int descriptor) {
    return (int)syscall(SYS_syncfs, descriptor);
}

static inline int huddle_write_back(int file, int64_t offset, int64_t count, int wait) {
    // SYNC_FILE_RANGE_WRITE, and with waiting also WAIT_BEFORE and WAIT_AFTER.
    return (int)syscall(SYS_sync_file_range, file, offset, count, wait ? 7u : 2u);
}

static inline int huddle_hide_memory(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static inline int huddle_is_memory_hidden(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0;
}

// `prctl` is variadic, and pthread_setname_np stands behind _GNU_SOURCE.
static inline int huddle_name_this_thread(const char *name) {
    return prctl(PR_SET_NAME, name);
}

// `ioctl` is variadic.
static inline int huddle_interface_flags(int socket, struct ifreq *request) {
    return ioctl(socket, SIOCGIFFLAGS, request);
}

static inline int huddle_terminal_size(int descriptor, struct winsize *size) {
    return ioctl(descriptor, TIOCGWINSZ, size);
}

static inline int huddle_tun_attach(int descriptor, struct ifreq *request) {
    return ioctl(descriptor, TUNSETIFF, request);
}

// `environ` is a variable that every thread may change, which Swift 6 refuses to touch; lent to `posix_spawn` at once it
// is as safe as in any C program. It stands behind _GNU_SOURCE besides.
extern char **environ;
static inline char **huddle_environment(void) {
    return environ;
}

// `pipe2` stands behind _GNU_SOURCE too.
static inline int huddle_pipe(int ends[2]) {
    return (int)syscall(SYS_pipe2, ends, O_CLOEXEC);
}

// `ppoll` stands behind _GNU_SOURCE; null waits without limit.
static inline int huddle_ppoll(struct pollfd *descriptors, unsigned long count, const struct timespec *limit) {
    struct timespec copy;
    if (limit) copy = *limit;
    // The kernel writes back what is left of the time.
    return (int)syscall(SYS_ppoll, descriptors, count, limit ? &copy : 0, 0, 0);
}

// `struct ucred` stands behind _GNU_SOURCE.
struct huddle_credentials {
    int process;
    unsigned int user;
    unsigned int group;
};

static inline int huddle_peer_credentials(int descriptor, struct huddle_credentials *found) {
    socklen_t length = sizeof *found;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, found, &length);
}

// What a multicast group on one interface takes: `struct group_req` and `struct ip_mreqn` stand behind feature macros.
static inline int huddle_join_group(int descriptor, const struct sockaddr *group, socklen_t length, unsigned int index) {
    struct {
        uint32_t interface;
        struct sockaddr_storage group;
    } request = {.interface = index};
    memcpy(&request.group, group, length);
    int level = group->sa_family == AF_INET6 ? IPPROTO_IPV6 : IPPROTO_IP;
    return setsockopt(descriptor, level, 42 /* MCAST_JOIN_GROUP */, &request, sizeof request);
}

// Says over which interface a socket speaks to groups, and that it hears those groups only that it joined itself.
static inline int huddle_keep_to_interface(int descriptor, int family, unsigned int index) {
    int number = (int)index, no = 0, furthest = 255;
    if (family == AF_INET6) {
        if (setsockopt(descriptor, IPPROTO_IPV6, 29 /* IPV6_MULTICAST_ALL */, &no, sizeof no)) return -1;
        if (setsockopt(descriptor, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &furthest, sizeof furthest)) return -1;
        return setsockopt(descriptor, IPPROTO_IPV6, IPV6_MULTICAST_IF, &number, sizeof number);
    }
    struct {
        uint32_t group, address;
        int interface;
    } request = {.interface = number};
    if (setsockopt(descriptor, IPPROTO_IP, 49 /* IP_MULTICAST_ALL */, &no, sizeof no)) return -1;
    if (setsockopt(descriptor, IPPROTO_IP, IP_MULTICAST_TTL, &furthest, sizeof furthest)) return -1;
    return setsockopt(descriptor, IPPROTO_IP, IP_MULTICAST_IF, &request, sizeof request);
}

// Whether the kernel's clock is kept right from outside: 1 or 0, and -1 where it can't be asked.
static inline int huddle_clock_is_kept(void) {
    struct timex state = {.modes = 0};
    int answer = adjtimex(&state);
    return answer < 0 ? -1 : !(state.status & STA_UNSYNC);
}

// glibc declares these behind _GNU_SOURCE.
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *folder);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

#endif
