package import LinuxPlatform
package import Household
import Vocabulary

/// What is answered to a question, one piece of news after the other.
@Engine
package final class NewsLines {
    private static let lineLimit = 8 << 20

    /// What went wrong with a part, and was told.
    package private(set) var failure: PassedOnError?
    private var source: ControlReply.Source?
    private var unread: [UInt8] = []

    package init(_ reply: ControlReply) {
        switch reply.body {
        case .bytes(let bytes): unread = bytes
        case .stream(let source): self.source = source
        }
    }

    /// The next; nil once all that was asked for is done.
    ///
    /// - Throws: ``PassedOnError`` where it could not be done
    package func next() async throws -> SessionNews? {
        while let line = try await nextLine() {
            let news = try SessionNews(JSONFields(line))
            switch news.event {
            case "failed": throw PassedOnError(news) ?? PassedOnError(HouseholdError.unexplained)
            case "done": failure = PassedOnError(news)
            default: return news
            }
        }
        return nil
    }

    /// Waits until it is done.
    package func finish() async throws {
        while try await next() != nil {}
    }

    private func nextLine() async throws -> [UInt8]? {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                return Array(unread[..<end])
            }
            guard unread.count < Self.lineLimit, let more = try await source?() else { return nil }
            unread += more
        }
    }
}

extension ControlConnection {
    /// Asks for something and follows the answer.
    @Engine
    package func news(_ question: ControlQuestion) async throws -> NewsLines { NewsLines(try await ask(question)) }

    /// Has something done.
    @Engine
    package func perform(_ question: ControlQuestion) async throws { try await news(question).finish() }
}

extension HouseholdError {
    static let unexplained = HouseholdError(
        "control.unexplained",
        "it could not be done, and nothing was said about why",
        nextStep: "look into the daemon's log"
    )
}
