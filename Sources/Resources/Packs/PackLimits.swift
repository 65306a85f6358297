/// Limits of a pack. Beyond them a sender refuses to send and a receiver to receive.
enum PackLimits {
    /// Maximum depth of folders. Each level is an open descriptor on both sides.
    static let depth = 64
    /// Maximum number of files, folders and links.
    static let entries = 1_000_000
}
