import History
import LinuxPlatform
import SaveRules

/// Reads the pieces of a large file on a thread of its own, a few ahead of the thread that writes them. Reading a piece
/// means to check its digest, which takes as long as the write.
final class PieceReadAhead: Sendable {
    /// A file of fewer pieces is not worth a thread.
    static let leastCount = 16
    /// No further piece is read while this many bytes wait to be written.
    private static let limit = 1 << 20

    private struct State {
        var ready: [Result<[UInt8], any Error>] = []
        var waitingByteCount = 0
        var isAbandoned = false
        var isOver = false
    }

    private let state = Monitor(State())

    /// Delivers the pieces in order. It returns only when the thread has ended.
    ///
    /// - Returns: false if no thread can be started, and then nothing was delivered
    func deliver(
        _ pieces: [PieceReference],
        readBy read: @escaping @Sendable (PieceReference) throws -> [UInt8],
        to body: ([UInt8]) throws -> Void
    ) throws -> Bool {
        do throws(SystemError) {
            try startThread(named: "staging") { @Sendable in self.read(pieces, by: read) }
        } catch {
            return false
        }
        defer {
            state.update { $0.isAbandoned = true }
            state.wait { $0.isOver ? () : nil }
        }
        for _ in pieces {
            let next = state.wait { $0.ready.isEmpty ? nil : $0.ready.removeFirst() }
            let bytes = try next.get()
            try body(bytes)
            state.update { $0.waitingByteCount -= bytes.count }
        }
        return true
    }

    private func read(_ pieces: [PieceReference], by read: (PieceReference) throws -> [UInt8]) {
        for piece in pieces {
            let isWanted = state.wait { $0.isAbandoned ? false : $0.waitingByteCount < Self.limit ? true : nil }
            guard isWanted else { break }
            let bytes = Result { try read(piece) }
            state.update { state in
                state.ready.append(bytes)
                state.waitingByteCount += piece.length
            }
            if case .failure = bytes { break }
        }
        state.update { $0.isOver = true }
    }
}
