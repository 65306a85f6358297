import Vocabulary

/// A reader of untrusted bytes. It returns only bytes that exist, and checks a count before it takes memory for it.
struct CanonicalReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position = 0

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    var remaining: Int { bytes.count - position }

    func error(_ fault: SaveFormatError.Fault) -> SaveFormatError { SaveFormatError(fault, offset: position) }

    mutating func integer<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(SaveFormatError) -> Number {
        let size = MemoryLayout<Number>.size
        guard remaining >= size else { throw error(.cutShort) }
        defer { position += size }
        return bytes.withUnsafeBytes { bytes in
            Number(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
        }
    }

    /// Returns the next bytes. They share storage with the whole: nothing is copied.
    mutating func bytes(_ count: Int) throws(SaveFormatError) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw error(.cutShort) }
        defer { position += count }
        return bytes.dropFirst(position).prefix(count)
    }

    /// Reads the letters at the beginning of a form, and checks its version.
    mutating func header(_ letters: StaticString, version: UInt8) throws(SaveFormatError) {
        let wanted = Array(letters.description.utf8)
        guard remaining >= wanted.count, try bytes(wanted.count).elementsEqual(wanted) else {
            throw SaveFormatError(.foreign, offset: 0)
        }
        let found = try integer(UInt8.self)
        guard found == version else { throw error(found > version ? .newerForm(found) : .foreign) }
    }

    mutating func id<Kind>(_: Kind.Type = Kind.self) throws(SaveFormatError) -> ContentID<Kind> {
        ContentID(words: (try integer(), try integer(), try integer(), try integer()))
    }

    mutating func peer() throws(SaveFormatError) -> PeerID {
        guard let peer = PeerID(bytes: try bytes(PeerID.byteCount)) else { throw error(.cutShort) }
        return peer
    }

    mutating func key() throws(SaveFormatError) -> PublicKey {
        guard let key = PublicKey(bytes: try bytes(PublicKey.byteCount)) else { throw error(.badKey) }
        return key
    }

    mutating func signature() throws(SaveFormatError) -> Signature {
        guard let signature = Signature(bytes: try bytes(Signature.byteCount)) else { throw error(.cutShort) }
        return signature
    }

    mutating func mode() throws(SaveFormatError) -> FileMode {
        let bits = try integer(UInt16.self)
        guard bits & ~0o777 == 0 else { throw error(.badMode) }
        return FileMode(rawValue: UInt32(bits))
    }

    mutating func time() throws(SaveFormatError) -> FileTime {
        let (seconds, nanoseconds) = (try integer(Int64.self), try integer(UInt32.self))
        guard nanoseconds < 1_000_000_000 else { throw error(.badTime) }
        return FileTime(seconds: seconds, nanoseconds: nanoseconds)
    }

    /// - Parameter limit: the largest number of pieces; it counts down over all lists of one form
    mutating func pieces(limit: inout Int) throws(SaveFormatError) -> [PieceReference] {
        let count = Int(try integer(UInt32.self))
        guard count <= limit else { throw error(.tooManyPieces) }
        guard count * PieceReference.byteCount <= remaining else { throw error(.cutShort) }
        limit -= count
        var pieces: [PieceReference] = []
        pieces.reserveCapacity(count)
        for _ in 0..<count {
            let id = try id(PieceContent.self)
            let length = Int(try integer(UInt32.self))
            guard PieceReference.lengths.contains(length) else { throw error(.badPieceLength) }
            pieces.append(PieceReference(id, length: length))
        }
        return pieces
    }

    func finish() throws(SaveFormatError) {
        guard remaining == 0 else { throw error(.bytesAfterTheEnd) }
    }
}
