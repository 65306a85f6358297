import FoundationEssentials
import Glibc
import LinuxPlatform
import Testing
import Workbench

/// A D-Bus of a test with a program in Python, which reads one command a line and prints one JSON object a line.
actor PlayedBus {
    struct Ended: Error {}

    /// Debian's Python, which has the packages.
    static let python = "/usr/bin/python3"

    nonisolated let address: String
    private let bus: ChildProcess
    private let service: ChildProcess?
    private var unread: [UInt8] = []

    /// - Parameters:
    ///   - folder: the folder of its socket
    ///   - script: the program, a file beside this one; nil for a bus without a service
    init(in folder: String, running script: String?, _ arguments: [String] = []) async throws {
        var launch = ProgramLaunch("dbus-daemon", ["--session", "--nofork", "--nosyslog", "--print-address"])
        launch.arguments.append("--address=unix:path=\(folder)/played-bus")
        launch.standardOutput = .pipe
        // The bus warns that a test may not raise its limits.
        launch.standardError = .null
        bus = try ChildProcess.launch(launch)
        var lines = try #require(bus.standardOutput).lines().makeAsyncIterator()
        address = try #require(try await lines.next())
        guard let script else {
            service = nil
            return
        }
        var program = ProgramLaunch(Self.python, ["\(Repository.root)/Tests/Support/NotificationService/\(script)"])
        program.arguments += arguments
        program.environment = ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
        (program.standardInput, program.standardOutput) = (.pipe, .pipe)
        service = try ChildProcess.launch(program)
        // The first line means that the service has its name on the bus.
        _ = try await line()
    }

    deinit {
        service?.send(SIGKILL)
        bus.send(SIGKILL)
    }

    /// The next line of the program.
    func line() async throws -> Data {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Data(unread[..<end])
            }
            guard let more = try await service?.standardOutput?.read(), !more.isEmpty else { throw Ended() }
            unread += more
        }
    }

    func say(_ command: String) async throws { try await service?.standardInput?.write(Array("\(command)\n".utf8)) }

    /// Ends the bus and the program.
    func end() async throws {
        for program in [bus, service] {
            program?.send(SIGTERM)
            _ = try await program?.wait()
        }
    }
}
