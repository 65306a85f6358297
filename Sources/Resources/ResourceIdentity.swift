/// Which source a resource comes from, in which state: the same unchanged file or folder has the same identity again, also
/// in another run of the program, and a changed one has another.
///
/// It lets a receiver find what it already holds. It proves nothing: what is held is compared block by block.
public struct ResourceIdentity: Hashable, Sendable {
    /// How many bytes an identity has.
    public static let byteCount = ResourceDigest.byteCount

    let digest: ResourceDigest

    init(_ digest: ResourceDigest) {
        self.digest = digest
    }

    /// - Parameter bytes: exactly 16; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard let digest = ResourceDigest(bytes: bytes) else { return nil }
        self.digest = digest
    }

    /// All sixteen.
    public var bytes: [UInt8] { digest.bytes }
}
