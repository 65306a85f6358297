import Digests
import SaveRules

/// The form in which the bytes of a record are stored.
enum StoredForm: UInt8 {
    /// The plain bytes.
    case raw = 0
    /// One frame of zstd.
    case zstd = 1
}

/// The header before each record of a pack: its kind, its lengths and its digests.
struct RecordHeader: Equatable {
    enum Kind: UInt8 {
        /// A piece of a file or of a manifest.
        case piece = 1
        /// A snapshot, kept from here on.
        case snapshot = 2
        /// A drop of the snapshot with this id: from here on it is not kept.
        case drop = 3
        /// A note that everything before it was flushed.
        case flushed = 4
        /// A snapshot whose pieces are still arriving.
        case expected = 5
        /// A damaged record that a repair has discarded.
        case void = 6
    }

    static let byteCount = 64
    /// The first four bytes of a header, which a scan searches after damage.
    static let mark: [UInt8] = Array("HREC".utf8)
    /// The greatest number of stored bytes, except in a discarded record.
    static let largestBody = 4 << 20

    var kind: Kind
    var form: StoredForm = .raw
    var storedCount: Int
    var plainCount: Int
    /// The SHA-256 of the plain bytes.
    var id: SHA256Digest
    /// The beginning of the SHA-256 of the stored bytes.
    var bodyCheck: UInt64

    var recordCount: Int { Self.byteCount + storedCount }

    /// A record without bytes.
    init(_ kind: Kind, id: SHA256Digest) {
        self.init(kind: kind, form: .raw, storedCount: 0, plainCount: 0, id: id, bodyCheck: Self.checkOfNothing)
    }

    init(kind: Kind, form: StoredForm, storedCount: Int, plainCount: Int, id: SHA256Digest, bodyCheck: UInt64) {
        self.kind = kind
        self.form = form
        self.storedCount = storedCount
        self.plainCount = plainCount
        self.id = id
        self.bodyCheck = bodyCheck
    }

    /// The id of records that need none.
    static let noID = Digest.sha256(UnsafeRawBufferPointer(start: nil, count: 0))
    private static let checkOfNothing = noID.words.0

    /// Appends the header with the checksum for a place in a pack.
    func append(to bytes: inout [UInt8], sealedBy seal: PackSeal, pack: UInt32, offset: UInt64) {
        let start = bytes.count
        bytes += Self.mark
        bytes += [kind.rawValue, form.rawValue, 0, 0]
        bytes.append(bigEndian: UInt32(storedCount))
        bytes.append(bigEndian: UInt32(plainCount))
        bytes.append(id)
        bytes.append(bigEndian: bodyCheck)
        let check = bytes.withUnsafeBytes {
            seal.check(of: UnsafeRawBufferPointer(rebasing: $0[start...]), pack, offset)
        }
        bytes.append(bigEndian: check)
    }

    /// Reads a header; nil if there is none that was written at this place of this pack.
    init?(_ bytes: UnsafeRawBufferPointer, sealedBy seal: PackSeal, pack: UInt32, offset: UInt64) {
        guard bytes.count >= Self.byteCount, bytes.prefix(4).elementsEqual(Self.mark) else { return nil }
        let checked = UnsafeRawBufferPointer(rebasing: bytes[..<(Self.byteCount - 8)])
        guard bytes.number(at: 56, as: UInt64.self) == seal.check(of: checked, pack, offset),
            let kind = Kind(rawValue: bytes[4]), let form = StoredForm(rawValue: bytes[5])
        else { return nil }
        self.init(
            kind: kind,
            form: form,
            storedCount: Int(bytes.number(at: 8, as: UInt32.self)),
            plainCount: Int(bytes.number(at: 12, as: UInt32.self)),
            id: bytes.digest(at: 16),
            bodyCheck: bytes.number(at: 48, as: UInt64.self)
        )
        let isWithinLimits = storedCount <= Self.largestBody && plainCount <= Self.largestBody
        guard isWithinLimits || kind == .void else { return nil }
    }
}

extension UnsafeRawBufferPointer {
    func number<Number: FixedWidthInteger>(at offset: Int, as: Number.Type) -> Number {
        Number(bigEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    func digest(at offset: Int) -> SHA256Digest {
        SHA256Digest(
            words: (
                number(at: offset, as: UInt64.self), number(at: offset + 8, as: UInt64.self),
                number(at: offset + 16, as: UInt64.self), number(at: offset + 24, as: UInt64.self)
            )
        )
    }
}

extension [UInt8] {
    mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    mutating func append(_ digest: SHA256Digest) {
        append(bigEndian: digest.words.0)
        append(bigEndian: digest.words.1)
        append(bigEndian: digest.words.2)
        append(bigEndian: digest.words.3)
    }
}
