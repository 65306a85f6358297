import Glibc
import LinuxPlatform
import Synchronization
import TestSupport
import Testing
import Workbench

/// A machine for `huddle`: a home folder and a name. All machines connect over the loopback interface.
final class Machine: Sendable {
    let name: String
    let home = TestSupport.TemporaryFolder()

    private let programs = Mutex<[ChildProcess]>([])

    init(_ name: String) {
        self.name = name
    }

    deinit {
        // A failed test leaves its daemon behind. That would hold the output of all tests open, which would never end.
        for program in programs.withLock({ $0 }) { program.send(SIGKILL) }
    }

    /// Runs a command to its end.
    func huddle(
        _ words: String...,
        input: [UInt8]? = nil,
        within limit: Duration = .seconds(30)
    ) async throws -> CompletedProgram {
        try await huddle(words, input: input, within: limit)
    }

    /// Runs a command to its end.
    func huddle(
        _ words: [String],
        input: [UInt8]? = nil,
        within limit: Duration = .seconds(30),
        environment: [String: String] = [:]
    ) async throws -> CompletedProgram {
        var launch = launch(words)
        launch.environment?.merge(environment) { _, new in new }
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        launch.standardInput = input == nil ? .null : .pipe
        let program = try ChildProcess.launch(launch)
        if let input {
            try await program.standardInput?.write(input)
            await program.standardInput?.close()
        }
        let ended = try await program.complete(outputLimit: 16 << 20, deadline: limit)
        if words.contains("--json") {
            let page = try JSONPage()
            for line in ended.output.split(separator: "\n") {
                if let fault = page.fault(in: line) { Issue.record("\(words)\n\(line)\n\(fault)") }
            }
        }
        return ended
    }

    /// Starts a command that runs on.
    func start(_ words: String...) throws -> ChildProcess { try start(words) }

    /// Starts a command that runs on.
    func start(_ words: [String]) throws -> ChildProcess {
        var launch = launch(words)
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        return try started(launch)
    }

    /// Starts the daemon.
    ///
    /// - Parameters:
    ///   - preparation: the commands of a shell before it becomes the daemon
    ///   - input: the standard input of that shell
    ///   - apart: the options of `unshare` for its own namespaces
    func startDaemon(
        _ words: [String],
        environment: [String: String] = [:],
        after preparation: String = ":",
        reading input: ProgramLaunch.Stream = .null,
        apart: [String] = []
    ) throws -> ChildProcess {
        let line = ["/bin/sh", "-c", "\(preparation); exec \"$0\" \"$@\"", "\(Programs.builtFolder)/huddled"] + words
        var launch =
            apart.isEmpty ? launch(Array(line[1...]), of: line[0]) : launch(apart + line, of: "/usr/bin/unshare")
        launch.standardInput = input
        launch.standardError = .pipe
        launch.environment?.merge(environment) { _, new in new }
        if name.isEmpty { launch.environment?["HUDDLE_NAME"] = nil }
        return try started(launch)
    }

    /// Starts a command on a terminal of its own, for which the test types into its input. Output and questions come
    /// together.
    ///
    /// - Parameter next: the command of the shell afterwards, such as one that reads the rest of the input
    func startOnTerminal(_ words: String..., then next: String? = nil) throws -> ChildProcess {
        let command = (["\(Programs.builtFolder)/huddle"] + words).map { "'\($0)'" }.joined(separator: " ")
        let line = next.map { "\(command); \($0)" } ?? command
        var launch = launch(["--quiet", "--return", "--flush", "--command", line, "/dev/null"], of: "/usr/bin/script")
        launch.standardInput = .pipe
        launch.standardOutput = .pipe
        return try started(launch)
    }

    /// The limit of the user namespace whose shell writes it. It changes nothing outside.
    private static let limit = "/proc/sys/user/max_inotify_watches"

    /// The command that limits the watches on folders in a shell's own user namespace.
    static func limitingWatches(to count: Int) -> String { "echo \(count) > \(limit)" }

    /// Returns true if this kernel allows limits of a namespace.
    static func mayLimitWatches() async -> Bool {
        let trial = ProgramLaunch("unshare", ["-Ur", "sh", "-c", limitingWatches(to: 9)])
        return (try? await ChildProcess.run(trial, deadline: .seconds(30)))?.status == .exited(0)
    }

    /// Raises the limit of a daemon that was started with few watches.
    func allowWatches(_ count: Int, to daemon: ChildProcess) async throws {
        let place = ["-U", "--preserve-credentials", "-t", "\(daemon.identifier)"]
        let launch = ProgramLaunch("nsenter", place + ["sh", "-c", Self.limitingWatches(to: count)])
        let ended = try await ChildProcess.run(launch, deadline: .seconds(30))
        guard ended.status.isSuccess else { throw NotAllowed(story: ended.story) }
    }

    struct NotAllowed: Error {
        let story: String
    }

    private func started(_ launch: ProgramLaunch) throws -> ChildProcess {
        let program = try ChildProcess.launch(launch)
        programs.withLock { $0.append(program) }
        return program
    }

    private func launch(_ words: [String], of program: String = "huddle") -> ProgramLaunch {
        var launch = ProgramLaunch(program.hasPrefix("/") ? program : "\(Programs.builtFolder)/\(program)", words)
        launch.folder = home.path
        var environment = ["HOME": home.path, "HUDDLE_NAME": name, "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        environment["HUDDLE_USUAL_PORT"] = "0"
        // A sanitizer's settings count for the programs under test as well.
        for name in ["TSAN_OPTIONS", "ASAN_OPTIONS", "LD_LIBRARY_PATH", "LD_PRELOAD"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        launch.environment = environment
        return launch
    }
}

extension CompletedProgram {
    /// Its standard output.
    var output: String { standardOutput.text }

    /// All of its output, for the message of a failure.
    var story: String { "\(status)\n\(standardOutput.text)\(standardError.text)" }
}
