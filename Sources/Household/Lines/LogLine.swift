import Vocabulary

/// A line of the daemon's log: one line, fit to print, whatever a peer put into its texts.
///
/// Sentences are made of printable parts. The whole log passes through here as well. So a part that was forgotten can't
/// begin a line of its own, color the log or reverse its direction.
package struct LogLine: Hashable, Sendable, CustomStringConvertible {
    /// More than two paths of the greatest length, and less than a datagram to the journal can hold.
    private static let limit = 16_384

    private static let arrivals: Set<MachineEvent.Kind> = [.joined, .left, .away, .returned]

    /// The line without its line end.
    package let description: String

    package init(_ text: String) {
        description = "\(PrintableText(prose: text.replacing("\n", with: "; "), limit: Self.limit))"
    }

    /// A line about an event; nil if the log needs none.
    package init?(_ line: DaemonLine) {
        switch line.event {
        case .progress: return nil
        case .gamePeer(let event) where event.kind == .online: return nil
        case .message(let message):
            self.init("\(message.machine.full) sent a message (\(SizeText.of(UInt64(message.content.byteCount))))")
        case .machineEvent(let event) where Self.arrivals.contains(event.kind):
            // Each message and file has a session of its own. `huddle events` reports them.
            if event.kind == .joined || event.reason == PartingReason.left.word { return nil }
            let reason = event.reason.map { " (\($0))" } ?? ""
            self.init("\(event.machine.full): \(event.kind.rawValue)\(reason)")
        default:
            guard var sentence = line.sentence else { return nil }
            if line.isTrouble, let next = line.event.problem?.nextStep { sentence += ": \(next)" }
            self.init(line.event.errorCode.map { "\(sentence) (\($0))" } ?? sentence)
        }
    }
}
