import Glibc
package import Session
package import Vocabulary

/// The version of this program.
package enum Release {
    package static let version = developers ?? "0.2.0"
    /// The version in the form for peers.
    package static let program = ProgramVersion(version)
    /// The port if no setting names another and no other program uses it: `HUD` on the keys of a telephone. Debian's
    /// `/etc/services` does not name it, and it is below the ports that Linux gives to outgoing connections.
    package static let port = developersPort ?? 29_483

    #if DEBUG
        /// The version to pretend in a program that was built for development, so that machines of several versions can
        /// be tested.
        private static let developers = getenv("HUDDLE_RELEASE").map { String(cString: $0) }
        /// The default port in such a program, so that machines of several tests don't take each other's port. 0 is any
        /// free port.
        private static let developersPort = getenv("HUDDLE_USUAL_PORT").flatMap { UInt16(String(cString: $0)) }
    #else
        private static let developers: String? = nil
        private static let developersPort: UInt16? = nil
    #endif
}

extension NodeConfiguration {
    /// Makes the node listen on the given port; if it is nil, on a port at which others can find it again.
    package mutating func listen(at port: UInt16?) {
        (self.port, keepsPort) = (port ?? Release.port, port == nil)
    }
}
