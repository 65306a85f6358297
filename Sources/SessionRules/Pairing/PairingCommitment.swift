/// What the inviter binds itself to before it sees the other nonce: the hash of its own, which it reveals later.
public struct PairingCommitment: Hashable, Sendable {
    /// How many bytes it has.
    public static let byteCount = 32

    /// All of them.
    public let bytes: [UInt8]

    /// - Parameter bytes: exactly 32; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }
}
