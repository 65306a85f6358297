import LinuxPlatform

/// Passes bytes from one who has them to one who asks for them, piece by piece: nothing is kept, and each waits for the other.
@Engine
final class Handover {
    /// That nobody will ask any more; the one who reads holds it, and it says so when it goes.
    final class Reader: Sendable {
        fileprivate let hasGone: Resumption<Void>

        fileprivate init(_ hasGone: Resumption<Void>) { self.hasGone = hasGone }

        deinit { hasGone.resume(with: .success(())) }
    }

    private var piece: [UInt8]?
    private var end: Result<Void, any Error>?
    private var reader: Resumption<Void>?
    private var giver: Resumption<Void>?
    private var isTaken = false
    private nonisolated let readerHasGone = Resumption<Void>()

    /// Waits until the one who reads has asked for what comes after these.
    func put(_ bytes: [UInt8]) async throws {
        precondition(piece == nil && giver == nil, "one piece at a time")
        piece = bytes
        reader?.resume(with: .success(()))
        let giver = Resumption<Void>()
        self.giver = giver
        defer { self.giver = nil }
        try await giver.valueUnlessCancelled()
    }

    /// There is no more; with a failure, because something is missing.
    func finish(_ end: Result<Void, any Error>) {
        if self.end == nil { self.end = end }
        reader?.resume(with: .success(()))
    }

    /// What gives the bytes, once; nil where somebody reads them already.
    func source() -> ControlReply.Source? {
        guard !isTaken else { return nil }
        isTaken = true
        let reader = Reader(readerHasGone)
        return { [self] in
            defer { withExtendedLifetime(reader) {} }
            return try await next()
        }
    }

    /// Ends when the one who read has gone before the end.
    func untilReaderLeaves() async throws { try await readerHasGone.valueUnlessCancelled() }

    private func next() async throws -> [UInt8]? {
        giver?.resume(with: .success(()))
        while true {
            if let piece {
                self.piece = nil
                return piece
            }
            if let end {
                try end.get()
                return nil
            }
            let reader = Resumption<Void>()
            self.reader = reader
            defer { self.reader = nil }
            try await reader.valueUnlessCancelled()
        }
    }
}
