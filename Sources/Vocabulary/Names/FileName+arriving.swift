extension FileName {
    /// The name of a received file or folder in the inbox. A name that can't deceive the user or a program is
    /// unchanged.
    ///
    /// - Characters that are invisible or change the direction of text become escapes, and so do spaces at the ends.
    /// - A name that would be hidden, or look like an option or a home directory, gets an underscore before it.
    package var arriving: FileName {
        let scalars = Array(PrintableText(prose: text, limit: Self.maximumByteCount).description.unicodeScalars)
        let isSpace = \Unicode.Scalar.properties.isWhitespace
        let inner = (scalars.firstIndex { !$0[keyPath: isSpace] } ?? scalars.count)..<scalars.count
        let end = scalars.lastIndex { !$0[keyPath: isSpace] } ?? -1
        var safe = ""
        for (index, scalar) in scalars.enumerated() {
            if inner.contains(index), index <= end {
                safe.unicodeScalars.append(scalar)
            } else {
                safe += PrintableText.escape(scalar)
            }
        }
        if let first = safe.unicodeScalars.first, [".", "-", "~"].contains(first) { safe = "_" + safe }
        guard safe != text || !safe.utf8.elementsEqual(text.utf8) else { return self }
        guard let name = try? FileName(Self.shortened(safe)) else {
            preconditionFailure("a name without what deceives is a name")
        }
        return name
    }

    /// Shortens the name to leave room for a number. A name that is too long loses the end of its stem.
    private static func shortened(_ text: String) -> String {
        let most = maximumByteCount - 16
        guard text.utf8.count > most else { return text }
        let dot = text.utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { text[$0...].utf8.count <= 32 ? $0 : nil }
        let suffix = dot.map { String(text[$0...]) } ?? ""
        var stem = text.dropLast(suffix.count).unicodeScalars
        while String(stem).utf8.count + suffix.utf8.count > most || stem.last?.properties.isWhitespace == true {
            stem.removeLast()
        }
        return String(stem) + suffix
    }
}
