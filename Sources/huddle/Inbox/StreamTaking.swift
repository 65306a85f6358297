import LinuxPlatform
import Session
import Vocabulary

/// Takes a stream that a peer has opened.
@Engine
struct StreamTaking {
    private let inbox: Inbox
    private let stream: IncomingStream
    private let peer: PeerTag

    init(_ inbox: Inbox, _ stream: IncomingStream, _ peer: PeerTag) {
        self.inbox = inbox
        self.stream = stream
        self.peer = peer
    }

    func run() async throws {
        switch inbox.streams {
        case .files: try await toFile()
        case .output(let console):
            try await tellEnd(of: nil) { bytes, _ in try await console.hand(on: bytes) }
        }
    }

    private func toFile() async throws {
        do {
            let file = try await StreamFile.make(for: stream.name, in: inbox.folder)
            try await tellEnd(of: inbox.folder.path(of: file.name)) { bytes, offset in
                try await file.write(bytes, at: offset)
            }
        } catch let error as any ExplainedError {
            await inbox.report.complain("the stream “\(stream.name)” from \(peer) can't be kept: \(error)")
            await stream.abort()
        }
    }

    private func tellEnd(
        of path: String?,
        _ write: @Engine @Sendable ([UInt8], UInt64) async throws -> Void
    ) async throws {
        let place = path.map { " to \(PrintableText($0, limit: 4096))" } ?? ""
        try await inbox.report.tell(
            SessionNews("stream", peer, "\(peer) streams “\(stream.name)”\(place)") {
                ($0.name, $0.path) = (stream.name.text, path)
            }
        )
        var count: UInt64 = 0
        do {
            while let bytes = try await stream.read() {
                try await write(bytes, count)
                count += UInt64(bytes.count)
            }
            try await tell("stream-ended", "“\(stream.name)” from \(peer) has ended", count, path, nil)
        } catch let error as SessionError {
            try await tell("stream-broke", "“\(stream.name)” from \(peer) broke off: \(error.message)", count, path, error)
        } catch let error as SystemError {
            await inbox.report.complain("“\(stream.name)” from \(peer) can't be written: \(error)")
            await stream.abort()
        }
    }

    private func tell(
        _ event: String,
        _ sentence: String,
        _ count: UInt64,
        _ path: String?,
        _ error: SessionError?
    ) async throws {
        try await inbox.report.tell(
            SessionNews(event, peer, "\(sentence) (\(SizeText.of(count)))") {
                ($0.name, $0.path, $0.bytes) = (stream.name.text, path, count)
                $0.reason = error?.code.description
            }
        )
    }
}
