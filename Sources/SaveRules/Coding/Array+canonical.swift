import Vocabulary

extension [UInt8] {
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends a text after its length in two bytes.
    mutating func append(counted text: String) {
        append(bigEndian: UInt16(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    mutating func append(_ pieces: [PieceReference]) {
        append(bigEndian: UInt32(pieces.count))
        for piece in pieces {
            piece.id.append(to: &self)
            append(bigEndian: UInt32(piece.length))
        }
    }

    mutating func append<Kind>(_ ids: [ContentID<Kind>]) {
        append(bigEndian: UInt16(ids.count))
        for id in ids { id.append(to: &self) }
    }

    mutating func append(_ version: SignedVersion) {
        append(bigEndian: UInt16(version.proofs.count))
        for (part, proof) in zip(version.vector.parts, version.proofs) {
            append(contentsOf: proof.key.bytes)
            append(bigEndian: part.counter)
            append(contentsOf: proof.signature.bytes)
        }
    }

    mutating func append(_ version: VersionVector) {
        append(bigEndian: UInt16(version.parts.count))
        for part in version.parts {
            append(contentsOf: part.peer.bytes)
            append(bigEndian: part.counter)
        }
    }
}
