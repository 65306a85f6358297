import LinuxPlatform

/// Passes bytes from a writer to a reader, piece by piece. It stores nothing, and each side waits for the other.
@Engine
final class BytePipe {
    /// An object that the reader holds. Its release ends the pipe.
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

    /// Passes a piece on. Waits until the reader has asked for the piece after this one.
    func put(_ bytes: [UInt8]) async throws {
        precondition(piece == nil && giver == nil, "one piece at a time")
        piece = bytes
        reader?.resume(with: .success(()))
        let giver = Resumption<Void>()
        self.giver = giver
        defer { self.giver = nil }
        try await giver.valueUnlessCancelled()
    }

    /// Ends the stream, with an error if bytes are missing.
    func finish(_ end: Result<Void, any Error>) {
        if self.end == nil { self.end = end }
        reader?.resume(with: .success(()))
    }

    /// Returns the reading side for the only reader; nil if there is a reader already.
    func source() -> APIResponse.Source? {
        guard !isTaken else { return nil }
        isTaken = true
        let reader = Reader(readerHasGone)
        return { [self] in
            defer { withExtendedLifetime(reader) {} }
            return try await next()
        }
    }

    /// Waits until the reader stops before the end.
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
