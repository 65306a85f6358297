/// What a pack may hold. Beyond these a sender refuses to send and a receiver to receive.
enum PackLimits {
    /// How deep folders may lie. Each level is an open descriptor on both sides.
    static let depth = 64
    /// How many files, folders and links there may be.
    static let entries = 1_000_000
}
