public import Vocabulary

extension ControlFrame {
    /// How far the receiving application has got.
    public struct MessageAck: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// The number of the last message it has taken.
        public let consumed: UInt64

        /// Each field as it is sent.
        public init(session: SessionID, consumed: UInt64) {
            self.session = session
            self.consumed = consumed
        }
    }
}

extension ControlFrame.MessageAck: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        consumed = try reader.integer()
    }

    func write(to bytes: inout [UInt8]) {
        session.write(to: &bytes)
        bytes.append(integer: consumed)
    }
}

extension ControlFrame {
    /// After a cut: the sender of the messages drops what was received and sends the rest again.
    public struct Resume: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// The number of the last message that came whole; 0 for none.
        public let received: UInt64

        /// Each field as it is sent.
        public init(session: SessionID, received: UInt64) {
            self.session = session
            self.received = received
        }
    }
}

extension ControlFrame.Resume: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        received = try reader.integer()
    }

    func write(to bytes: inout [UInt8]) {
        session.write(to: &bytes)
        bytes.append(integer: received)
    }
}
