import CommandTable
import Glibc
import Household
import LinuxPlatform
import Synchronization
import Vocabulary

/// `huddled` as a child process of this command. It ends with the command, even if the command crashes.
final class AttachedDaemon: Sendable {
    /// The daemon's options that the command passes on, besides the state folder.
    static let options: [any DeclaredOption] = [
        DaemonOptions.into, DaemonOptions.name, DaemonOptions.address, DaemonOptions.port, DaemonOptions.noAdvertise,
        DaemonOptions.noBrowse, DaemonOptions.type, DaemonOptions.interfaces, DaemonOptions.exceptInterfaces,
    ]

    private let program: ChildProcess
    private let console: Console
    private let words = Mutex(Words())
    private let reading = Mutex<Task<Void, Never>?>(nil)

    private struct Words {
        /// True once the daemon reports events. Its log repeats them, so the command stops printing the log.
        var isReady = false
        var lastError: String?
    }

    /// The time that the daemon has to end before the command tells the user how to end it at once.
    private static let quick: Duration = .seconds(2)

    /// Starts the daemon from the folder of this program, or from `PATH`.
    init(_ given: GivenValues, _ console: Console) throws(CommandError) {
        self.console = console
        var launch = ProgramLaunch(Self.path, ["--attached"] + Self.passedOn(given))
        launch.standardInput = .pipe
        launch.standardOutput = .null
        launch.standardError = .pipe
        // The Ctrl-C of this terminal must reach only this command, which ends the daemon in order.
        launch.startsSession = true
        do throws(SystemError) {
            program = try ChildProcess.launch(launch)
        } catch {
            throw CommandError(
                "command.no-huddled",
                "huddled can't be started: \(error)",
                nextStep: "put it beside huddle or into a folder of PATH; the package has both"
            )
        }
        let task = Task(executorPreference: EventLoop.shared.taskExecutor) { [self] in await read() }
        reading.withLock { $0 = task }
    }

    private static var path: String {
        guard let own = Program.path else { return "huddled" }
        let folder = own.split(separator: "/").dropLast().joined(separator: "/")
        let beside = "/\(folder)/huddled"
        return access(beside, X_OK) == 0 ? beside : "huddled"
    }

    /// The daemon's options that the user typed. The child inherits the environment by itself.
    private static func passedOn(_ given: GivenValues) -> [String] {
        typed([AskingOptions.state] + options, given).map { option, text in
            switch option.shape.longForm {
            // The user can type each of these options several times.
            case DaemonOptions.interfaces.shape.longForm: "--interface=\(list(given[DaemonOptions.interfaces]))"
            case DaemonOptions.exceptInterfaces.shape.longForm:
                "--except-interface=\(list(given[DaemonOptions.exceptInterfaces]))"
            case let name: option.shape.takesValue ? "\(name)=\(text)" : name
            }
        }
    }

    private static func list(_ patterns: [[String]]) -> String { patterns.flatMap(\.self).joined(separator: ",") }

    private static func typed(
        _ options: [any DeclaredOption],
        _ given: GivenValues
    ) -> [(option: any DeclaredOption, text: String)] {
        options.compactMap { option in
            guard let said = given.said(option), said.variable == nil else { return nil }
            return (option, said.text)
        }
    }

    /// Throws if the user typed an option of the daemon though a daemon runs already: that daemon has its own settings.
    static func refuseOptions(_ given: GivenValues) throws(CommandError) {
        let names = typed(options, given).map(\.option.shape.longForm)
        guard !names.isEmpty else { return }
        let (words, it) = (names.joined(separator: ", "), names.count == 1 ? "it" : "them")
        throw CommandError(
            ErrorCode(.invalid, "command.daemon-runs"),
            "\(words) can't be chosen here: huddled runs already, with its own settings",
            nextStep: "leave \(it) out, or see `huddle config show` and change the settings of huddled"
        )
    }

    // MARK: Start and end

    /// Waits until the daemon responds. Returns false if it ends before that.
    func isReady(_ given: GivenValues) async -> Bool {
        let isReady = await withTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask { await Daemon.waitUntilRunning(given) }
            group.addTask { [program] in
                _ = try? await program.wait()
                return false
            }
            return await group.next() ?? false
        }
        words.withLock { $0.isReady = isReady }
        return isReady
    }

    /// Waits until the daemon has ended by itself, and reports why.
    func reportEnd() async -> ExitCode {
        let ending = try? await program.wait()
        await reading.withLock { $0 }?.value
        if ending == .exited(0) { return .success }
        let how = ending.map { "\($0)" } ?? "unknown"
        await console.report(["error: \(words.withLock { $0.lastError } ?? "huddled has ended: \(how)")"])
        return .failure
    }

    /// Ends the daemon in order. A second Ctrl-C kills it.
    func end(_ signals: Signals) async {
        program.send(SIGTERM)
        await withTaskGroup(of: Step.self) { group in
            defer { group.cancelAll() }
            group.addTask { [program] in
                _ = try? await program.wait()
                return .ended
            }
            group.addTask {
                try? await EventLoop.shared.sleep(for: Self.quick)
                return .isSlow
            }
            group.addTask {
                _ = await signals.next()
                return .again
            }
            for await step in group {
                switch step {
                case .ended: return
                case .isSlow: await console.complain("huddled is finishing its work; Ctrl-C ends it at once")
                case .again: program.send(SIGKILL)
                }
            }
        }
    }

    private enum Step {
        case ended, isSlow, again
    }

    /// Reads the daemon's log to its end, since a full pipe would stop the daemon.
    private func read() async {
        guard var lines = program.standardError?.lines().makeAsyncIterator() else { return }
        while let line = try? await lines.next() {
            if line.hasPrefix(Self.error) {
                words.withLock { $0.lastError = String(line.dropFirst(Self.error.count)) }
            } else if line.hasPrefix(Self.warning), !words.withLock({ $0.isReady }) {
                let text = String(line.dropFirst(Self.warning.count))
                // The first event says the same about the inbox.
                if !text.hasPrefix("no files are taken: ") { await console.complain(text) }
            }
        }
    }

    private static let error = "huddled: error: "
    private static let warning = "huddled: warning: "
}
