public import Vocabulary

/// The frame ResourceOffer byte by byte, with names that the real type refuses.
public struct OfferBytes: Sendable {
    /// The type of the frame.
    public static let type: UInt8 = 0x41

    /// The number of the transfer.
    public let transfer = TransferID.random()
    /// 1 for a file, 2 for a folder.
    public var kind: UInt8 = 1
    /// True for the form with a file's mode and time.
    public var saysStamp = true
    /// The mode of a file.
    public var mode: UInt16 = 0o644
    /// The modification time of a file.
    public var modified: (seconds: Int64, nanoseconds: UInt32) = (1_790_000_000, 0)
    /// The seed of its identity. Another seed means another file.
    public var identity: UInt8 = 7
    private let session: SessionID
    private let name: String
    private let total: UInt64
    private let entries: UInt32

    /// An offer of a file with any name and any size.
    public init(session: SessionID, name: String, total: UInt64 = 10, entries: UInt32 = 1) {
        (self.session, self.name, self.total, self.entries) = (session, name, total, entries)
    }

    /// The bytes after the frame's header.
    public var payload: [UInt8] {
        func big(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        let text = Array(name.utf8)
        var bytes = session.bytes + transfer.bytes + [kind]
        bytes += big(UInt16(text.count)) + text
        bytes += big(total) + big(entries)
        bytes += [UInt8](repeating: identity, count: 16)
        return kind == 1 && saysStamp ? bytes + big(mode) + big(modified.seconds) + big(modified.nanoseconds) : bytes
    }
}
