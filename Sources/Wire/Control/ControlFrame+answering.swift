public import Vocabulary

extension ControlFrame {
    /// The answer to an invitation.
    public struct InviteAnswer: Hashable, Sendable {
        /// The invitation it belongs to.
        public let invitation: InvitationID
        /// The decision.
        public let verdict: Verdict

        /// Creates a value from the fields in their order on the wire.
        public init(invitation: InvitationID, verdict: Verdict) {
            self.invitation = invitation
            self.verdict = verdict
        }
    }
}

extension ControlFrame.InviteAnswer: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        verdict = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        verdict.write(to: &bytes)
    }
}

extension ControlFrame {
    /// The withdrawal of an invitation by the inviter.
    public struct InviteCancel: Hashable, Sendable {
        /// The invitation it belongs to.
        public let invitation: InvitationID
        /// The reason.
        public let reason: PartingReason

        /// Creates a value from the fields in their order on the wire.
        public init(invitation: InvitationID, reason: PartingReason) {
            self.invitation = invitation
            self.reason = reason
        }
    }
}

extension ControlFrame.InviteCancel: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        reason = try reader.reason(or: .withdrawn)
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        reason.write(to: &bytes)
    }
}

extension ControlFrame {
    /// The notice that the sender leaves a session.
    public struct Leave: Hashable, Sendable {
        /// The session it belongs to.
        public let session: SessionID
        /// The reason.
        public let reason: PartingReason

        /// Creates a value from the fields in their order on the wire.
        public init(session: SessionID, reason: PartingReason) {
            self.session = session
            self.reason = reason
        }
    }
}

extension ControlFrame.Leave: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        session = try reader.value()
        reason = try reader.reason(or: .left)
    }

    func write(to bytes: inout [UInt8]) {
        session.write(to: &bytes)
        reason.write(to: &bytes)
    }
}
