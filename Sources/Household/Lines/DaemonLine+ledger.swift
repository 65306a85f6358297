package import Ledger
package import Vocabulary

extension DaemonLine {
    /// The permissions and the policy of a peer.
    ///
    /// - Parameter common: policy for peers without one of their own
    package static func policy(_ known: KnownPeer, _ common: Policy) -> DaemonLine {
        let tag = PeerTag(known.id, known.name)
        let policy = known.policy?.rawValue ?? "default (\(common.rawValue))"
        let asksFirst =
            known.policy == .accept && !known.isPinned ? "; it asks the first time, as it was never let in" : ""
        let sentence = "\(tag.full.padded(to: 28))  \(policy.padded(to: 16))  \(known.permissions.words)\(asksFirst)"
        let event = PolicyEvent(
            machine: tag,
            policy: known.policy?.rawValue ?? "default",
            allows: known.permissions.list
        )
        return DaemonLine(.policy(event), sentence)
    }

    /// The policy for peers without one of their own.
    package static func defaultPolicy(_ policy: Policy) -> DaemonLine {
        DaemonLine(
            .defaultPolicy(DefaultPolicyEvent(policy: policy.rawValue)),
            "\("all other machines".padded(to: 28))  \(policy.rawValue)"
        )
    }

    /// A line of the log.
    package static func logged(_ entry: AuditEntry, _ peer: PeerTag?) -> DaemonLine {
        let details = strangersMore(entry) ?? details(entry)
        let who = peer.map(\.full) ?? ""
        let columns = [TimeText.local(entry.time), entry.event.padded(to: 20), who.padded(to: 24), details]
        var line = columns.joined(separator: "  ")[...]
        while line.last == " " { line.removeLast() }
        let event = LogEntryEvent(
            event: entry.event,
            machine: peer,
            time: entry.time.secondsSince1970,
            details: Dictionary(entry.details.map { ($0.word, $0.value) }, uniquingKeysWith: { first, _ in first })
        )
        return DaemonLine(.logEntry(event), String(line))
    }

    private static func details(_ entry: AuditEntry) -> String {
        entry.details.map { "\($0.word): \(PrintableText($0.value, limit: 120))" }.joined(separator: ", ")
    }

    /// The number of notes about strangers that were counted and not written.
    private static func strangersMore(_ entry: AuditEntry) -> String? {
        func number(_ word: String) -> Int? { entry.details.first { $0.word == word }.flatMap { Int($0.value) } }
        guard entry.event == "strangers-more", let count = number("count"), let addresses = number("addresses") else {
            return nil
        }
        return
            "\(NumberText.grouped(count)) more from \(NumberText.grouped(addresses)) "
            + "address\(addresses == 1 ? "" : "es")"
    }

    /// An item that has arrived.
    package static func arrived(_ item: InboxItem) -> DaemonLine {
        let peer = PeerTag(item.peer, item.peerName)
        let mark = item.isLookedAt ? " " : "*"
        let start = "\(mark) \(TimeText.local(item.cameAt))  \(peer.description.padded(to: 14))  "
        var event = InboxItemEvent(
            kind: kind(item),
            machine: peer,
            number: item.number,
            cameAt: item.cameAt.secondsSince1970,
            bytes: item.size.bytes,
            isNew: !item.isLookedAt
        )
        switch item.content {
        case .file(let name, let path), .folder(let name, let path): (event.name, event.path) = (name.text, path)
        case .message(let bytes): event.content = MessageContent(bytes)
        }
        return DaemonLine(.inboxItem(event), listed(item, behind: start))
    }

    private static func kind(_ item: InboxItem) -> InboxItemEvent.Kind {
        switch item.content {
        case .file: .file
        case .folder: .folder
        case .message: .message
        }
    }

    private static func listed(_ item: InboxItem, behind start: String) -> String {
        switch item.content {
        case .file(_, let path), .folder(_, let path):
            "\(start)\(PrintableText(shortPath: path)) (\(SizeText.of(item.size.bytes)))"
        case .message(let bytes):
            SessionWording.listed(bytes, behind: start)
        }
    }
}

extension Permissions {
    /// The words of the permissions that are given.
    package var list: [String] { Self.named.filter { contains($0.permission) }.map(\.word) }

    /// The permissions as the user types them.
    package var words: String { self == .all ? "all" : list.isEmpty ? "none" : list.joined(separator: ",") }
}
