import Digests
import SaveRules

/// A record before it is written or after it is read: its header, without the checksum of its place, and its stored
/// bytes.
struct Record {
    var header: RecordHeader
    var body: [UInt8]
    /// The game of a snapshot; nil for other records.
    var set: SaveSetID?

    /// Makes a record of some bytes in the shorter of both forms.
    init(_ kind: RecordHeader.Kind, _ plain: DigestedBytes, by compressor: Compressor) {
        let (header, body) = RecordHeader.storing(plain, as: kind, by: compressor)
        self.init(header, body: Array(body))
    }

    init(_ header: RecordHeader, body: [UInt8]) {
        self.header = header
        self.body = body
    }

    /// A record without bytes.
    init(_ kind: RecordHeader.Kind, id: SHA256Digest) {
        self.init(RecordHeader(kind, id: id), body: [])
    }

    /// True if the stored bytes are those that were written.
    var isSound: Bool {
        body.count == header.storedCount && body.withUnsafeBytes { Digest.sha256($0).words.0 } == header.bodyCheck
    }

    /// Decompresses the bytes and compares their digest with the id; nil if they are damaged.
    func plain(by decompressor: Decompressor) -> [UInt8]? {
        guard body.count == header.storedCount else { return nil }
        let plain: [UInt8]?
        switch header.form {
        case .raw: plain = body
        case .zstd: plain = body.withUnsafeBytes { decompressor.decompressed($0, to: header.plainCount) }
        }
        guard let plain, plain.withUnsafeBytes({ Digest.sha256($0) }) == header.id else { return nil }
        return plain
    }
}

extension RecordHeader {
    /// The header of some bytes in the shorter of both forms, and their stored bytes: those of the caller or of the
    /// compressor, valid until its next call.
    static func storing(
        _ plain: DigestedBytes,
        as kind: Kind,
        by compressor: Compressor
    ) -> (header: RecordHeader, body: UnsafeRawBufferPointer) {
        let small = compressor.compressed(plain.bytes)
        let body = small ?? plain.bytes
        let header = RecordHeader(
            kind: kind,
            form: small == nil ? .raw : .zstd,
            storedCount: body.count,
            plainCount: plain.bytes.count,
            id: plain.digest,
            bodyCheck: small.map { Digest.sha256($0).words.0 } ?? plain.digest.words.0
        )
        return (header, body)
    }
}

extension ContentID {
    init(_ digest: SHA256Digest) {
        self.init(words: digest.words)
    }

    var digest: SHA256Digest { SHA256Digest(words: words) }
}
