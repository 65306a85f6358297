import LinuxPlatform

/// A port to advertise if no service listens yet. It accepts and closes each connection, so that other machines see
/// that this machine is reachable.
final class PlaceholderPort: Sendable {
    private let socket: ListeningSocket

    var port: UInt16 { socket.address.port }

    init() throws(SystemError) {
        socket = try Self.open()
    }

    /// Accepts connections until the task is cancelled.
    func run() async throws {
        while !Task.isCancelled {
            do {
                _ = try await socket.accept()
                // Many connections at once must not delay signals and timers.
                await Task.yield()
            } catch is CancellationError {
                return
            } catch {
                // No descriptors are left, or there is no network. The advertisement stays, and the next try is in a
                // second.
                try await EventLoop.shared.sleep(for: .seconds(1))
            }
        }
    }

    /// Listens on IPv4 and IPv6, if the machine has both.
    private static func open() throws(SystemError) -> ListeningSocket {
        let everywhere = IPAddress.v6(high: 0, low: 0, interface: 0)
        do {
            return try ListeningSocket(on: SocketAddress(everywhere, port: 0), loop: .shared)
        } catch {
            return try ListeningSocket(on: SocketAddress(.v4(0, 0, 0, 0), port: 0), loop: .shared)
        }
    }
}
