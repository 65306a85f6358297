import Vocabulary
import Wire

/// Values for frames. The vectors in `Fixtures` use the same values.
enum Sample {
    static func bytes(from first: UInt8, _ count: Int) -> [UInt8] { (0..<count).map { first &+ UInt8($0) } }

    static func id<Kind>(_ first: UInt8) -> RandomID<Kind> {
        func word(_ start: UInt8) -> UInt64 { bytes(from: start, 8).reduce(0) { $0 << 8 | UInt64($1) } }
        return RandomID(high: word(first), low: word(first + 8))
    }

    static let session: SessionID = id(0xA0)
    static let invitation: InvitationID = id(0xB0)
    static let transfer: TransferID = id(0xC0)
    static let channel: ChannelID = id(0xD0)
    static let digest: [UInt8] = bytes(from: 0x60, 16)

    static func name(_ text: String) throws -> InstanceName { try InstanceName(text) }

    static func thirtyTwo<Kind>(_ first: UInt8) throws -> ThirtyTwoBytes<Kind> {
        try required(ThirtyTwoBytes(bytes: bytes(from: first, 32)))
    }

    static func sixteen<Kind>(_ bytes: [UInt8] = digest) throws -> SixteenBytes<Kind> {
        try required(SixteenBytes(bytes: bytes))
    }

    static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }

    struct Missing: Error {}

    /// Every frame of the control channel, under the name of its vector.
    static func controlFrames() throws -> [String: ControlFrame] {
        var frames: [String: ControlFrame] = [
            "bye": .bye(.shuttingDown), "ping": .ping(7), "pong": .pong(7),
            "invite-received": .inviteReceived(.init(invitation: invitation, isCodeNeeded: true)),
            "pair-confirm": .pairConfirm(.init(invitation: invitation, confirmation: try thirtyTwo(0))),
            "invite-accepted": .inviteAnswer(.init(invitation: invitation, verdict: .accepted)),
            "invite-declined": .inviteAnswer(.init(invitation: invitation, verdict: .refused(.declined))),
            "invite-cancel": .inviteCancel(.init(invitation: invitation, reason: .withdrawn)),
            "leave": .leave(.init(session: session, reason: .left)),
            "message": .message(.init(session: session, sequence: 1, total: 5, bytes: Array("hello".utf8)[...])),
            "message-empty": .message(.init(session: session, sequence: 2, total: 0, bytes: [])),
            "message-begin": .message(.init(session: session, sequence: 3, total: 5, bytes: Array("hel".utf8)[...])),
            "message-part": .messagePart(.init(session: session, sequence: 3, bytes: Array("lo".utf8)[...])),
            "message-ack": .messageAck(.init(session: session, consumed: 3)),
            "resume": .resume(.init(session: session, received: 3)),
            "channel-request": .channelRequest(channel),
            "resource-accepted": .resourceAnswer(.init(transfer: transfer, verdict: .accepted, message: "")),
            "resource-refused": .resourceAnswer(
                .init(transfer: transfer, verdict: .refused(.notPermitted), message: "no room")
            ),
            "transfer-cancel": .transferCancel(.init(transfer: transfer, reason: .withdrawn)),
        ]
        frames["pair-share"] = .pairShare(.init(invitation: invitation, share: try share()))
        let reply = ControlFrame.PairReply(
            invitation: invitation,
            share: try share(),
            confirmation: try thirtyTwo(0)
        )
        frames["pair-reply"] = .pairReply(reply)
        frames["hello"] = .hello(try hello())
        frames["about"] = .about(.init(clock: 1_790_000_000, program: try required(ProgramVersion("0.1.0"))))
        frames["invite"] = .invite(try invite(context: Array("abc".utf8)[...]))
        frames["members"] = .members(try members())
        frames["resource-offer"] = .resourceOffer(try offer())
        frames["resource-offer-file"] = .resourceOffer(try fileOffer())
        return frames
    }

    static func hello(minor: UInt16 = 0) throws -> ControlFrame.Hello {
        .init(
            minor: minor,
            name: try name("Deck"),
            listeningPort: 4242,
            datagramPort: 4243,
            runToken: 0x0123_4567_89AB_CDEF
        )
    }

    /// The first share of RFC 9382, appendix B.
    static func share() throws -> PairingShare {
        let digits = Array(
            ("04a56fa807caaa53a4d28dbb9853b9815c61a411118a6fe516a8798434751470"
                + "f9010153ac33d0d5f2047ffdb1a3e42c9b4e6be662766e1eeb4116988ede5f912c").utf8
        )
        let nibbles = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        let bytes = stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
        return try required(PairingShare(bytes: bytes))
    }

    static func invite(context: ArraySlice<UInt8>) throws -> ControlFrame.Invite {
        .init(
            invitation: invitation,
            session: session,
            sessionName: try Label("Chess"),
            topology: .mesh,
            isCodeNeeded: true,
            patienceMilliseconds: 30_000,
            context: context
        )
    }

    static func member(addresses: [MemberAddress]) throws -> ControlFrame.Member {
        .init(
            peer: try required(PeerID(bytes: bytes(from: 0xE0, 32))),
            name: try name("Böx"),
            port: 4242,
            addresses: addresses
        )
    }

    static func members() throws -> ControlFrame.Members {
        let addresses: [MemberAddress] = [.v4(0x0A00_0007), .v6(high: 0xFD00 << 48, low: 1)]
        return .init(session: session, members: [try member(addresses: addresses)])
    }

    static func offer() throws -> ControlFrame.ResourceOffer {
        .init(
            session: session,
            transfer: transfer,
            kind: .folder,
            name: try FileName("saves"),
            total: 1 << 30,
            entries: 10_000,
            identity: try sixteen(),
            stamp: nil
        )
    }

    static func fileOffer(stamp: ResourceStamp? = Sample.stamp) throws -> ControlFrame.ResourceOffer {
        .init(
            session: session,
            transfer: transfer,
            kind: .file,
            name: try FileName("go.sh"),
            total: 17,
            entries: 1,
            identity: try sixteen(),
            stamp: stamp
        )
    }

    static let stamp = ResourceStamp(
        mode: .program,
        modified: FileTime(seconds: 1_790_000_000, nanoseconds: 123_456_789)
    )

    /// Every frame of the data channels, under the name of its vector.
    static func channelFrames() throws -> [String: ChannelFrame] {
        let digests: [ContentDigest] = [try sixteen(), try sixteen(digest.reversed())]
        return [
            "channel-open": .open(.init(channel: channel, proof: try thirtyTwo(0))),
            "channel-ready": .ready,
            "stream-begin": .streamBegin(.init(session: session, name: try Label("chat"))),
            "stream-taken": .streamTaken,
            "data": .data([0, 1, 2, 3]),
            "end": .end,
            "abort": .abort(.init(reason: .lost, message: "gone")),
            "resource-begin": .resourceBegin(transfer),
            "held": .held(.init(byteCount: 5 << 20, blockSize: 4 << 20, digests: digests)),
            "held-nothing": .held(.init(byteCount: 0, blockSize: 4 << 20, digests: [])),
            "start-at": .startAt(4 << 20),
            "resource-end": .resourceEnd(.init(total: 1 << 30, digest: try sixteen())),
            "stored": .stored(try FileName("saves (2)")),
            "verified": .verified(4 << 20),
            "failed": .failed(.init(code: FaultCode("resource.disk-full"), message: "the disk is full")),
        ]
    }
}
