#define _GNU_SOURCE
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// What the children tell the caller through a pipe that closes by itself when the program runs.
struct report {
    int process;
    int step;
    int error;
};

static int kernel_flags(int namespaces) {
    int flags = 0;
    if (namespaces & LAB_USERS) flags |= CLONE_NEWUSER;
    if (namespaces & LAB_NETWORK) flags |= CLONE_NEWNET;
    if (namespaces & LAB_MOUNTS) flags |= CLONE_NEWNS;
    if (namespaces & LAB_HOST_NAME) flags |= CLONE_NEWUTS;
    if (namespaces & LAB_PROCESSES) flags |= CLONE_NEWPID;
    if (namespaces & LAB_MESSAGES) flags |= CLONE_NEWIPC;
    return flags;
}

static _Noreturn void give_up(int pipe, int step) {
    struct report report = {.step = step, .error = errno};
    (void)!write(pipe, &report, sizeof report);
    _exit(127);
}

static bool write_file(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    bool written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
    int error = errno;
    close(file);
    errno = error;
    return written;
}

// A program must not inherit what the caller ignores or blocks.
static void reset_signals(void) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &plain, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

// The numbers in `streams` are all above 2 and so is `pipe`: the caller sees to it.
static _Noreturn void become_program(const struct lab_request *start, int pipe) {
    if (start->new_session) setsid();
    for (int number = 0; number < 3; number++) {
        if (dup2(start->streams[number], number) < 0) give_up(pipe, LAB_STEP_STREAMS);
    }
    // Everything above closes when the program begins, the report's pipe among it.
    syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
    if (start->folder && chdir(start->folder) != 0 && !start->folder_is_optional) give_up(pipe, LAB_STEP_FOLDER);
    reset_signals();
    // The program is looked up in the PATH that it will have itself.
    environ = (char **)start->environment;
    execvp(start->arguments[0], start->arguments);
    give_up(pipe, LAB_STEP_PROGRAM);
}

// Runs in a child of its own, since joining changes the whole process and needs one without threads. The program is
// started as its sibling, so that it is the caller's own child: its signals and its exit status need no messenger.
static _Noreturn void prepare(const struct lab_request *start, int pipe) {
    if (start->process >= 0 && start->joined) {
        if (setns(start->process, kernel_flags(start->joined)) != 0) give_up(pipe, LAB_STEP_JOIN);
    }
    if (start->created) {
        if (unshare(kernel_flags(start->created)) != 0) give_up(pipe, LAB_STEP_CREATE);
    }
    if (start->created & LAB_USERS) {
        bool mapped = write_file("/proc/self/setgroups", "deny") && write_file("/proc/self/uid_map", start->user_map)
            && write_file("/proc/self/gid_map", start->group_map);
        if (!mapped) give_up(pipe, LAB_STEP_MAP_IDS);
    }
    long process = syscall(SYS_clone, (unsigned long)(CLONE_PARENT | SIGCHLD), 0, 0, 0, 0);
    if (process < 0) give_up(pipe, LAB_STEP_FORK);
    if (process == 0) become_program(start, pipe);
    struct report report = {.process = (int)process};
    (void)!write(pipe, &report, sizeof report);
    _exit(0);
}

static int wait_for(int process) {
    int status;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) return -1;
    }
    return status;
}

static struct lab_started collect(int pipe) {
    struct lab_started started = {0};
    struct report report;
    for (;;) {
        ssize_t count = read(pipe, &report, sizeof report);
        if (count < 0 && errno == EINTR) continue;
        if (count != sizeof report) break;
        if (report.process) started.process = report.process;
        if (report.step) {
            started.failed_step = report.step;
            started.error = report.error;
        }
    }
    return started;
}

struct lab_started lab_start(const struct lab_request *start) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return (struct lab_started){.failed_step = LAB_STEP_FORK, .error = errno};
    // Nothing of the caller's may run in the children, its signal handlers least of all.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        prepare(start, ends[1]);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return (struct lab_started){.failed_step = LAB_STEP_FORK, .error = error};
    }
    struct lab_started started = collect(ends[0]);
    close(ends[0]);
    wait_for(child);
    if (started.failed_step != LAB_STEP_NONE && started.process > 0) {
        wait_for(started.process);
        started.process = 0;
    }
    if (started.failed_step == LAB_STEP_NONE && started.process == 0) {
        // Neither a report nor a process: the child was killed from outside.
        started.failed_step = LAB_STEP_FORK;
        started.error = ECHILD;
    }
    return started;
}
