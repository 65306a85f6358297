public import Vocabulary

extension LaneFrame {
    /// The first frame of a data channel, from the side that dialled.
    public struct LaneOpen: Hashable, Sendable {
        /// The ID of the channel.
        public let lane: LaneID
        /// The proof that the channel belongs to the link.
        public let proof: LaneProof

        /// Creates a value from the fields in their order on the wire.
        public init(lane: LaneID, proof: LaneProof) {
            self.lane = lane
            self.proof = proof
        }
    }
}

extension LaneFrame.LaneOpen: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        lane = try reader.value()
        proof = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        lane.write(to: &bytes)
        proof.write(to: &bytes)
    }
}

extension LaneFrame {
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

extension LaneFrame.StreamBegin: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        name = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        session.write(to: &bytes)
        name.write(to: &bytes)
    }
}
