import CLinux
import Glibc

/// A program of this user's that runs, held so that its end is told by the kernel and not looked for.
public final class RunningProgram: Sendable {
    /// The program's number.
    public let process: Int32
    /// For how long it had run when it was found.
    public let ran: Duration
    private let descriptor: OwnedDescriptor

    /// All that go by a name, now: what `ps -A` calls them, the end of what they were started as, or the name of their file. A game of
    /// Windows goes by its `.exe`.
    ///
    /// It is a look at every program, so it is for when something has happened.
    public static func all(named name: String) -> [RunningProgram] {
        ProcessFiles.processes.compactMap { $0 == getpid() ? nil : RunningProgram($0, named: name) }
    }

    private init?(_ process: Int32, named name: String) {
        guard Self.isOwn(process), Self.goes(process, by: name) else { return nil }
        let number = huddle_pidfd_open(process)
        guard number >= 0 else { return nil }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        (self.process, ran) = (process, Self.age(of: process))
        // Only now that it is held the number is its own for good.
        guard Self.goes(process, by: name) else { return nil }
    }

    /// Waits until it has ended. It needs no look before: what has ended already is told at once.
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

    /// What stands behind the last slash, of which Windows has another kind.
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
        // Its name may have spaces and brackets; behind it the twentieth field says when it began, in ticks since the system did.
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
