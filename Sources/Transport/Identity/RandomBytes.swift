import COpenSSL
import Digests

/// Random bytes for keys and other secrets.
public enum RandomBytes {
    /// Makes `count` random bytes.
    public static func make(_ count: Int) -> [UInt8] {
        OpenSSLSetUp.ensure()
        // because OpenSSL fills the bytes, always all of them
        return [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            OpenSSLErrors.require(RAND_bytes(room.baseAddress, CInt(count)) == 1, "RAND_bytes")
            filled = count
        }
    }
}
