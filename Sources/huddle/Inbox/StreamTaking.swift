import CommandTable
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

    func toOutput(_ console: Console) async throws -> ExitCode {
        try await copy(to: nil) { bytes, _ in try await console.hand(on: bytes) }
    }

    func toFile(in folder: InboxFolder) async throws {
        do {
            let file = try await StreamFile.make(for: stream.name, in: folder)
            _ = try await copy(to: folder.path(of: file.name)) { bytes, offset in
                try await file.write(bytes, at: offset)
            }
        } catch let error as any ExplainedError {
            await giveUp("\(error)")
        } catch let error as SystemError {
            await giveUp("\(error): look at the inbox folder")
        }
    }

    private func giveUp(_ why: String) async {
        await inbox.report.complain("the stream “\(stream.name)” from \(peer) can't be kept: \(why)")
        await stream.abort()
    }

    private func copy(
        to path: String?,
        _ write: @Engine @Sendable ([UInt8], UInt64) async throws -> Void
    ) async throws -> ExitCode {
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
            return .success
        } catch let error as any ExplainedError {
            let sentence = "“\(stream.name)” from \(peer) broke off, so its end is missing: \(error.message)"
            try await tell("stream-broke", sentence, count, path, error)
            return ExitCode(of: error)
        }
    }

    private func tell(
        _ event: String,
        _ sentence: String,
        _ count: UInt64,
        _ path: String?,
        _ error: (any ExplainedError)?
    ) async throws {
        try await inbox.report.tell(
            SessionNews(event, peer, "\(sentence) (\(SizeText.of(count)))") {
                ($0.name, $0.path, $0.bytes) = (stream.name.text, path, count)
                $0.reason = error?.code.description
            }
        )
    }
}
