import Vocabulary

/// How what happens between peers is put into words. Every text is fit to print.
enum SessionWording {
    static func keyChanged(_ name: InstanceName, _ known: PeerID, _ now: PeerID) -> String {
        """
        careful: “\(name)” is known here as \(known.short), and this one is \(now.short): it may be another machine of \
        that name, the same one installed anew, or one that pretends
        """
    }

    /// A message on the lines it has; each is marked, so that it can't pass for something that huddle says.
    static func message(_ bytes: [UInt8], from peer: PeerTag) -> String {
        lines(of: bytes, limit: 10_000).map { "\(peer): \($0)" }.joined(separator: "\n")
    }

    /// The same in a list, behind what stands before it: what follows the first line is set in so far that it can't pass for an entry.
    static func listed(_ bytes: [UInt8], behind start: String) -> String {
        let lines = lines(of: bytes, limit: 200)
        let more = lines.count > mostListed ? ["… (\(lines.count - mostListed) more lines; --json has them)"] : []
        let indent = "\n" + String(repeating: " ", count: start.count)
        return start + (lines.prefix(mostListed) + more).joined(separator: indent)
    }

    private static let mostListed = 20

    /// Without what ends the last one, and without the carriage returns that other systems end theirs with.
    private static func lines(of bytes: [UInt8], limit: Int) -> [String] {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { line in
            let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            return "\(PrintableText(bytes: text, limit: limit))"
        }
    }
}
