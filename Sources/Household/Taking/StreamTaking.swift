import LinuxPlatform
import Session
import Vocabulary

/// Takes a stream that a peer has opened.
@Engine
struct StreamTaking {
    private let household: Household
    private let stream: IncomingStream
    private let peer: PeerTag

    init(_ household: Household, _ stream: IncomingStream, _ peer: PeerTag) {
        self.household = household
        self.stream = stream
        self.peer = peer
    }

    /// Answers what was wrong with it, where its end is missing.
    func into(_ sink: @escaping Household.Sink) async throws -> (any Error)? {
        try await copy(to: nil) { bytes, _ in try await sink(bytes) }
    }

    func toFile(in folder: InboxFolder) async {
        do {
            let file = try await StreamFile.make(for: stream.name, in: folder)
            _ = try await copy(to: folder.path(of: file.name)) { bytes, offset in
                try await file.write(bytes, at: offset)
            }
        } catch let error as any ExplainedError {
            await giveUp("\(error)")
        } catch {
            await giveUp("\(error): look at the inbox folder")
        }
    }

    private func giveUp(_ why: String) async {
        household.tell(.trouble("the stream “\(stream.name)” from \(peer) can't be kept: \(why)"))
        await stream.abort()
    }

    private func copy(
        to path: String?,
        _ write: @Engine @Sendable ([UInt8], UInt64) async throws -> Void
    ) async throws -> (any Error)? {
        let place = path.map { " to \(PrintableText($0, limit: 4096))" } ?? ""
        household.tell(
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
            tell("stream-ended", "“\(stream.name)” from \(peer) has ended", count, path, nil)
            return nil
        } catch let error as any ExplainedError {
            let sentence = "“\(stream.name)” from \(peer) broke off, so its end is missing: \(error.message)"
            tell("stream-broke", sentence, count, path, error)
            return error
        }
    }

    private func tell(
        _ event: String,
        _ sentence: String,
        _ count: UInt64,
        _ path: String?,
        _ error: (any ExplainedError)?
    ) {
        household.tell(
            SessionNews(event, peer, "\(sentence) (\(SizeText.of(count)))") {
                ($0.name, $0.path, $0.bytes) = (stream.name.text, path, count)
                $0.reason = error?.code.description
            }
        )
    }
}
