/// A word quoted for a shell, so that the shell reads it literally.
package struct ShellWord: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ text: String) {
        let shown = "\(PrintableText(text, limit: 4096))"
        let isPlain = shown.utf8.allSatisfy { byte in
            Self.plain.contains(byte) || Self.letters.contains(byte | 0x20) || Self.digits.contains(byte)
        }
        description = isPlain && !shown.isEmpty ? shown : "'\(shown.replacing("'", with: "'\\''"))'"
    }

    private static let plain = Array("/._-:@%+=".utf8)
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}
