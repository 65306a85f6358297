/// Who may do what with a file or folder, as `chmod` counts it.
public struct FileMode: RawRepresentable, Hashable, Sendable {
    /// The nine bits of permission; others are dropped.
    public let rawValue: UInt32

    /// Makes a mode of its bits, best written in octal.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue & 0o777
    }

    /// A file that only its owner reads and writes.
    public static let privateFile = FileMode(rawValue: 0o600)
    /// A folder that only its owner enters.
    public static let privateFolder = FileMode(rawValue: 0o700)
    /// A file that everybody reads and its owner writes.
    public static let readableFile = FileMode(rawValue: 0o644)
    /// A program.
    public static let program = FileMode(rawValue: 0o755)
}
