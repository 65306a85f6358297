import Digests
import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary
import Wire

/// The further lanes of one link: dialled by the side that dialled the link, whoever wants them.
@Engine
final class LaneBoard {
    private let link: Link
    private unowned let node: Node
    private let proofKey: [UInt8]?
    /// Lanes that were asked for and have not come yet.
    private var expected: [LaneID: Promise<LaneChannel>] = [:]
    private var dialling = 0
    /// Lanes that came and have not said yet what they are for.
    private var undecided = 0
    /// Lanes that came too many, and are being told so.
    private var refusing = 0
    private var hasEnded = false

    private static let diallingLimit = 64
    private static let undecidedLimit = 64
    private static let refusingLimit = 2

    init(_ link: Link, at node: Node) {
        self.link = link
        self.node = node
        proofKey = try? link.lane.exportKey(label: "EXPORTER-huddle-lanes", count: 32)
    }

    // MARK: Lanes that this side wants

    /// A new lane to the peer, ready for its first word.
    func open() async throws -> LaneChannel {
        guard !hasEnded else { throw SessionError(.lost) }
        let id = LaneID.random()
        guard !link.isDialler else {
            guard let share = node.shares.lane(with: link.peer) else { throw SessionError(.full) }
            return try await dial(id, share)
        }
        let promise = Promise<LaneChannel>()
        expected[id] = promise
        link.send(.laneRequest(id))
        let timer = Engine.schedule(at: .now + .seconds(10)) { promise.settle(.failure(SessionError(.timedOut))) }
        defer {
            timer.cancel()
            expected[id] = nil
        }
        return try await promise.value()
    }

    private func dial(_ id: LaneID, _ share: LaneShare?) async throws -> LaneChannel {
        guard let address = link.peerAddress else { throw SessionError(.unreachable) }
        let loop = try node.bulkLoops.next()
        let lane = try await Lane.dial(
            to: address,
            as: node.identity,
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
        let channel = LaneChannel(lane, decoder, on: loop, share)
        let timer = Engine.schedule(at: .now + .seconds(10)) { lane.abort() }
        defer { timer.cancel() }
        switch try await channel.next() {
        case .ready: return channel
        case .abort(let abort): throw SessionError(abort.reason)
        default: throw SessionError(.brokeProtocol)
        }
    }

    // MARK: Lanes that the peer wants

    /// The peer, who can't dial, asks for one.
    func wasAskedFor(_ id: LaneID) {
        guard link.isDialler, dialling < Self.diallingLimit, node.isMember(link.peer) else { return }
        dialling += 1
        node.crew.add {
            let share = self.node.shares.lane(with: self.link.peer)
            guard let channel = try? await self.dial(id, share) else { return self.dialling -= 1 }
            guard share != nil else {
                await channel.end(saying: Self.full)
                return self.dialling -= 1
            }
            await self.node.takeFirstWord(on: channel, over: self.link) { self.dialling -= 1 }
        }
    }

    /// The peer has dialled one.
    func take(_ lane: Lane, _ open: LaneFrame.LaneOpen, _ decoder: FrameDecoder<LaneFrame>) async throws {
        guard !link.isDialler, let expectedProof = try? proof(on: lane, open.lane),
            Digest.areEqual(expectedProof.bytes, open.proof.bytes)
        else { return lane.abort() }
        let promise = expected[open.lane]
        guard promise != nil || (node.isMember(link.peer) && undecided < Self.undecidedLimit) else {
            return lane.abort()
        }
        guard let share = node.shares.lane(with: link.peer) else {
            promise?.settle(.failure(SessionError(.full)))
            return await refuse(lane)
        }
        let loop = try node.bulkLoops.next()
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
        let channel = LaneChannel(lane, decoder, on: loop, share)
        if let promise {
            promise.settle(.success(channel))
        } else {
            await node.takeFirstWord(on: channel, over: link) { self.undecided -= 1 }
        }
    }

    /// The peer holds as much as it may.
    private func refuse(_ lane: Lane) async {
        guard refusing < Self.refusingLimit else { return lane.abort() }
        node.note("lane-refused", about: link.peer, [.init("reason", PartingReason.full.word)])
        refusing += 1
        defer { refusing -= 1 }
        try? await lane.send(Self.full.encoded)
        await lane.close(within: .seconds(1))
    }

    private static let full = LaneFrame.abort(.init(reason: .full, message: ""))

    /// The link is gone, and with it everything that was to come over it.
    func end() {
        hasEnded = true
        for promise in expected.values { promise.settle(.failure(SessionError(.lost))) }
        expected = [:]
    }

    private func proof(on lane: Lane, _ id: LaneID) throws -> LaneProof {
        let binding = try lane.exportKey(label: "EXPORTER-huddle-lane-proof", count: 32)
        let bytes = Digest.authentication(of: binding + id.bytes, key: proofKey ?? [])
        guard proofKey != nil, let proof = LaneProof(bytes: bytes) else { throw SessionError(.lost) }
        return proof
    }
}

extension Node {
    func isMember(_ peer: PeerID) -> Bool { members.values.contains { $0.peer == peer } }

    func takeLane(_ lane: Lane, _ open: LaneFrame.LaneOpen, _ decoder: FrameDecoder<LaneFrame>) async throws {
        guard let board = lanes[lane.peerID] else { return lane.abort() }
        try await board.take(lane, open, decoder)
    }

    /// What a lane that the peer wanted is for.
    func takeFirstWord(on channel: LaneChannel, over link: Link, decided: () -> Void = {}) async {
        let timer = Engine.schedule(at: .now + .seconds(10)) { channel.abort() }
        let first = try? await channel.next()
        timer.cancel()
        decided()
        switch first {
        case .streamBegin(let begin):
            channel.lane.count(in: streamTraffic)
            await take(begin, on: channel, from: link)
        case .resourceBegin(let transfer):
            channel.lane.count(in: resourceTraffic)
            await takeResource(transfer, on: channel, from: link)
        default: channel.abort()
        }
    }
}
