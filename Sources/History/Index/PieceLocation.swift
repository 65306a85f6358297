import SaveRules

/// The place of a piece's record, its stored size and its plain size.
struct PieceLocation: Hashable {
    var place: RecordPlace
    var storedCount: UInt32
    var plainCount: UInt32

    init(_ header: RecordHeader, _ place: RecordPlace) {
        self.place = place
        storedCount = UInt32(header.storedCount)
        plainCount = UInt32(header.plainCount)
    }

    init(place: RecordPlace, storedCount: UInt32, plainCount: UInt32) {
        self.place = place
        self.storedCount = storedCount
        self.plainCount = plainCount
    }

    /// The size of the record on the disk in bytes, with its header.
    var recordCount: UInt64 { UInt64(RecordHeader.byteCount) + UInt64(storedCount) }
}

/// A piece and its location: one entry of the index.
struct IndexEntry: Hashable {
    static let byteCount = 48

    let id: PieceID
    let location: PieceLocation

    init(_ id: PieceID, _ location: PieceLocation) {
        self.id = id
        self.location = location
    }

    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        id = PieceID(bytes.digest(at: offset))
        location = PieceLocation(
            place: RecordPlace(
                pack: bytes.number(at: offset + 32, as: UInt32.self),
                offset: bytes.number(at: offset + 36, as: UInt32.self)
            ),
            storedCount: bytes.number(at: offset + 40, as: UInt32.self),
            plainCount: bytes.number(at: offset + 44, as: UInt32.self)
        )
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(id.digest)
        bytes.append(bigEndian: location.place.pack)
        bytes.append(bigEndian: location.place.offset)
        bytes.append(bigEndian: location.storedCount)
        bytes.append(bigEndian: location.plainCount)
    }
}
