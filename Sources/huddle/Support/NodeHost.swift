import CommandTable
import Household
import Ledger
import LinuxPlatform
import Session
import SessionRules
import Synchronization
import Vocabulary

/// Runs the engine for as long as one command takes: the only place that knows that it runs in the command's own process.
enum NodeHost {
    /// How a command meets others.
    enum Presence {
        /// Others can come to it.
        case present
        /// It goes to others; what comes goes to `huddle inbox`.
        case calling
    }

    /// Opens a node, does the work, and lets the node take its leave.
    ///
    /// - Returns: what the work answers; nil where Ctrl-C ended it, or the limit
    static func run(
        _ presence: Presence,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals,
        orFor limit: Duration? = nil,
        changing change: (inout NodeConfiguration) -> Void = { _ in },
        _ work: @escaping @Engine @Sendable (Node) async throws -> ExitCode
    ) async throws -> ExitCode? {
        var configuration = try await configuration(presence, given, console)
        change(&configuration)
        let node = try await Node.open(configuration)
        let holder = HouseholdPresence.Holder("huddle")
        let presence = presence == .present ? try HouseholdPresence(in: configuration.folder, as: holder) : nil
        defer { withExtendedLifetime(presence) {} }
        let running = NodeRun(node)
        let outcome = Outcome()
        do {
            let ending = try await untilSignalled(signals, orFor: limit) { group in
                group.addTask { try await console.readerLeaves() }
                group.addTask {
                    outcome.set(try await work(node))
                    // The end of the work is the end of all.
                    throw CancellationError()
                }
            }
            if ending == .inOrder { await end(node, running, signals, console) }
        } catch {
            await end(node, running, signals, console)
            throw error
        }
        return outcome.code
    }

    private static func configuration(
        _ presence: Presence,
        _ given: GivenValues,
        _ console: Console
    ) async throws -> NodeConfiguration {
        let folder = StateFolder.path(given)
        let ledger = try await Ledger.open(at: folder)
        if let damage = ledger.damage { await console.complain("\(damage)") }
        let name = try await StateFolder.ownName(given, ledger)
        var configuration = NodeConfiguration(folder: folder, name: name)
        configuration.program = Release.program
        configuration.serviceType = given[LookingOptions.type]
        configuration.interfaces = LookingOptions.interfaces(given)
        configuration.browses = !given[NodeOptions.noBrowse]
        switch presence {
        case .present:
            configuration.listen(at: given[NodeOptions.port])
            configuration.address = given[NodeOptions.address]
            configuration.advertises = !given[NodeOptions.noAdvertise]
        case .calling:
            configuration.port = nil
            configuration.advertises = false
        }
        return configuration
    }

    /// Lets the node take its leave, for as long as that may take or until somebody asks again.
    private static func end(_ node: Node, _ running: NodeRun, _ signals: Signals, _ console: Console) async {
        if await !node.isIdle { await console.complain("what is under way may finish; Ctrl-C ends it at once") }
        await running.end { _ = await reasonToStop(signals, nil) }
    }

    /// What the work has answered so far.
    final class Outcome: Sendable {
        private let state = Mutex<ExitCode?>(nil)

        var code: ExitCode? { state.withLock { $0 } }

        func set(_ code: ExitCode) { state.withLock { $0 = code } }
    }
}
