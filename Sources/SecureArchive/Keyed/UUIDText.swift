/// A UUID as text: `71DC068E-3420-45FF-919E-3A267D55EC22`.
enum UUIDText {
    /// The count of bytes before each hyphen.
    private static let groups = [4, 2, 2, 2, 6]
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text; nil unless there are 16 bytes.
    static func text(of bytes: [UInt8]) -> String? {
        guard bytes.count == 16 else { return nil }
        var (text, position) = ([UInt8](), 0)
        for group in groups {
            if position > 0 { text.append(UInt8(ascii: "-")) }
            for byte in bytes[position..<position + group] {
                text.append(digits[Int(byte >> 4)])
                text.append(digits[Int(byte & 0xF)])
            }
            position += group
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes; nil unless the text has exactly this form, in capitals or not.
    static func bytes(of text: String) -> [UInt8]? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == groups.map({ $0 * 2 }) else { return nil }
        let digits = parts.joined().utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        var bytes: [UInt8] = []
        for position in stride(from: 0, to: 32, by: 2) {
            guard let high = digits[position], let low = digits[position + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
