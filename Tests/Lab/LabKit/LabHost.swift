import Glibc
public import LinuxPlatform

/// One host of a lab.
public final class LabHost: Sendable {
    /// Its number, from 1.
    public let number: Int

    /// Its host name, from which Avahi makes `NAME.local`.
    public let name: String

    /// Its address in the lab's network.
    public var address: String { "10.77.0.\(number)" }

    /// Its IPv6 address in that network, beside the link-local one.
    public var address6: String { "fd77::\(number)" }

    let keeper: Keeper
    let network: Switch

    /// The address of its system bus. The path is the same as on any machine, but the folder is the host's own.
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
    ///   - environment: variables beside the usual ones
    ///   - outputLimit: the maximum number of bytes of each output
    ///   - deadline: the time after which it is killed; see `exceededDeadline` of the result
    /// - Throws: `LabError` if it can't be started; the caller checks its ending
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

    /// Starts a program on the host. Its output comes through pipes that the caller must read; use
    /// ``launch(_:environment:)`` and ``start(_:)`` for other arrangements.
    public func start(_ words: [String], environment: [String: String] = [:]) async throws -> ChildProcess {
        var launch = launch(words, environment: environment)
        launch.standardOutput = .pipe
        launch.standardError = .pipe
        launch.startsSession = true
        return try await start(launch)
    }

    /// A program with the surroundings of this host: the working directory, if it exists there, and the environment
    /// without this machine's own variables. `HOME` and `XDG_RUNTIME_DIR` are folders of the host.
    public func launch(_ words: [String], environment: [String: String] = [:]) -> ProgramLaunch {
        precondition(!words.isEmpty, "a command has at least one word")
        var launch = ProgramLaunch(words[0], Array(words.dropFirst()))
        launch.environment = HostEnvironment.adding(environment)
        return launch
    }

    /// Starts a program. It is a child of this process in the host's namespaces. So signals reach it directly, its exit
    /// code is its own, and it can't outlive the host.
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
