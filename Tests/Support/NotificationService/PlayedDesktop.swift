import FoundationEssentials
public import Workbench

/// A desktop with a session bus and, except for a bare one, a program that shows notifications. The test gets each
/// notification and presses its buttons.
public struct PlayedDesktop: Sendable {
    /// A call of the notification service.
    public struct Call: Decodable, Sendable {
        /// `Notify` or `CloseNotification`.
        public let call: String
        /// The number of the notification.
        public let number: Int?
        /// The title.
        public let title: String?
        /// The text below the title.
        public let body: String?
        /// Keys and labels of the buttons, alternating.
        public let actions: [String]?
        /// The milliseconds that it stays; 0 for ever.
        public let timeout: Int?
        /// The urgency; 1 is normal.
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
    ///   - abilities: the capabilities of the service; nil without a service
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
