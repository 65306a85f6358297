import Glibc
public import LinuxPlatform

/// One host of a lab.
public final class LabHost: Sendable {
    /// Counted from 1.
    public let number: Int

    /// Its machine name, which Avahi makes `NAME.local` of.
    public let name: String

    /// Its address in the lab's network.
    public var address: String { "10.77.0.\(number)" }

    /// Its IPv6 address there, beside the link-local one.
    public var address6: String { "fd77::\(number)" }

    let keeper: Keeper
    let network: Switch

    /// The same path as on any machine; the folder is the host's own.
    static let busAddress = "unix:path=/run/dbus/system_bus_socket"

    init(number: Int, name: String, keeper: Keeper, network: Switch) {
        self.number = number
        self.name = name
        self.keeper = keeper
        self.network = network
    }

    /// Runs a program on the host to its end.
    ///
    /// - Parameters:
    ///   - words: the program and its arguments
    ///   - environment: what to add to the usual environment
    ///   - outputLimit: how many bytes of each output are kept
    ///   - deadline: when it is killed; see `exceededDeadline` of the answer
    /// - Throws: `LabError` where it can't be started. How it ended is for the caller to judge.
    public func run(
        _ words: [String],
        environment: [String: String] = [:],
        outputLimit: Int = 1 << 20,
        deadline: Duration = .seconds(10)
    ) async throws -> CompletedProgram {
        var launch = launch(words, environment: environment)
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        launch.startsSession = true
        return try await start(launch).complete(outputLimit: outputLimit, deadline: deadline)
    }

    /// Starts a program on the host. Its output comes through pipes that the caller must read; use ``launch(_:environment:)``
    /// and ``start(_:)`` for other arrangements.
    public func start(_ words: [String], environment: [String: String] = [:]) async throws -> ChildProcess {
        var launch = launch(words, environment: environment)
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        launch.startsSession = true
        return try await start(launch)
    }

    /// A program with the surroundings that it finds on this host: the current folder where it exists there too, and the
    /// environment without what belongs to this machine. `HOME` and `XDG_RUNTIME_DIR` are folders of the host's own.
    public func launch(_ words: [String], environment: [String: String] = [:]) -> ProgramLaunch {
        precondition(!words.isEmpty, "a command has at least one word")
        var launch = ProgramLaunch(words[0], Array(words.dropFirst()))
        launch.environment = HostEnvironment.adding(environment)
        return launch
    }

    /// Starts a program as it is described. It is our own child, in the host's namespaces: a signal reaches it and not
    /// something in between, its exit code is its own, and it can't outlive the host.
    public func start(_ launch: ProgramLaunch) async throws -> ChildProcess {
        var launch = launch
        let isOptional = launch.folder == nil
        if isOptional { launch.folder = currentFolder() }
        return try await room.start(launch, folderIsOptional: isOptional)
    }

    var room: Room { Room(keeper: keeper, privilege: network.privilege, name: name) }

    /// Runs one of the lab's own scripts on the host.
    func perform(_ step: String, _ script: String, _ words: [String]) async throws {
        try await room.perform(step, script, words)
    }

    private func currentFolder() -> String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
