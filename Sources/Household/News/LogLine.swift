import Vocabulary

/// What a daemon writes into its log: one line, fit to print, whatever a peer put into its words.
///
/// Sentences are made of printable parts. All of the log goes through here as well: a part that was
/// forgotten can't begin a line of its own there, colour it or turn its direction.
package struct LogLine: Hashable, Sendable, CustomStringConvertible {
    /// More than two paths of the greatest length, and less than a datagram to the journal holds.
    private static let limit = 16_384

    /// The line, without what ends it.
    package let description: String

    package init(_ text: String) {
        description = "\(PrintableText(prose: text.replacing("\n", with: "; "), limit: Self.limit))"
    }

    /// A line about what happened; nil if the log needs none.
    package init?(_ news: SessionNews) {
        let peer = news.peer?.full ?? "?"
        switch news.event {
        case "progress": return nil
        // Each message and file has a session of its own; `huddle events` tells of them.
        case "joined", "save-peer": return nil
        case "left" where news.reason == news.event: return nil
        case "message":
            let count = news.text?.utf8.count ?? (news.base64?.utf8.count ?? 0) / 4 * 3
            self.init("\(peer) sent a message (\(SizeText.of(UInt64(count))))")
        case "away", "returned", "left":
            let reason = news.reason.map { " (\($0))" } ?? ""
            self.init("\(peer): \(news.event)\(reason)")
        default:
            guard var sentence = news.sentence else { return nil }
            if news.isTrouble == true, let next = news.next { sentence += ": \(next)" }
            let code = news.message == nil ? nil : news.reason
            self.init(code.map { "\(sentence) (\($0))" } ?? sentence)
        }
    }
}
