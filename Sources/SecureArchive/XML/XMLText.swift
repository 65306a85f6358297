/// The spelling of text in a document.
enum XMLText {
    /// Appends a text, with references in place of characters that have another meaning or would not come back.
    static func append(_ text: String, to output: inout [UInt8], inAttribute: Bool = false) throws(ArchiveError) {
        try check(text)
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices {
                guard let reference = reference(for: utf8[index], inAttribute: inAttribute) else { continue }
                output.append(contentsOf: utf8[start..<index])
                output.append(contentsOf: reference.description.utf8)
                start = index + 1
            }
            output.append(contentsOf: utf8[start...])
        }
    }

    /// Refuses characters that XML does not permit, not even as references.
    static func check(_ text: String) throws(ArchiveError) {
        // Every refused character begins with one of these bytes.
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0xEF }) else { return }
        guard text.unicodeScalars.allSatisfy(XMLCharacter.mayStand) else {
            throw ArchiveError(.inexpressible, "XML can't say control characters")
        }
    }

    private static func reference(for byte: UInt8, inAttribute: Bool) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case 0x0D: "&#13;"
        case UInt8(ascii: "\"") where inAttribute: "&quot;"
        case 0x09 where inAttribute: "&#9;"
        case 0x0A where inAttribute: "&#10;"
        default: nil
        }
    }
}
