public import Vocabulary

extension ChannelFrame {
    /// The early end of a stream.
    public struct Abort: Hashable, Sendable {
        /// The reason for the end.
        public let reason: PartingReason
        /// An explanation for the user; may be empty.
        public let message: Remark

        /// Creates a value from the fields in their order on the wire.
        public init(reason: PartingReason, message: Remark) {
            self.reason = reason
            self.message = message
        }
    }
}

extension ChannelFrame.Abort: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        reason = try reader.reason(or: .lost)
        message = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        reason.write(to: &bytes)
        message.write(to: &bytes)
    }
}

extension ChannelFrame {
    /// The end of a resource, after its last byte.
    public struct ResourceEnd: Hashable, Sendable {
        /// The size of the resource in bytes, with those that the receiver had already.
        public let total: UInt64
        /// The digest of all these bytes.
        public let digest: ContentDigest

        /// Creates a value from the fields in their order on the wire.
        public init(total: UInt64, digest: ContentDigest) {
            self.total = total
            self.digest = digest
        }
    }
}

extension ChannelFrame.ResourceEnd: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        total = try reader.integer()
        digest = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: total)
        digest.write(to: &bytes)
    }
}

extension ChannelFrame {
    /// The failure of a transfer on the machine that sends this frame.
    public struct Failed: Hashable, Sendable {
        /// The stable code of the error.
        public let code: FaultCode
        /// An explanation for the user.
        public let message: Remark

        /// Creates a value from the fields in their order on the wire.
        public init(code: FaultCode, message: Remark) {
            self.code = code
            self.message = message
        }
    }
}

extension ChannelFrame.Failed: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        code = try reader.value()
        message = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        code.write(to: &bytes)
        message.write(to: &bytes)
    }
}
