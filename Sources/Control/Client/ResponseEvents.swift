package import LinuxPlatform
package import Household
import Vocabulary

/// The events of a response, in order.
@Engine
package final class ResponseEvents {
    private static let lineLimit = 8 << 20

    /// The last failure that the response has reported.
    package private(set) var failure: PassedOnError?
    private var source: APIResponse.Source?
    private var unread: [UInt8] = []

    package init(_ response: APIResponse) {
        switch response.body {
        case .bytes(let bytes): unread = bytes
        case .stream(let source): self.source = source
        }
    }

    /// Returns the next event; nil after the end of the response.
    ///
    /// - Throws: ``PassedOnError`` if the request failed
    package func next() async throws -> DaemonLine? {
        while let line = try await nextLine() {
            let line = try DaemonLine(JSONFields(line))
            switch line.event {
            case .failed(let event): throw event.problem
            case .done(let event): failure = event.problem
            default: return line
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
    package func events(_ request: APIRequest) async throws -> ResponseEvents {
        ResponseEvents(try await ask(request))
    }

    /// Sends a request, and waits for the end of the response.
    @Engine
    package func perform(_ request: APIRequest) async throws { try await events(request).finish() }
}
