import CLinux
import Glibc

/// A running program of this user, held so that the kernel reports its end without polling.
public final class RunningProgram: Sendable {
    /// The process number.
    public let process: Int32
    /// The time that it had run when it was found.
    public let ran: Duration
    private let descriptor: OwnedDescriptor

    /// Finds all programs that go by a name now: the name in `ps -A`, the last part of the command that started them,
    /// or the name of their file. A Windows game goes by its `.exe`.
    ///
    /// It looks at every program, so call it only when something has happened.
    public static func all(named name: String) -> [RunningProgram] {
        ProcessFiles.processes.compactMap { $0 == getpid() ? nil : RunningProgram($0, named: name) }
    }

    private init?(_ process: Int32, named name: String) {
        guard Self.isOwn(process), Self.goes(process, by: name) else { return nil }
        let number = huddle_pidfd_open(process)
        guard number >= 0 else { return nil }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        (self.process, ran) = (process, Self.age(of: process))
        // Only now that it is held, its number can't become another program's.
        guard Self.goes(process, by: name) else { return nil }
    }

    /// Waits until it has ended. It needs no check before: an earlier end is reported at once.
    public nonisolated(nonsending) func untilEnded(on loop: EventLoop = .shared) async throws {
        try await loop.waitUntil(.readable, descriptor.number)
    }

    private static func isOwn(_ process: Int32) -> Bool {
        var raw = stat()
        return stat("/proc/\(process)", &raw) == 0 && raw.st_uid == geteuid()
    }

    private static func goes(_ process: Int32, by name: String) -> Bool {
        let (folder, bytes) = ("/proc/\(process)", Array(name.utf8))
        if ProcessFiles.text("\(folder)/comm").utf8.dropLast().elementsEqual(bytes) { return true }
        let command = ProcessFiles.text("\(folder)/cmdline").utf8.prefix { $0 != 0 }
        return lastName(command) == bytes || lastName(file(of: process)) == bytes
    }

    /// The part behind the last slash or backslash.
    private static func lastName(_ path: some Sequence<UInt8>) -> [UInt8] {
        Array(path).split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            .last.map(Array.init) ?? []
    }

    private static func file(of process: Int32) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/\(process)/exe", &buffer, buffer.count)
        return buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
    }

    private static func age(of process: Int32) -> Duration {
        // Its name may contain spaces and brackets. The twentieth field behind it is the start time, in ticks since the
        // system started.
        let text = ProcessFiles.text("/proc/\(process)/stat")
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        var now = timespec()
        let ticks = sysconf(CInt(_SC_CLK_TCK))
        guard fields.count > 20, let began = Int64(fields[20]), ticks > 0, clock_gettime(CLOCK_BOOTTIME, &now) == 0
        else { return .zero }
        let start = Duration.seconds(began / Int64(ticks))
        return max(.zero, .seconds(now.tv_sec) - start)
    }
}
