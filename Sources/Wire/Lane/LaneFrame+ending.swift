public import Vocabulary

extension LaneFrame {
    /// A stream ends before its end.
    public struct Abort: Hashable, Sendable {
        /// Why.
        public let reason: PartingReason
        /// What a person should know about it; may be empty.
        public let message: Remark

        /// Each field as it is sent.
        public init(reason: PartingReason, message: Remark) {
            self.reason = reason
            self.message = message
        }
    }
}

extension LaneFrame.Abort: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        reason = try reader.reason(or: .lost)
        message = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        reason.write(to: &bytes)
        message.write(to: &bytes)
    }
}

extension LaneFrame {
    /// All bytes of a resource have been sent.
    public struct ResourceEnd: Hashable, Sendable {
        /// How many there are in all, with those the receiver had already.
        public let total: UInt64
        /// The digest of all of them.
        public let digest: ContentDigest

        /// Each field as it is sent.
        public init(total: UInt64, digest: ContentDigest) {
            self.total = total
            self.digest = digest
        }
    }
}

extension LaneFrame.ResourceEnd: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        total = try reader.integer()
        digest = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: total)
        digest.write(to: &bytes)
    }
}

extension LaneFrame {
    /// A transfer failed on the sending side of this frame.
    public struct Failed: Hashable, Sendable {
        /// The error as a stable word.
        public let code: FaultCode
        /// What a person should know about it.
        public let message: Remark

        /// Each field as it is sent.
        public init(code: FaultCode, message: Remark) {
            self.code = code
            self.message = message
        }
    }
}

extension LaneFrame.Failed: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        code = try reader.value()
        message = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        code.write(to: &bytes)
        message.write(to: &bytes)
    }
}
