import COpenSSL
import Digests

/// Bytes that nobody can guess.
public enum RandomBytes {
    /// So many of them.
    public static func make(_ count: Int) -> [UInt8] {
        OpenSSLSetUp.ensure()
        // because OpenSSL fills the bytes, always all of them
        return [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            OpenSSLErrors.require(RAND_bytes(room.baseAddress, CInt(count)) == 1, "RAND_bytes")
            filled = count
        }
    }
}
