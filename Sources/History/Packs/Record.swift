import Digests
import SaveRules

/// A record before it is written or after it is read: its header, without the checksum of its place, and its stored
/// bytes.
struct Record {
    var header: RecordHeader
    var body: [UInt8]
    /// The set of a snapshot; nil for other records.
    var set: SaveSetID?

    /// Makes a record of some bytes in the shorter of both forms.
    init(_ kind: RecordHeader.Kind, _ plain: DigestedBytes, by compressor: Compressor) {
        if let small = compressor.compressed(plain.bytes) {
            body = Array(small)
            let check = Digest.sha256(small).words.0
            header = RecordHeader(
                kind: kind,
                form: .zstd,
                storedCount: small.count,
                plainCount: plain.bytes.count,
                id: plain.digest,
                bodyCheck: check
            )
        } else {
            body = Array(plain.bytes)
            header = RecordHeader(
                kind: kind,
                form: .raw,
                storedCount: body.count,
                plainCount: body.count,
                id: plain.digest,
                bodyCheck: plain.digest.words.0
            )
        }
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

extension ContentID {
    init(_ digest: SHA256Digest) {
        self.init(words: digest.words)
    }

    var digest: SHA256Digest { SHA256Digest(words: words) }
}
