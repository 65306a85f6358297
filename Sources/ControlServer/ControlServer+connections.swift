import CMicroHTTPD
import Glibc
import LinuxPlatform

/// Room for who comes, however many hold connections and say nothing.
extension ControlServer {
    /// The library calls: somebody has connected, or a connection is no more.
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

    /// An answer has gone out, and the connection may be asked for more. Where it was full while all were being answered, this one makes room:
    /// of the others that are silent each may be about to ask for the first time.
    func isSilent(_ connection: OpaquePointer) {
        guard connectionCount >= limits.connections else { return silent.append(UInt(bitPattern: connection)) }
        _ = shutdown(huddle_http_socket(connection), CInt(SHUT_RDWR))
    }

    /// Closes whichever connection has been silent longest, else the oldest one whose request has not come whole. Who is being answered
    /// stays.
    private func makeRoom(besides newest: UInt) {
        let unasked = silent.first { $0 != newest }.flatMap { OpaquePointer(bitPattern: $0) }
        guard let connection = unasked ?? oldestUnread else { return }
        silent.removeAll { $0 == UInt(bitPattern: connection) }
        // The library sees the end of it and lets go.
        _ = shutdown(huddle_http_socket(connection), CInt(SHUT_RDWR))
    }

    private var oldestUnread: OpaquePointer? {
        exchanges.filter { if case .receiving = $0.value.state { true } else { false } }
            .min { $0.key < $1.key }?.value.connection
    }
}
