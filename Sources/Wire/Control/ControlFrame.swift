public import Vocabulary

/// A frame of the control channel of a link.
public enum ControlFrame: WireFrame {
    /// The first frame of each side.
    case hello(Hello)
    /// The last frame, with the reason for which the link ends.
    case bye(PartingReason)
    /// Asks for a sign of life.
    case ping(UInt64)
    /// Answers a ping with its number.
    case pong(UInt64)

    /// Asks the peer to join a session.
    case invite(Invite)
    /// The invitation has reached the invited machine.
    case inviteReceived(InviteReceived)
    /// The user of the invited machine has typed a code.
    case pairShare(PairShare)
    /// The inviter's response to that, one for each code.
    case pairReply(PairReply)
    /// The invited machine's proof that the code was right.
    case pairConfirm(PairConfirm)
    /// The user or the policy of the invited machine has decided.
    case inviteAnswer(InviteAnswer)
    /// The inviter withdraws the invitation.
    case inviteCancel(InviteCancel)

    /// The other members of the session.
    case members(Members)
    /// The sender leaves a session.
    case leave(Leave)
    /// Clock and version of a member.
    case about(About)

    /// A message, or its first part.
    case message(Message)
    /// The next part of a message that did not fit into one frame.
    case messagePart(MessagePart)
    /// The last message that the receiving application has consumed.
    case messageAck(MessageAck)
    /// The last message received before the link broke. The peer sends the later ones again.
    case resume(Resume)

    /// Asks the side that dialled the link to dial a data channel.
    case channelRequest(ChannelID)
    /// Offers a file or folder.
    case resourceOffer(ResourceOffer)
    /// Answers the offer.
    case resourceAnswer(ResourceAnswer)
    /// Either side abandons a transfer.
    case transferCancel(TransferCancel)
}

/// The first byte of each frame.
enum ControlFrameType: UInt8, CaseIterable {
    case hello = 0x01
    case bye = 0x02
    case ping = 0x03
    case pong = 0x04
    case invite = 0x10
    case inviteReceived = 0x11
    case pairShare = 0x12
    case pairReply = 0x13
    case pairConfirm = 0x14
    case inviteAnswer = 0x15
    case inviteCancel = 0x16
    case members = 0x20
    case leave = 0x21
    case about = 0x22
    case message = 0x30
    case messagePart = 0x31
    case messageAck = 0x32
    case resume = 0x33
    case channelRequest = 0x40
    case resourceOffer = 0x41
    case resourceAnswer = 0x42
    case transferCancel = 0x43
}
