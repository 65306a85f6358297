public import Vocabulary

extension ChannelFrame {
    /// The first frame of a data channel, from the side that dialled.
    public struct Open: Hashable, Sendable {
        /// The ID of the channel.
        public let channel: ChannelID
        /// The proof that the channel belongs to the link.
        public let proof: ChannelProof

        /// Creates a value from the fields in their order on the wire.
        public init(channel: ChannelID, proof: ChannelProof) {
            self.channel = channel
            self.proof = proof
        }
    }
}

extension ChannelFrame.Open: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        channel = try reader.value()
        proof = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        channel.write(to: &bytes)
        proof.write(to: &bytes)
    }
}

extension ChannelFrame {
    /// The frame that makes the channel a stream.
    public struct StreamBegin: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// The application's name for the stream.
        public let name: Label

        /// Creates a value from the fields in their order on the wire.
        public init(session: SessionID, name: Label) {
            self.session = session
            self.name = name
        }
    }
}

extension ChannelFrame.StreamBegin: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        name = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        session.write(to: &bytes)
        name.write(to: &bytes)
    }
}
