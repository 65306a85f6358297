import Digests
import History
import SaveRules

extension HistoryBatch {
    /// Stores the contents of a file that is in memory. The pieces are the same as if the file were read from a disk.
    func put(contents bytes: [UInt8]) throws -> [PieceReference] {
        guard !bytes.isEmpty else { return [] }
        let sizes = PieceSizes(forFileOf: UInt64(bytes.count))
        let cutter = PieceCutter(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum)
        let ends = bytes.withUnsafeBytes { bytes.count <= sizes.wholeUpTo ? [bytes.count] : cutter.ends(of: $0) }
        var (pieces, start) = ([PieceReference](), 0)
        for end in ends where end > start {
            let part = Array(bytes[start..<end])
            let id = PieceID(of: part, hashedBy: Digest.sha256)
            try put(part, expecting: id)
            pieces.append(PieceReference(id, length: part.count))
            start = end
        }
        return pieces
    }
}
