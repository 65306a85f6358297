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
    private var expected: [LaneID: Promise<DataChannel>] = [:]
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
        proofKey = try? link.lane.exportKey(label: "EXPORTER-huddle-lanes", count: 32)
    }

    // MARK: Channels for this side

    /// Opens a channel to the peer, ready for its first frame.
    func open() async throws -> DataChannel {
        guard !hasEnded else { throw SessionError(.lost) }
        let id = LaneID.random()
        guard !link.isDialler else {
            guard let share = context.shares.channel(with: link.peer) else { throw SessionError(.full) }
            return try await dial(id, share)
        }
        let promise = Promise<DataChannel>()
        expected[id] = promise
        link.send(.laneRequest(id))
        let timer = Engine.schedule(at: .now + .seconds(10)) { promise.settle(.failure(SessionError(.timedOut))) }
        defer {
            timer.cancel()
            expected[id] = nil
        }
        return try await promise.value()
    }

    private func dial(_ id: LaneID, _ share: ChannelShare?) async throws -> DataChannel {
        guard let address = link.peerAddress else { throw SessionError(.unreachable) }
        let loop = try context.bulkLoops.next()
        let lane = try await Lane.dial(
            to: address,
            as: context.identity,
            expecting: link.peer,
            resuming: link.lane.ticket,
            within: .seconds(10),
            on: Engine.loop
        )
        let proof = try proof(on: lane, id)
        var frame: [UInt8] = []
        LaneFrame.open(.init(lane: id, proof: proof)).encode(into: &frame)
        try await lane.send(frame)
        lane.move(to: loop.loop)
        var decoder = FrameDecoder<LaneFrame>(peerMinor: link.hello.minor)
        decoder.limitHeld(to: 0)
        let channel = DataChannel(lane, decoder, on: loop, share)
        let timer = Engine.schedule(at: .now + .seconds(10)) { lane.abort() }
        defer { timer.cancel() }
        switch try await channel.next() {
        case .ready: return channel
        case .abort(let abort): throw SessionError(abort.reason)
        default: throw SessionError(.brokeProtocol)
        }
    }

    // MARK: Channels for the peer

    /// Dials a channel for the peer, which did not dial the link.
    func takeRequest(_ id: LaneID) {
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
    func take(_ lane: Lane, _ open: LaneFrame.LaneOpen, _ decoder: FrameDecoder<LaneFrame>) async throws {
        guard !link.isDialler, let expectedProof = try? proof(on: lane, open.lane),
            Digest.areEqual(expectedProof.bytes, open.proof.bytes)
        else { return lane.abort() }
        let promise = expected[open.lane]
        guard promise != nil || (owner?.isMember == true && undecided < Self.undecidedLimit) else {
            return lane.abort()
        }
        guard let share = context.shares.channel(with: link.peer) else {
            promise?.settle(.failure(SessionError(.full)))
            return await refuse(lane)
        }
        let loop = try context.bulkLoops.next()
        if promise == nil { undecided += 1 }
        var ready: [UInt8] = []
        LaneFrame.ready.encode(into: &ready)
        do {
            try await lane.send(ready)
        } catch {
            if promise == nil { undecided -= 1 }
            throw error
        }
        lane.move(to: loop.loop)
        var decoder = decoder
        decoder.peerMinor = link.hello.minor
        let channel = DataChannel(lane, decoder, on: loop, share)
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
    private func refuse(_ lane: Lane) async {
        guard refusing < Self.refusingLimit else { return lane.abort() }
        context.writer.note("lane-refused", about: link.peer, [.init("reason", PartingReason.full.word)])
        refusing += 1
        defer { refusing -= 1 }
        try? await lane.send(Self.full.encoded)
        await lane.close(within: .seconds(1))
    }

    private static let full = LaneFrame.abort(.init(reason: .full, message: ""))

    /// Ends the waiting for channels after the link is lost.
    func end() {
        hasEnded = true
        for promise in expected.values { promise.settle(.failure(SessionError(.lost))) }
        expected = [:]
    }

    /// Binds a channel to the link by a proof over the exported keys of both.
    private func proof(on lane: Lane, _ id: LaneID) throws -> LaneProof {
        let binding = try lane.exportKey(label: "EXPORTER-huddle-lane-proof", count: 32)
        let bytes = Digest.authentication(of: binding + id.bytes, key: proofKey ?? [])
        guard proofKey != nil, let proof = LaneProof(bytes: bytes) else { throw SessionError(.lost) }
        return proof
    }
}

/// The owner of the channels of a link: the peer.
@Engine
protocol DataChannelsOwner: AnyObject, Sendable {
    /// True if the peer is in a session with this machine.
    var isMember: Bool { get }
    /// Takes the first frame of a channel that the peer wanted.
    func take(_ first: LaneFrame, on channel: DataChannel, over link: Link) async
}
