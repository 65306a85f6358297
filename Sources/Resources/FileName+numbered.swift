package import Vocabulary

extension FileName {
    /// The name for the first, `name (2).suffix` for the second, and so on. What gets too long loses the end of its stem.
    package func numbered(_ number: Int, keepingSuffix: Bool) -> FileName {
        guard number > 1 else { return self }
        var stem = text[...]
        var suffix = ""
        // What begins with a dot is hidden, not a suffix; and what follows after much is no suffix either.
        let start = text.utf8.index(text.startIndex, offsetBy: text.hasPrefix("_.") ? 1 : 0)
        if keepingSuffix, let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")), dot > start,
            text[dot...].utf8.count <= 32
        {
            (stem, suffix) = (text[..<dot], String(text[dot...]))
        }
        let ending = " (\(number))\(suffix)"
        var scalars = stem.unicodeScalars
        while String(scalars).utf8.count + ending.utf8.count > Self.maximumByteCount { scalars.removeLast() }
        guard let name = try? FileName(String(scalars) + ending) else {
            preconditionFailure("a piece of a name with a number behind it is a name")
        }
        return name
    }
}
