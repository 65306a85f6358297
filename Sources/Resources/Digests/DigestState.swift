import CXXHash
import Vocabulary

/// Incremental XXH3 with 128 bits.
final class DigestState {
    private let state: OpaquePointer

    init() {
        // The program does not handle a lack of memory.
        guard let state = XXH3_createState() else { preconditionFailure("no memory for the state of a digest") }
        self.state = state
        reset()
    }

    deinit {
        XXH3_freeState(state)
    }

    func reset() {
        precondition(XXH3_128bits_reset(state) == XXH_OK, "xxHash refuses its own state")
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
        precondition(huddle_xxh3_update(state, bytes.baseAddress, bytes.count) == XXH_OK, "xxHash refuses bytes")
    }

    func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update($0) }
    }

    func update(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { update($0) }
    }

    /// The digest of the bytes so far; more may follow.
    var digest: ContentDigest {
        let hash = XXH3_128bits_digest(state)
        return ContentDigest(high: hash.high64, low: hash.low64)
    }

    /// The digest as an identity.
    var identity: ResourceIdentity {
        let (high, low) = digest.words
        return ResourceIdentity(high: high, low: low)
    }
}
