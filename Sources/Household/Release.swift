import Glibc
package import Vocabulary

/// Which huddle this is.
package enum Release {
    package static let version = developers ?? "0.1.0"
    /// As peers are told it.
    package static let program = ProgramVersion(version)

    #if DEBUG
        /// In a program that was built for development: which one it is to be taken for, so that machines of several versions can be tried.
        private static let developers = getenv("HUDDLE_RELEASE").map { String(cString: $0) }
    #else
        private static let developers: String? = nil
    #endif
}
