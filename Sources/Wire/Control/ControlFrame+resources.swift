public import Vocabulary

extension ControlFrame {
    /// A file or folder that the sender would send.
    public struct ResourceOffer: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// The transfer it belongs to.
        public let transfer: TransferID
        /// What it is.
        public let kind: ResourceKind
        /// What it is called.
        public let name: FileName
        /// How many bytes will travel.
        public let total: UInt64
        /// How many files and folders it holds; 1 for a file.
        public let entries: UInt32
        /// What it is recognised by when the transfer is taken up again.
        public let identity: ResourceIdentity
        /// Mode and time of change of a file; nil for a folder, within which they travel.
        public let stamp: ResourceStamp?

        /// Each field as it is sent.
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
    /// Whether the resource is wanted.
    public struct ResourceAnswer: Hashable, Sendable {
        /// The transfer it belongs to.
        public let transfer: TransferID
        /// Yes, or no and why.
        public let verdict: Verdict
        /// What a person should know about it; may be empty.
        public let message: Remark

        /// Each field as it is sent.
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
    /// Either side gives a transfer up.
    public struct TransferCancel: Hashable, Sendable {
        /// The transfer it belongs to.
        public let transfer: TransferID
        /// Why.
        public let reason: PartingReason

        /// Each field as it is sent.
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
