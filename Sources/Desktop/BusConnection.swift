import CDBus
import Glibc
import LinuxPlatform
import Vocabulary

/// A connection to the session bus, from when it is opened until it is let go of.
///
/// Opening waits for the bus, so it has a thread of its own for that moment, for which nobody has to wait; from then on no call of libdbus waits, and everything happens
/// on the loop.
actor BusConnection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.asUnownedSerialExecutor() }

    /// Passed from the thread that has opened it, once.
    private struct Opened: @unchecked Sendable {  // because nobody else has it
        let connection: OpaquePointer
    }

    private let connection: OpaquePointer
    private let descriptor: CInt

    init(to address: String) async throws {
        let opening = Resumption<Opened>()
        try startThread(named: "desktop") { @Sendable in
            let result = Result { try Self.open(address) }
            // Where nobody waits any more, nobody else lets go of it.
            if !opening.resume(with: result), let opened = try? result.get() { huddle_dbus_close(opened.connection) }
        }
        let opened = try await opening.valueUnlessCancelled()
        connection = opened.connection
        var descriptor: CInt = -1
        guard dbus_connection_get_unix_fd(connection, &descriptor) != 0 else {
            huddle_dbus_close(opened.connection)
            throw DesktopError.noBus("the connection has no socket")
        }
        self.descriptor = descriptor
    }

    private static func open(_ address: String) throws -> Opened {
        var reason = [CChar](repeating: 0, count: 512)
        guard let connection = huddle_dbus_open(address, &reason, reason.count) else {
            throw DesktopError.noBus(String(decoding: reason.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
        }
        return Opened(connection: connection)
    }

    /// Nothing of it may be awaited any more.
    func close() { huddle_dbus_close(connection) }

    func follow(_ rule: String) { huddle_dbus_match(connection, rule) }

    /// Sends a question and answers with its number.
    @discardableResult
    func ask(_ member: String, _ write: @Sendable (inout BusWriter) -> Void = { _ in }) throws -> UInt32 {
        guard let message = BusMessage(calling: member) else { throw SystemError("dbus_message_new", ENOMEM) }
        var writer = BusWriter(message)
        write(&writer)
        var number: UInt32 = 0
        guard writer.isWhole, dbus_connection_send(connection, message.raw, &number) != 0 else {
            throw SystemError("dbus_connection_send", ENOMEM)
        }
        return number
    }

    /// Waits for the answer to a question; what comes before it is of no interest.
    func answer(to number: UInt32) async throws -> BusValues {
        while true {
            let message = try await next()
            switch message.kind {
            case .answer(to: number): return message.values
            case .failure(of: number, let name): throw DesktopError.noService(name)
            default: continue
            }
        }
    }

    /// The next message, whatever it is.
    func next() async throws -> BusMessage {
        while true {
            // What is not yet sent goes out here as well.
            let isOpen = dbus_connection_read_write(connection, 0) != 0
            if let message = dbus_connection_pop_message(connection) { return BusMessage(takingOwnershipOf: message) }
            guard isOpen else { throw DesktopError.noBus("it has closed the connection") }
            try await EventLoop.shared.waitUntil(.readable, descriptor)
        }
    }
}
