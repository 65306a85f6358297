import Ledger
import LinuxPlatform
import Session
import Vocabulary

/// Takes a stream that a peer has opened.
@Engine
struct StreamReceiver {
    private let household: Household
    private let stream: IncomingStream
    private let peer: PeerTag

    init(_ household: Household, _ stream: IncomingStream, _ peer: PeerTag) {
        self.household = household
        self.stream = stream
        self.peer = peer
    }

    /// Passes the stream to a sink. Returns the fault of the stream, if its end is missing.
    func into(_ sink: @escaping Household.Sink) async throws -> (any Error)? {
        try await copy(to: nil) { bytes, _ in try await sink(bytes) }
    }

    func toFile(in folder: InboxFolder) async {
        do {
            let file = try await StreamFile.make(for: stream.name, in: folder, on: stream.loop)
            try await take(into: file, folder)
        } catch let error as any ExplainedError {
            await giveUp("\(error)")
        } catch {
            await giveUp("\(error): look at the inbox folder")
        }
    }

    /// Lists the file before it reports the end, so that a reader of the event finds it.
    private func take(into file: StreamFile, _ folder: InboxFolder) async throws {
        let ending: Ending = { isWhole, count in
            // If the stream broke off before its first byte, there is no file to list.
            guard isWhole || count > 0 else {
                try await file.discard()
                return nil
            }
            let name = isWhole ? try await file.finish() : file.growingName
            let path = folder.path(of: name)
            try await household.node.ledger.inbox.enter(
                .file(name, path: path),
                from: peer.id,
                called: peer.name,
                size: ByteCount(count)
            )
            return path
        }
        let fault = try await copy(to: folder.path(of: file.growingName), ending) { bytes, offset in
            do {
                try await file.write(bytes, at: offset)
            } catch let error as SystemError {
                throw StreamNotKept(error, in: folder)
            }
        }
        // The sender learns the reason, but no path of this machine.
        if let fault = fault as? StreamNotKept { await stream.abort(saying: fault.remark) }
    }

    private func giveUp(_ why: String) async {
        household.tell(.trouble("the stream “\(stream.name)” from \(peer) can't be kept: \(why)"))
        await stream.abort()
    }

    /// The work after the last byte; returns the path of the file.
    private typealias Ending = @Engine (_ isWhole: Bool, _ count: UInt64) async throws -> String?

    private func copy(
        to path: String?,
        _ end: Ending = { _, _ in nil },
        _ write: @Engine @Sendable ([UInt8], UInt64) async throws -> Void
    ) async throws -> (any Error)? {
        let place = path.map { " to \(PrintableText($0, limit: 4096))" } ?? ""
        household.tell(
            DaemonLine(
                .stream(StreamEvent(.begun, peer, stream.name, path: path)),
                "\(peer) streams “\(stream.name)”\(place)"
            )
        )
        var count: UInt64 = 0
        do {
            while let bytes = try await stream.readUnacknowledged() {
                try await write(bytes, count)
                count += UInt64(bytes.count)
            }
        } catch let error as any ExplainedError {
            let path = try await end(false, count)
            let place = path.map { "; what came of it is \(PrintableText($0, limit: 4096))" } ?? ""
            let why = error is StreamNotKept ? "\(error)" : error.message
            let sentence = "“\(stream.name)” from \(peer) broke off, so its end is missing: \(why)\(place)"
            tell(.broken, sentence, count, path, error)
            return error
        }
        let whole = try await end(true, count)
        await stream.acknowledge()
        let found = whole.map { " and is \(PrintableText($0, limit: 4096))" } ?? ""
        tell(.ended, "“\(stream.name)” from \(peer) has ended\(found)", count, whole, nil)
        return nil
    }

    private func tell(
        _ kind: StreamEvent.Kind,
        _ sentence: String,
        _ count: UInt64,
        _ path: String?,
        _ error: (any ExplainedError)?
    ) {
        let reason = error?.code.description
        let event = StreamEvent(kind, peer, stream.name, path: path, bytes: count, reason: reason)
        household.tell(DaemonLine(.stream(event), "\(sentence) (\(SizeText.of(count)))"))
    }
}
