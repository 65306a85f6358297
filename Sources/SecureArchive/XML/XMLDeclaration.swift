/// The first line of a document, before anything is read.
enum XMLDeclaration {
    /// Longer than any declaration.
    private static let longest = 1024

    /// True for ISO-8859-1. A document with a mark of UTF-8 is in UTF-8.
    static func saysLatin1(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(longest)
        guard start.starts(with: "<?xml".utf8), let end = start.firstIndex(of: UInt8(ascii: ">"))
        else { return false }
        let line = String(decoding: start[..<end], as: UTF8.self)
        guard let match = line.firstMatch(of: #/\sencoding\s*=\s*["']([^"']*)["']/#) else {
            return false
        }
        return isLatin1(match.1.lowercased())
    }

    static func isLatin1(_ name: String) -> Bool {
        ["iso-8859-1", "iso_8859-1", "iso8859-1", "latin1"].contains(name)
    }

    /// True if an encoding has the same bytes below 0x80 as ASCII.
    static func isLikeASCII(_ encoding: String) -> Bool {
        encoding.wholeMatch(of: #/iso[-_]8859-[0-9]+|latin[0-9]+|(windows-|cp)125[0-9]|koi8-[ru]|macintosh/#) != nil
    }
}
