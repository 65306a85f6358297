import Digests
import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// The data channels of one link. The side that dialled the link dials all of them, for either side.
@Engine
final class DataChannels {
    private let link: Link
    private let context: NodeContext
    /// Weak, because a dial may outlive the link.
    private weak var owner: (any DataChannelsOwner)?
    private let proofKey: [UInt8]?
    /// Requested channels that have not arrived yet.
    private var expected: [ChannelID: Promise<DataChannel>] = [:]
    private var dialling = 0
    /// The number of channels that arrived and whose first frame is still missing.
    private var undecided = 0
    /// The number of surplus channels that wait for their refusal.
    private var refusing = 0
    private var hasEnded = false

    private static let diallingLimit = 64
    private static let undecidedLimit = 64
    private static let refusingLimit = 2

    init(_ link: Link, _ context: NodeContext, owner: any DataChannelsOwner) {
        (self.link, self.context, self.owner) = (link, context, owner)
        proofKey = try? link.channel.exportKey(label: "EXPORTER-huddle-channels", count: 32)
    }

    // MARK: Channels for this side

    /// Opens a channel to the peer, ready for its first frame.
    func open() async throws -> DataChannel {
        guard !hasEnded else { throw SessionError(.lost) }
        let id = ChannelID.random()
        guard !link.isDialler else {
            guard let share = context.shares.channel(with: link.peer) else { throw SessionError(.full) }
            return try await dial(id, share)
        }
        let promise = Promise<DataChannel>()
        expected[id] = promise
        link.send(.channelRequest(id))
        let timer = Engine.schedule(at: .now + .seconds(10)) { promise.settle(.failure(SessionError(.timedOut))) }
        defer {
            timer.cancel()
            expected[id] = nil
        }
        return try await promise.value()
    }

    private func dial(_ id: ChannelID, _ share: ChannelShare?) async throws -> DataChannel {
        guard let address = link.peerAddress else { throw SessionError(.unreachable) }
        let loop = try context.bulkLoops.next()
        let secure = try await SecureChannel.dial(
            to: address,
            as: context.identity,
            expecting: link.peer,
            resuming: link.channel.ticket,
            within: .seconds(10),
            on: Engine.loop
        )
        let proof = try proof(on: secure, id)
        var frame: [UInt8] = []
        ChannelFrame.open(.init(channel: id, proof: proof)).encode(into: &frame)
        try await secure.send(frame)
        secure.move(to: loop.loop)
        var decoder = FrameDecoder<ChannelFrame>(peerMinor: link.hello.minor)
        decoder.limitHeld(to: 0)
        let channel = DataChannel(secure, decoder, on: loop, share)
        let timer = Engine.schedule(at: .now + .seconds(10)) { secure.abort() }
        defer { timer.cancel() }
        switch try await channel.next() {
        case .ready: return channel
        case .abort(let abort): throw SessionError(abort.reason)
        default: throw SessionError(.brokeProtocol)
        }
    }

    // MARK: Channels for the peer

    /// Dials a channel for the peer, which did not dial the link.
    func takeRequest(_ id: ChannelID) {
        guard link.isDialler, dialling < Self.diallingLimit, owner?.isMember == true else { return }
        dialling += 1
        context.tasks.add {
            let share = self.context.shares.channel(with: self.link.peer)
            guard let channel = try? await self.dial(id, share) else { return self.dialling -= 1 }
            guard share != nil else {
                await channel.end(saying: Self.full)
                return self.dialling -= 1
            }
            await self.awaitFirstFrame(on: channel) { self.dialling -= 1 }
        }
    }

    /// Takes a channel that the peer has dialled.
    func take(_ secure: SecureChannel, _ open: ChannelFrame.Open, _ decoder: FrameDecoder<ChannelFrame>)
        async throws
    {
        guard !link.isDialler, let expectedProof = try? proof(on: secure, open.channel),
            Digest.areEqual(expectedProof.bytes, open.proof.bytes)
        else { return secure.abort() }
        let promise = expected[open.channel]
        guard promise != nil || (owner?.isMember == true && undecided < Self.undecidedLimit) else {
            return secure.abort()
        }
        guard let share = context.shares.channel(with: link.peer) else {
            promise?.settle(.failure(SessionError(.full)))
            return await refuse(secure)
        }
        let loop = try context.bulkLoops.next()
        if promise == nil { undecided += 1 }
        var ready: [UInt8] = []
        ChannelFrame.ready.encode(into: &ready)
        do {
            try await secure.send(ready)
        } catch {
            if promise == nil { undecided -= 1 }
            throw error
        }
        secure.move(to: loop.loop)
        var decoder = decoder
        decoder.peerMinor = link.hello.minor
        let channel = DataChannel(secure, decoder, on: loop, share)
        if let promise {
            promise.settle(.success(channel))
        } else {
            await awaitFirstFrame(on: channel) { self.undecided -= 1 }
        }
    }

    private func awaitFirstFrame(on channel: DataChannel, decided: () -> Void) async {
        let timer = Engine.schedule(at: .now + .seconds(10)) { channel.abort() }
        let first = try? await channel.next()
        timer.cancel()
        decided()
        guard let first, let owner else { return channel.abort() }
        await owner.take(first, on: channel, over: link)
    }

    /// Refuses a channel of a peer that uses all of its share.
    private func refuse(_ secure: SecureChannel) async {
        guard refusing < Self.refusingLimit else { return secure.abort() }
        context.writer.note("channel-refused", about: link.peer, [.init("reason", PartingReason.full.word)])
        refusing += 1
        defer { refusing -= 1 }
        try? await secure.send(Self.full.encoded)
        await secure.close(within: .seconds(1))
    }

    private static let full = ChannelFrame.abort(.init(reason: .full, message: ""))

    /// Ends the waiting for channels after the link is lost.
    func end() {
        hasEnded = true
        for promise in expected.values { promise.settle(.failure(SessionError(.lost))) }
        expected = [:]
    }

    /// Binds a channel to the link by a proof over the exported keys of both.
    private func proof(on secure: SecureChannel, _ id: ChannelID) throws -> ChannelProof {
        let binding = try secure.exportKey(label: "EXPORTER-huddle-channel-proof", count: 32)
        let bytes = Digest.authentication(of: binding + id.bytes, key: proofKey ?? [])
        guard proofKey != nil, let proof = ChannelProof(bytes: bytes) else { throw SessionError(.lost) }
        return proof
    }
}

/// The owner of the channels of a link: the peer.
@Engine
protocol DataChannelsOwner: AnyObject, Sendable {
    /// True if the peer is in a session with this machine.
    var isMember: Bool { get }
    /// Takes the first frame of a channel that the peer wanted.
    func take(_ first: ChannelFrame, on channel: DataChannel, over link: Link) async
}
