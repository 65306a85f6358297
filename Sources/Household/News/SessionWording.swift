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
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { "\(peer): \(PrintableText(bytes: $0, limit: 10_000))" }.joined(separator: "\n")
    }
}
