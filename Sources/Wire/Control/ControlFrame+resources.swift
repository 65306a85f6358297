public import Vocabulary

extension ControlFrame {
    /// An offer of a file or folder.
    public struct ResourceOffer: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// The transfer it belongs to.
        public let transfer: TransferID
        /// File or folder.
        public let kind: ResourceKind
        /// The name of the file or folder.
        public let name: FileName
        /// The bytes to transfer.
        public let total: UInt64
        /// The number of files and folders in the resource; 1 for a file.
        public let entries: UInt32
        /// The ID by which a receiver recognises the resource when it resumes the transfer.
        public let identity: ResourceIdentity
        /// Mode and modification time of a file; nil for a folder, whose content has those of each file.
        public let stamp: ResourceStamp?

        /// Creates a value from the fields in their order on the wire.
        public init(
            session: SessionID,
            transfer: TransferID,
            kind: ResourceKind,
            name: FileName,
            total: UInt64,
            entries: UInt32,
            identity: ResourceIdentity,
            stamp: ResourceStamp?
        ) {
            self.session = session
            self.transfer = transfer
            self.kind = kind
            self.name = name
            self.total = total
            self.entries = entries
            self.identity = identity
            self.stamp = kind == .file ? stamp : nil
        }
    }
}

extension ControlFrame.ResourceOffer: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        transfer = try reader.value()
        kind = try reader.value()
        name = try reader.value()
        total = try reader.integer()
        entries = try reader.integer()
        identity = try reader.value()
        stamp = kind == .file ? try reader.value() : nil
    }

    func write(to bytes: inout [UInt8]) {
        session.write(to: &bytes)
        transfer.write(to: &bytes)
        kind.write(to: &bytes)
        name.write(to: &bytes)
        bytes.append(integer: total)
        bytes.append(integer: entries)
        identity.write(to: &bytes)
        stamp?.write(to: &bytes)
    }
}

extension ControlFrame {
    /// The answer to an offer.
    public struct ResourceAnswer: Hashable, Sendable {
        /// The transfer it belongs to.
        public let transfer: TransferID
        /// The decision.
        public let verdict: Verdict
        /// An explanation for the user; may be empty.
        public let message: Remark

        /// Creates a value from the fields in their order on the wire.
        public init(transfer: TransferID, verdict: Verdict, message: Remark) {
            self.transfer = transfer
            self.verdict = verdict
            self.message = message
        }
    }
}

extension ControlFrame.ResourceAnswer: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        transfer = try reader.value()
        verdict = try reader.value()
        message = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        transfer.write(to: &bytes)
        verdict.write(to: &bytes)
        message.write(to: &bytes)
    }
}

extension ControlFrame {
    /// The end of a transfer that either side abandons.
    public struct TransferCancel: Hashable, Sendable {
        /// The transfer it belongs to.
        public let transfer: TransferID
        /// The reason for the end.
        public let reason: PartingReason

        /// Creates a value from the fields in their order on the wire.
        public init(transfer: TransferID, reason: PartingReason) {
            self.transfer = transfer
            self.reason = reason
        }
    }
}

extension ControlFrame.TransferCancel: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        transfer = try reader.value()
        reason = try reader.reason(or: .withdrawn)
    }

    func write(to bytes: inout [UInt8]) {
        transfer.write(to: &bytes)
        reason.write(to: &bytes)
    }
}
