public import Vocabulary

extension ControlFrame {
    /// The invited side's answer to an invitation, whoever invites: its part of the pairing.
    public struct PairNonce: Hashable, Sendable {
        /// The invitation it belongs to.
        public let invitation: InvitationID
        /// Fresh random bytes.
        public let nonce: PairingNonce
        /// Whether the invited side has not pinned the inviter yet.
        public let isCodeNeeded: Bool

        /// Each field as it is sent.
        public init(invitation: InvitationID, nonce: PairingNonce, isCodeNeeded: Bool) {
            self.invitation = invitation
            self.nonce = nonce
            self.isCodeNeeded = isCodeNeeded
        }
    }
}

extension ControlFrame.PairNonce: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        nonce = try reader.value()
        isCodeNeeded = try reader.flag("code needed")
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        nonce.write(to: &bytes)
        bytes.append(isCodeNeeded ? 1 : 0)
    }
}

extension ControlFrame {
    /// The inviter's part of the pairing, which its commitment had bound it to.
    public struct PairReveal: Hashable, Sendable {
        /// The invitation it belongs to.
        public let invitation: InvitationID
        /// What the commitment was made with.
        public let nonce: PairingNonce

        /// Each field as it is sent.
        public init(invitation: InvitationID, nonce: PairingNonce) {
            self.invitation = invitation
            self.nonce = nonce
        }
    }
}

extension ControlFrame.PairReveal: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        invitation = try reader.value()
        nonce = try reader.value()
    }

    func write(to bytes: inout [UInt8]) {
        invitation.write(to: &bytes)
        nonce.write(to: &bytes)
    }
}
