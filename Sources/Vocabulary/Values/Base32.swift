/// Base 32 of RFC 4648 in small letters and without padding. It is easy to read aloud and to type.
package enum Base32 {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    package static func text(of bytes: some Collection<UInt8>) -> String {
        var letters: [UInt8] = []
        var (held, count) = (0, 0)
        for byte in bytes {
            held = (held << 8 | Int(byte)) & 0xFFFF
            count += 8
            while count >= 5 {
                count -= 5
                letters.append(alphabet[held >> count & 31])
            }
        }
        if count > 0 { letters.append(alphabet[held << (5 - count) & 31]) }
        return String(decoding: letters, as: UTF8.self)
    }

    /// Decodes a text. It skips hyphens and accepts capitals. It returns nil for any other character, or for surplus
    /// bits that no encoder writes.
    package static func bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (held, count) = (0, 0)
        for letter in text.utf8 where letter != UInt8(ascii: "-") {
            guard let value = value(of: letter) else { return nil }
            held = (held << 5 | value) & 0xFFFF
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(held >> count & 0xFF))
            }
        }
        return count < 5 && held & (1 << count - 1) == 0 ? bytes : nil
    }

    private static func value(of letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): Int(letter - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
