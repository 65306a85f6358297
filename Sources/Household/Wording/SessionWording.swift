import Vocabulary

/// Sentences about events between peers. Every text is fit to print.
enum SessionWording {
    static func keyChanged(_ name: InstanceName, _ known: PeerID, _ now: PeerID) -> String {
        """
        careful: “\(name)” is known here as \(known.short), and this one is \(now.short): it may be another machine of \
        that name, the same one installed again, or one that pretends
        """
    }

    /// A message on its lines. Each line has a mark, so that it can't pass for a text of huddle.
    static func message(_ bytes: [UInt8], from peer: PeerTag) -> String {
        lines(of: bytes, limit: 10_000, most: 10_000).map { "\(peer): \($0)" }.joined(separator: "\n")
    }

    /// The message in a list, behind the start of its entry. Further lines are indented so far that they can't pass for
    /// an entry.
    static func listed(_ bytes: [UInt8], behind start: String) -> String {
        let indent = "\n" + String(repeating: " ", count: start.count)
        return start + lines(of: bytes, limit: 200, most: 20).joined(separator: indent)
    }

    /// The lines of a message, without the line end of the last one and without the carriage returns of other systems.
    /// Lines beyond `most` are only counted: a peer may send a million empty ones.
    private static func lines(of bytes: [UInt8], limit: Int, most: Int) -> [String] {
        let newline = UInt8(ascii: "\n")
        var text = bytes[...]
        while text.last == newline { text.removeLast() }
        let count = text.count { $0 == newline } + 1
        let shown = text.split(separator: newline, maxSplits: most, omittingEmptySubsequences: false).prefix(most)
        let lines = shown.map { line in
            "\(PrintableText(bytes: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, limit: limit))"
        }
        return count > most ? lines + ["… (\(count - most) more lines; --json has them)"] : lines
    }
}
