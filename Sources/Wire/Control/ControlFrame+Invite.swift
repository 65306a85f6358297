public import Vocabulary

extension ControlFrame {
    /// An invitation to a session.
    public struct Invite: Hashable, Sendable {
        /// The ID of the invitation.
        public let invitation: InvitationID
        /// The session to join.
        public let session: SessionID
        /// The name of the session.
        public let sessionName: Label
        /// The connections between the members.
        public let topology: Topology
        /// True if the inviter has not pinned the invited side yet.
        public let isCodeNeeded: Bool
        /// The time that the inviter waits for an answer, in milliseconds.
        public let patienceMilliseconds: UInt32
        /// Bytes from the application for the application of the peer.
        public let context: ArraySlice<UInt8>

        /// The time that the inviter waits for an answer.
        public var patience: Duration { .milliseconds(patienceMilliseconds) }

        /// - Precondition: the context has at most 32 KiB
        public init(
            invitation: InvitationID,
            session: SessionID,
            sessionName: Label,
            topology: Topology,
            isCodeNeeded: Bool,
            patienceMilliseconds: UInt32,
            context: ArraySlice<UInt8> = []
        ) {
            precondition(context.count <= WireLimits.context, "who takes an application's context checks its size")
            self.invitation = invitation
            self.session = session
            self.sessionName = sessionName
            self.topology = topology
            self.isCodeNeeded = isCodeNeeded
            self.patienceMilliseconds = patienceMilliseconds
            self.context = context
        }
    }
}

extension ControlFrame.Invite: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        session = try reader.value()
        sessionName = try reader.value()
        topology = try reader.value()
        isCodeNeeded = try reader.flag("code needed")
        patienceMilliseconds = try reader.integer()
        let count = Int(try reader.integer(UInt32.self))
        guard count <= WireLimits.context else { throw .badValue("context") }
        context = try reader.bytes(count)
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        session.write(to: &bytes)
        sessionName.write(to: &bytes)
        topology.write(to: &bytes)
        bytes.append(isCodeNeeded ? 1 : 0)
        bytes.append(integer: patienceMilliseconds)
        bytes.append(integer: UInt32(context.count))
        bytes.append(contentsOf: context)
    }
}
