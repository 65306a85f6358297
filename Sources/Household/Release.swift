import Glibc
package import Session
package import Vocabulary

/// Which huddle this is.
package enum Release {
    package static let version = developers ?? "0.2.0"
    /// The form that peers get.
    package static let program = ProgramVersion(version)
    /// Port that it listens on if no setting names another and no other program has it: `HUD` on the keys of a
    /// telephone, among those that Debian's `/etc/services` does not name, below the ports that Linux gives to
    /// connections that go out.
    package static let port = developersPort ?? 29_483

    #if DEBUG
        /// In a program that was built for development: which one it is to be taken for, so that machines of several
        /// versions can be tried.
        private static let developers = getenv("HUDDLE_RELEASE").map { String(cString: $0) }
        /// And where it listens at first, so that machines of several tests don't take each other's place: 0 is any
        /// free port.
        private static let developersPort = getenv("HUDDLE_USUAL_PORT").flatMap { UInt16(String(cString: $0)) }
    #else
        private static let developers: String? = nil
        private static let developersPort: UInt16? = nil
    #endif
}

extension NodeConfiguration {
    /// Has it listen where it was told to, or by itself where it can be found again.
    package mutating func listen(at port: UInt16?) {
        (self.port, keepsPort) = (port ?? Release.port, port == nil)
    }
}
