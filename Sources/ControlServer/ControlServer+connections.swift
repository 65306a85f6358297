import CMicroHTTPD
import Glibc
import LinuxPlatform

/// Makes room for new connections, even if many are idle.
extension ControlServer {
    /// Counts connections. The library calls this when a connection has opened or closed.
    nonisolated func cameOrWent(_ connection: OpaquePointer?, hasCome: Bool) {
        let number = UInt(bitPattern: connection)
        assumeIsolated { server in
            if hasCome {
                server.connectionCount += 1
                server.silent.append(number)
                if server.connectionCount >= server.limits.connections { server.makeRoom(besides: number) }
            } else {
                server.connectionCount -= 1
                server.hasRoomAgain = true
                server.silent.removeAll { $0 == number }
            }
        }
    }

    /// Notes that a response was sent, and that its connection may be used again. If the server is full, it closes this
    /// connection instead: any other idle connection may be about to send its first request.
    func isSilent(_ connection: OpaquePointer) {
        guard connectionCount >= limits.connections else { return silent.append(UInt(bitPattern: connection)) }
        _ = shutdown(huddle_http_socket(connection), CInt(SHUT_RDWR))
    }

    /// Closes the longest idle connection, or else the oldest one with an incomplete request. Connections with a
    /// running request stay.
    private func makeRoom(besides newest: UInt) {
        let unasked = silent.first { $0 != newest }.flatMap { OpaquePointer(bitPattern: $0) }
        guard let connection = unasked ?? oldestUnread else { return }
        silent.removeAll { $0 == UInt(bitPattern: connection) }
        // The library notices the end and releases the connection.
        _ = shutdown(huddle_http_socket(connection), CInt(SHUT_RDWR))
    }

    private var oldestUnread: OpaquePointer? {
        exchanges.filter { if case .receiving = $0.value.state { true } else { false } }
            .min { $0.key < $1.key }?.value.connection
    }
}
