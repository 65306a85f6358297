import CLinux
import Glibc

/// Sockets that live in the file system.
public enum UnixSocket {
    /// Whether somebody accepts connections at this path. The connection is closed at once.
    public static func canConnect(to path: String) throws(SystemError) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemError("connect", ENAMETOOLONG, on: path)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let socket = try Sockets.open(AF_UNIX)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let answer = withUnsafePointer(to: &address) { pointer in
            // because the socket calls take every kind of address through this one type
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket.number, $0, length) }
        }
        return answer == 0
    }
}
