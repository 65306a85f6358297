public import Vocabulary

extension ControlFrame {
    /// The receipt of an invitation. Every invited machine sends one, even if it does not ask its user.
    public struct InviteReceived: Hashable, Sendable {
        /// The invitation it belongs to.
        public let invitation: InvitationID
        /// True if the invited side has not pinned the inviter yet.
        public let isCodeNeeded: Bool

        /// Creates a value from the fields in their order on the wire.
        public init(invitation: InvitationID, isCodeNeeded: Bool) {
            (self.invitation, self.isCodeNeeded) = (invitation, isCodeNeeded)
        }
    }
}

extension ControlFrame.InviteReceived: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        isCodeNeeded = try reader.flag("code needed")
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        bytes.append(isCodeNeeded ? 1 : 0)
    }
}

extension ControlFrame {
    /// The invited side's share, after its user has typed the code.
    public struct PairShare: Hashable, Sendable {
        /// The invitation it belongs to.
        public let invitation: InvitationID
        /// The public half of the invited side.
        public let share: PairingShare

        /// Creates a value from the fields in their order on the wire.
        public init(invitation: InvitationID, share: PairingShare) {
            (self.invitation, self.share) = (invitation, share)
        }
    }
}

extension ControlFrame.PairShare: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        share = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        share.write(to: &bytes)
    }
}

extension ControlFrame {
    /// The inviter's share and its proof that it knows the code. The inviter sends one for each code.
    public struct PairReply: Hashable, Sendable {
        /// The invitation it belongs to.
        public let invitation: InvitationID
        /// The public half of the inviter.
        public let share: PairingShare
        /// The inviter's proof.
        public let confirmation: PairingConfirmation

        /// Creates a value from the fields in their order on the wire.
        public init(invitation: InvitationID, share: PairingShare, confirmation: PairingConfirmation) {
            (self.invitation, self.share, self.confirmation) = (invitation, share, confirmation)
        }
    }
}

extension ControlFrame.PairReply: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        share = try reader.value()
        confirmation = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        share.write(to: &bytes)
        confirmation.write(to: &bytes)
    }
}

extension ControlFrame {
    /// The invited side's proof that its user typed the code.
    public struct PairConfirm: Hashable, Sendable {
        /// The invitation it belongs to.
        public let invitation: InvitationID
        /// The invited side's proof.
        public let confirmation: PairingConfirmation

        /// Creates a value from the fields in their order on the wire.
        public init(invitation: InvitationID, confirmation: PairingConfirmation) {
            (self.invitation, self.confirmation) = (invitation, confirmation)
        }
    }
}

extension ControlFrame.PairConfirm: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        confirmation = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        confirmation.write(to: &bytes)
    }
}
