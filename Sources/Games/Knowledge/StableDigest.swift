/// A digest (FNV-1a) that is the same on every machine. Safety does not depend on it: lookups compare the texts, too.
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
