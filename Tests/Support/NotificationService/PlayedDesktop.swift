import FoundationEssentials
import Glibc
import LinuxPlatform
import Testing
public import Workbench

/// A desktop with a session bus of its own and, unless it is bare, a program that shows notifications: what is shown comes to the
/// test, which presses the buttons.
public actor PlayedDesktop {
    /// What the program was asked.
    public struct Call: Decodable, Sendable {
        /// `Notify` or `CloseNotification`.
        public let call: String
        /// Which notification it is about.
        public let number: Int?
        /// What is written large.
        public let title: String?
        /// What is written below.
        public let body: String?
        /// Keys and labels of the buttons, in turn.
        public let actions: [String]?
        /// How many milliseconds it may stay; 0 is for ever.
        public let timeout: Int?
        /// 1 is the usual.
        public let urgency: Int?
    }

    struct Ended: Error {}

    /// Debian's, for its packages.
    private static let python = "/usr/bin/python3"

    /// Python with what it needs to be a program on the bus.
    public static let requirement = Requirement("python3-dbus") {
        (try? ProgramRun([python, "-c", "import dbus.service, gi.repository.GLib"]).ending) == .exit(0)
    }

    /// Where it is.
    public nonisolated let address: String
    private let bus: ChildProcess
    private let service: ChildProcess?
    private var unread: [UInt8] = []

    /// - Parameters:
    ///   - folder: where its bus is put
    ///   - abilities: what it says it can do; nil where nothing shows notifications
    public init(in folder: String, abilities: [String]? = ["actions", "body", "body-markup"]) async throws {
        var launch = ProgramLaunch("dbus-daemon", ["--session", "--nofork", "--nosyslog", "--print-address"])
        launch.arguments.append("--address=unix:path=\(folder)/session-bus")
        launch.standardOutput = .pipe
        // What it complains about is that a test may not raise its limits.
        launch.standardError = .null
        bus = try ChildProcess.launch(launch)
        var said = try #require(bus.standardOutput).lines().makeAsyncIterator()
        address = try #require(try await said.next())
        guard let abilities else {
            service = nil
            return
        }
        var program = ProgramLaunch(Self.python, ["\(Repository.root)/Tests/Support/NotificationService/service.py"])
        program.arguments += abilities
        program.environment = ["DBUS_SESSION_BUS_ADDRESS": address, "PATH": "/usr/bin:/bin"]
        (program.standardInput, program.standardOutput) = (.pipe, .pipe)
        let service = try ChildProcess.launch(program)
        self.service = service
        _ = try await next()
    }

    deinit {
        service?.send(SIGKILL)
        bus.send(SIGKILL)
    }

    /// What it is asked next.
    public func next() async throws -> Call {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return try JSONDecoder().decode(Call.self, from: Data(unread[..<end]))
            }
            guard let more = try await service?.standardOutput?.read(), !more.isEmpty else { throw Ended() }
            unread += more
        }
    }

    /// The person presses a button.
    public func press(_ key: String, on number: Int?) async throws {
        try await service?.standardInput?.write(Array("press \(number ?? 0) \(key)\n".utf8))
    }

    /// The person closes what is shown.
    public func close(_ number: Int?) async throws {
        try await service?.standardInput?.write(Array("close \(number ?? 0)\n".utf8))
    }

    /// Ends the bus, and with it everybody on it.
    public func end() async throws {
        for program in [bus, service] {
            program?.send(SIGTERM)
            _ = try await program?.wait()
        }
    }
}
