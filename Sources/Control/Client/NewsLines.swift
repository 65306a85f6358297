package import LinuxPlatform
package import Household
import Vocabulary

/// The events of a response, in order.
@Engine
package final class NewsLines {
    private static let lineLimit = 8 << 20

    /// The last failure that the response has reported.
    package private(set) var failure: PassedOnError?
    private var source: ControlReply.Source?
    private var unread: [UInt8] = []

    package init(_ reply: ControlReply) {
        switch reply.body {
        case .bytes(let bytes): unread = bytes
        case .stream(let source): self.source = source
        }
    }

    /// Returns the next event; nil after the end of the response.
    ///
    /// - Throws: ``PassedOnError`` if the request failed
    package func next() async throws -> DaemonLine? {
        while let line = try await nextLine() {
            let news = try DaemonLine(JSONFields(line))
            switch news.event {
            case .failed(let event): throw event.problem
            case .done(let event): failure = event.problem
            default: return news
            }
        }
        return nil
    }

    /// Reads the response to its end.
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
    /// Sends a request, and returns the events of the response.
    @Engine
    package func news(_ question: ControlQuestion) async throws -> NewsLines { NewsLines(try await ask(question)) }

    /// Sends a request, and waits for the end of the response.
    @Engine
    package func perform(_ question: ControlQuestion) async throws { try await news(question).finish() }
}
