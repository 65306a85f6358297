package import Vocabulary

/// Which huddle this is.
package enum Release {
    package static let version = "0.1.0"
    /// As peers are told it.
    package static let program = ProgramVersion(version)
}
