public import Vocabulary

extension LaneFrame {
    /// The first frame of a further lane, from the side that dialled.
    public struct LaneOpen: Hashable, Sendable {
        /// The name of the lane.
        public let lane: LaneID
        /// What shows that it belongs to the link.
        public let proof: LaneProof

        /// Each field as it is sent.
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
    /// The lane becomes a stream.
    public struct StreamBegin: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// What the application calls the stream.
        public let name: Label

        /// Each field as it is sent.
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
