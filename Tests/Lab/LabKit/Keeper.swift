import CLinux
import Glibc
import LinuxPlatform
import Vocabulary

/// The first process of a host: it keeps the host's namespaces alive, and ends with whoever brought the host up.
///
/// It does nothing but read a pipe whose other end only the lab's own process holds. When that process ends, for whatever
/// reason, the pipe closes, the keeper ends, and the kernel kills everything else in its process namespace; with the last
/// process the namespaces go, and with them the interfaces. So nothing is ever left behind, and nothing has to clean up.
final class Keeper: Sendable {
    /// Seen from outside.
    let identifier: CInt
    /// When it started, in the kernel's ticks: together with the number it is never given to another process.
    let startTime: UInt64
    /// Its pidfd.
    let descriptor: OwnedDescriptor
    /// Nil where we only visit somebody else's lab.
    private let child: ChildProcess?

    /// Takes over a keeper that was started just now.
    private init(_ child: ChildProcess) throws {
        self.child = child
        identifier = child.identifier
        descriptor = try Self.open(child.identifier)
        startTime = try ProcessRecord(child.identifier).startTime
    }

    /// Finds the keeper that a lab has written down.
    ///
    /// - Throws: where that process has ended, or its number belongs to another one now.
    init(visiting identifier: CInt, startedAt startTime: UInt64) throws {
        descriptor = try Self.open(identifier)
        // Looked at only after the descriptor was opened, so that the two can't be of different processes.
        guard try ProcessRecord(identifier).startTime == startTime else { throw SystemError("pidfd_open", ESRCH) }
        self.identifier = identifier
        self.startTime = startTime
        child = nil
    }

    /// Makes namespaces and sets them up with a script, which says “ready” when it is done and then turns into the
    /// keeper.
    static func start(
        _ name: String,
        script: String,
        words: [String],
        joined: Keeper?,
        created: Namespaces
    ) async throws -> Keeper {
        var launch = ProgramLaunch("/bin/sh", ["-c", script, name] + words)
        launch.environment = HostEnvironment.plain
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        launch.startsSession = true
        var start = NamespaceLaunch(launch)
        start.joined = joined.map { ($0, .users) }
        start.created = created
        let child = try await start.start()
        try await waitUntilReady(child, name)
        return try Keeper(child)
    }

    /// Lets go: everything in the namespaces ends at once. Answers when it has.
    func end() async {
        guard let child else { return }
        await child.standardInput?.close()
        if (try? await EventLoop.shared.withDeadline(.seconds(5), "wait", { try await child.wait() })) == nil {
            child.send(SIGKILL)
            _ = try? await child.wait()
        }
    }

    private static func open(_ identifier: CInt) throws -> OwnedDescriptor {
        OwnedDescriptor(takingOwnershipOf: try retrying("pidfd_open") { huddle_pidfd_open(identifier) })
    }

    private static func waitUntilReady(_ child: ChildProcess, _ name: String) async throws {
        let answer = try? await EventLoop.shared.withDeadline(.seconds(10), "start \(name)") {
            var lines = child.standardOutput?.lines().makeAsyncIterator()
            return try await lines?.next()
        }
        guard answer != "ready" else { return }
        child.send(SIGKILL)
        let complaint = try await child.complete(deadline: .seconds(5)).standardError.text
        throw LabError(
            "lab.namespaces",
            "\(name) could not be set up: \(LastWords(complaint))",
            nextStep: "run “lab check” to see what this machine allows"
        )
    }
}
