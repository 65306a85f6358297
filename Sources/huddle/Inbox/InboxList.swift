import CommandTable
import Ledger
import Vocabulary

/// What has arrived, for somebody who was not looking.
struct InboxList {
    private let given: GivenValues
    private let report: SessionReport

    init(_ given: GivenValues, _ console: Console) {
        self.given = given
        report = SessionReport(asJSON: given[LookingOptions.json], console)
    }

    /// Newest last, where the eye is. What was shown counts as looked at.
    func show() async throws -> ExitCode {
        let ledger = try await StateFolder.ledger(given)
        let items = try await ledger.inbox()
        for item in items.values.reversed() { try await report.tell(Self.news(item)) }
        if items.values.isEmpty, !given[LookingOptions.json] {
            await report.complain("nothing has arrived yet; `huddle inbox` takes what comes")
        }
        if items.unreadable > 0 {
            await report.complain(
                "\(items.unreadable) entries can't be read: they were written by a newer huddle or changed by hand"
            )
        }
        try await ledger.markLookedAt(items.values.filter { !$0.isLookedAt }.map(\.number))
        return .success
    }

    private static func news(_ item: InboxItem) -> SessionNews {
        let peer = PeerTag(item.peer, item.peerName)
        let mark = item.isLookedAt ? " " : "*"
        let line = "\(mark) \(TimeText.local(item.cameAt))  \(peer.description.padded(to: 14))  \(summary(item))"
        return SessionNews(kind(item), peer, line) { news in
            news.number = item.number
            news.time = item.cameAt.secondsSince1970
            news.isNew = !item.isLookedAt
            news.bytes = item.size.bytes
            switch item.content {
            case .file(let name, let path), .folder(let name, let path): (news.name, news.path) = (name.text, path)
            case .message(let bytes):
                news.text = String(validating: bytes, as: UTF8.self)
                if news.text == nil { news.base64 = Base64Text.of(bytes) }
            }
        }
    }

    private static func kind(_ item: InboxItem) -> String {
        switch item.content {
        case .file: "file"
        case .folder: "folder"
        case .message: "message"
        }
    }

    private static func summary(_ item: InboxItem) -> String {
        switch item.content {
        case .file(_, let path), .folder(_, let path):
            "\(PrintableText(path, limit: 4096)) (\(SizeText.of(item.size.bytes)))"
        case .message(let bytes):
            "\(PrintableText(bytes: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], limit: 200))"
        }
    }
}
