public import Vocabulary

extension ControlFrame {
    /// The acknowledgement of messages that the receiving application has consumed.
    public struct MessageAck: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// The number of the last consumed message.
        public let consumed: UInt64

        /// Creates a value from the fields in their order on the wire.
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
    /// A request after the link broke: the peer drops the received messages and sends the later ones again.
    public struct Resume: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// The number of the last complete message; 0 for none.
        public let received: UInt64

        /// Creates a value from the fields in their order on the wire.
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
