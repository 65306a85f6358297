import FoundationEssentials
public import Workbench

/// A desktop with a session bus of its own and, unless it is bare, a program that shows notifications: what is shown comes to the
/// test, which presses the buttons.
public struct PlayedDesktop: Sendable {
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

    /// Python with the packages of a program on the bus.
    public static let requirement = Requirement("python3-dbus") {
        (try? ProgramRun([PlayedBus.python, "-c", "import dbus.service, gi.repository.GLib"]).ending) == .exit(0)
    }

    /// The address of its bus.
    public let address: String
    private let bus: PlayedBus

    /// - Parameters:
    ///   - folder: the folder of its socket
    ///   - abilities: the capabilities that it names; nil if nothing shows notifications
    public init(in folder: String, abilities: [String]? = ["actions", "body", "body-markup"]) async throws {
        bus = try await PlayedBus(in: folder, running: abilities == nil ? nil : "service.py", abilities ?? [])
        address = bus.address
    }

    /// The next call of the program under test.
    public func next() async throws -> Call { try JSONDecoder().decode(Call.self, from: try await bus.line()) }

    /// Presses a button as the user does.
    public func press(_ key: String, on number: Int?) async throws { try await bus.say("press \(number ?? 0) \(key)") }

    /// Closes a notification as the user does.
    public func close(_ number: Int?) async throws { try await bus.say("close \(number ?? 0)") }

    /// Ends the bus, and every connection to it.
    public func end() async throws { try await bus.end() }
}
