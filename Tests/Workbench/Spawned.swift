import CLinux
import Glibc
import Synchronization

/// A child process in a process group of its own, with its outputs on two pipes. Tests spawn processes only here.
struct Spawned {
    private let pid: pid_t
    private let output: CInt
    private let complaint: CInt

    /// The lock under which pipes and children are made. A child that starts before a new pipe is marked as
    /// close-on-exec would hold the pipe open.
    private static let isSpawning = Mutex(())

    init(_ words: [String], in folder: String, environment: [String: String]) throws {
        // A shell changes the folder, since Swift can't call posix_spawn's own function for that.
        let line = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder] + words
        let variables = environment.map { "\($0.key)=\($0.value)" }
        (pid, output, complaint) = try Self.isSpawning.withLock { _ in
            let (output, complaint) = (try Pipe(), try Pipe())
            defer { for end in [output.writing, complaint.writing] { close(end) } }
            do {
                return (try Self.spawn(line, variables, output, complaint), output.reading, complaint.reading)
            } catch {
                for end in [output.reading, complaint.reading] { close(end) }
                throw error
            }
        }
    }

    private static func spawn(_ words: [String], _ variables: [String], _ output: Pipe, _ complaint: Pipe) throws
        -> pid_t
    {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        posix_spawn_file_actions_adddup2(&actions, complaint.writing, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var pid = pid_t()
        let failure = withVector(words) { words in
            withVector(variables) { posix_spawn(&pid, "/bin/sh", &actions, &attributes, words, $0) }
        }
        guard failure == 0 else { throw CannotRun(reason: String(cString: strerror(failure))) }
        return pid
    }

    /// Reads both pipes until the child has ended, or kills it and its group at the deadline.
    func collect(
        until deadline: ContinuousClock.Instant
    ) -> (ending: ProgramRun.Ending, output: [UInt8], complaint: [UInt8]) {
        let exit = huddle_pidfd_open(pid)
        precondition(exit >= 0, "a child that was not waited for can be watched")
        defer { for descriptor in [exit, output, complaint] { close(descriptor) } }
        var texts: [CInt: [UInt8]] = [output: [], complaint: []]
        var watched: Set<CInt> = [exit, output, complaint]
        var isLate = false
        while !watched.isEmpty {
            let ready = Self.ready(watched, until: deadline)
            // A grandchild that left the group may hold the pipes open for ever, so they are closed with the child.
            if isLate, !watched.contains(exit) { break }
            if ready.isEmpty, !isLate {
                isLate = true
                kill(-pid, SIGKILL)
            }
            for descriptor in ready {
                let bytes = descriptor == exit ? [] : Self.read(descriptor)
                texts[descriptor]?.append(contentsOf: bytes)
                if bytes.isEmpty { watched.remove(descriptor) }
            }
        }
        let ending = reap()
        return (isLate ? .deadline : ending, texts[output] ?? [], texts[complaint] ?? [])
    }

    private func reap() -> ProgramRun.Ending {
        var status: CInt = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exit(Int(status >> 8) & 0xFF) : .signal(Int(signal))
    }

    /// Waits for the killed child after the deadline, as long as the kernel takes.
    private static func ready(_ watched: Set<CInt>, until deadline: ContinuousClock.Instant) -> [CInt] {
        var entries = watched.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        let left = ContinuousClock.now.duration(to: deadline)
        let milliseconds = left > .zero ? left / .milliseconds(1) + 1 : 1000
        _ = poll(&entries, nfds_t(entries.count), CInt(clamping: Int(milliseconds)))
        return entries.filter { $0.revents != 0 }.map(\.fd)
    }

    private static func read(_ descriptor: CInt) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        return count > 0 ? Array(buffer.prefix(count)) : []
    }

    private static func withVector<Result>(
        _ texts: [String],
        _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}

/// A pipe whose ends are closed in every child, except the copies that are its outputs.
private struct Pipe {
    let reading: CInt
    let writing: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CannotRun(reason: String(cString: strerror(errno))) }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
}

/// The error of a program that could not be started.
private struct CannotRun: Error {
    let reason: String
}
