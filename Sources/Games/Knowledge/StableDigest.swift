/// A number for a text that is the same on every machine: FNV-1a. Safety does not depend on it: whatever it finds is compared.
enum StableDigest {
    static func of(_ text: String) -> UInt64 {
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        var text = text
        text.withUTF8 { bytes in
            for byte in bytes { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return digest
    }
}
