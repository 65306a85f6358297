/// Permissions of a file or folder, as in `chmod`.
public struct FileMode: RawRepresentable, Hashable, Sendable {
    /// The nine permission bits; others are dropped.
    public let rawValue: UInt32

    /// - Parameter rawValue: the bits, best written in octal
    public init(rawValue: UInt32) {
        self.rawValue = rawValue & 0o777
    }

    /// Only the owner can read and write.
    public static let privateFile = FileMode(rawValue: 0o600)
    /// Only the owner can enter.
    public static let privateFolder = FileMode(rawValue: 0o700)
    /// All users can read; the owner can write.
    public static let readableFile = FileMode(rawValue: 0o644)
    /// A program.
    public static let program = FileMode(rawValue: 0o755)
}
