package import Vocabulary

extension FileName {
    /// The name for number 1, `name (2).suffix` for number 2, and so on. A name that becomes too long loses the end of
    /// its stem.
    package func numbered(_ number: Int, keepingSuffix: Bool) -> FileName {
        guard number > 1 else { return self }
        var stem = text[...]
        var suffix = ""
        // A leading dot marks a hidden file, not a suffix. More than 32 bytes after a dot are no suffix either.
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
            preconditionFailure("a shortened name with a number is a valid name")
        }
        return name
    }
}
