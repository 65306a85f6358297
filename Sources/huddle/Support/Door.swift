import LinuxPlatform

/// A port to advertise where there is no service yet: whoever comes is let in and shown out, so that others see that
/// this machine is there.
final class Door: Sendable {
    private let socket: ListeningSocket

    var port: UInt16 { socket.address.port }

    init() throws(SystemError) {
        socket = try Self.open()
    }

    /// Lets visitors come until the task is cancelled.
    func keepOpen() async throws {
        while !Task.isCancelled {
            do {
                _ = try await socket.accept()
                // A crowd at the door must not keep signals and timers waiting.
                await Task.yield()
            } catch is CancellationError {
                return
            } catch {
                // No descriptors left, or no network: being seen goes on, and the door opens again.
                try await EventLoop.shared.sleep(for: .seconds(1))
            }
        }
    }

    /// Both address families where the machine has them.
    private static func open() throws(SystemError) -> ListeningSocket {
        let everywhere = IPAddress.v6(high: 0, low: 0, interface: 0)
        do {
            return try ListeningSocket(on: SocketAddress(everywhere, port: 0), loop: .shared)
        } catch {
            return try ListeningSocket(on: SocketAddress(.v4(0, 0, 0, 0), port: 0), loop: .shared)
        }
    }
}
