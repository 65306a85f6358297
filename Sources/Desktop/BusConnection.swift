import CDBus
import Glibc
import LinuxPlatform
import Vocabulary

/// A connection to a bus, for one service on it.
///
/// Opening blocks until the bus responds, so it runs on a thread of its own, and callers can stop waiting for it.
/// Afterwards no call of libdbus blocks, and everything runs on the event loop.
actor BusConnection {
    nonisolated var unownedExecutor: UnownedSerialExecutor { EventLoop.shared.asUnownedSerialExecutor() }

    /// A new connection on its way from the thread that opened it.
    private struct Opened: @unchecked Sendable {  // because the thread hands it over once and keeps no reference
        let connection: OpaquePointer
    }

    private let service: BusService
    private let connection: OpaquePointer
    private let descriptor: CInt

    init(to address: String, for service: BusService) async throws {
        self.service = service
        let opening = Resumption<Opened>()
        try startThread(named: "desktop") { @Sendable in
            let result = Result { try Self.open(address) }
            // If the caller was cancelled meanwhile, this thread is the only owner: without this the connection leaks.
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

    /// Closes the connection. The caller must not await a message of it at that time.
    func close() { huddle_dbus_close(connection) }

    /// Subscribes to the signals of the service.
    func subscribe() { huddle_dbus_match(connection, service.rule) }

    /// Sends a method call and returns its serial number.
    @discardableResult
    func call(_ member: String, _ write: @Sendable (inout BusWriter) -> Void = { _ in }) throws -> UInt32 {
        guard let message = BusMessage(calling: member, of: service) else {
            throw SystemError("dbus_message_new", ENOMEM)
        }
        var writer = BusWriter(message)
        write(&writer)
        var number: UInt32 = 0
        guard writer.isComplete, dbus_connection_send(connection, message.raw, &number) != 0 else {
            throw SystemError("dbus_connection_send", ENOMEM)
        }
        return number
    }

    /// Waits for the reply to a method call, and ignores all messages before it.
    func reply(to number: UInt32) async throws -> BusValues { try await replyMessage(to: number).values }

    /// Waits for the reply to a method call, as a whole message.
    func replyMessage(to number: UInt32) async throws -> BusMessage {
        while true {
            let message = try await next()
            switch message.kind {
            case .reply(to: number): return message
            case .failure(of: number, let name): throw DesktopError.noService(name)
            default: continue
            }
        }
    }

    /// Waits for the next message of any kind.
    func next() async throws -> BusMessage {
        while true {
            // Despite its name, this also writes calls that libdbus still has in its buffer.
            let isOpen = dbus_connection_read_write(connection, 0) != 0
            if let message = dbus_connection_pop_message(connection) {
                return BusMessage(takingOwnershipOf: message, from: service)
            }
            guard isOpen else { throw DesktopError.noBus("the bus closed the connection") }
            try await EventLoop.shared.waitUntil(.readable, descriptor)
        }
    }
}
