import FoundationEssentials

/// A login manager on a bus of its own, which announces sleep to programs.
public struct PlayedLogins: Sendable {
    /// An event at the login manager.
    public struct Event: Decodable, Sendable {
        /// `locked` or `released`.
        public let event: String
        /// The kinds of a lock, such as `sleep:shutdown`.
        public let what: String?
        /// The program that holds the lock.
        public let who: String?
        /// `delay` or `block`.
        public let mode: String?
    }

    /// The address of its bus.
    public let address: String
    private let bus: PlayedBus

    /// - Parameter folder: the folder of its socket
    public init(in folder: String) async throws {
        bus = try await PlayedBus(in: folder, running: "logins.py")
        address = bus.address
    }

    /// The next event.
    public func next() async throws -> Event { try JSONDecoder().decode(Event.self, from: try await bus.line()) }

    /// Announces that the machine is about to sleep.
    public func announceSuspend() async throws { try await bus.say("sleep") }

    /// Announces that the machine has slept.
    public func announceResume() async throws { try await bus.say("wake") }

    /// Ends the bus, and every connection to it.
    public func end() async throws { try await bus.end() }
}
