import CLinux
import Glibc
import LinuxPlatform
import Vocabulary

/// The first process of a host. It keeps the host's namespaces alive, and ends with the process that started the host.
///
/// It only reads a pipe whose other end the lab's own process holds. When that process ends, for any reason, the pipe
/// closes and the keeper ends. Then the kernel kills all other processes of its process namespace. With the last
/// process the namespaces and interfaces disappear. So the lab leaves nothing behind and needs no cleanup.
final class Keeper: Sendable {
    /// Its process number outside of the namespace.
    let identifier: CInt
    /// Its start in the kernel's ticks. No other process has the same number and start.
    let startTime: UInt64
    /// Its pidfd.
    let descriptor: OwnedDescriptor
    /// The pipe; nil for a lab of another process.
    private let child: ChildProcess?

    /// Takes over a keeper that has just been started.
    private init(_ child: ChildProcess) throws {
        self.child = child
        identifier = child.identifier
        descriptor = try Self.open(child.identifier)
        startTime = try ProcessRecord(child.identifier).startTime
    }

    /// Finds the keeper of a lab's record.
    ///
    /// - Throws: an error if that process has ended, or its number belongs to another one now
    init(visiting identifier: CInt, startedAt startTime: UInt64) throws {
        descriptor = try Self.open(identifier)
        // Read only after the descriptor was opened, so that both belong to the same process.
        guard try ProcessRecord(identifier).startTime == startTime else { throw SystemError("pidfd_open", ESRCH) }
        self.identifier = identifier
        self.startTime = startTime
        child = nil
    }

    /// Makes namespaces and sets them up with a script. The script prints “ready” at its end, and then becomes the
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

    /// Closes the pipe, which ends all processes of the namespaces. Returns once they have ended.
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
