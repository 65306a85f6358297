import Glibc
import LinuxPlatform
import ScriptedPeers
import SessionRules
import TestSupport
import Testing
import Transport
import Vocabulary
import Wire

@testable import Session

extension HostileSuites {
    /// A sender or receiver of files that sends false facts. It is found out, learns the error, and leaves nothing
    /// outside of the folder.
    @Suite("Files of a hostile peer", .timeLimit(.minutes(5)))
    @Engine
    struct HostileResourceTests {
        @Test(
            "a name that leads elsewhere is refused before any user is asked",
            arguments: ["../x", "a/b", ".", "..", "", "a\u{1}b", "a\u{0}b", String(repeating: "a", count: 256)]
        )
        func names(name: String) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                try await peer.offer(OfferBytes(session: session, name: name))
                #expect(await peer.hearToEnd().frames.last == .bye(.brokeProtocol))
                let there = try await desk.nextJoined()
                #expect(try await there.nextDeparture() == .brokeProtocol)
            }
        }

        /// The actions of a sender after it knows which part is held.
        enum Lie: CaseIterable, Sendable {
            case more, fewer, otherTotal, wrongDigest, startBeyond, dataFirst, endFirst, held, message
        }

        @Test("a dishonest sender learns the error, and no file appears under the name", arguments: Lie.allCases)
        func lies(lie: Lie) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let (channel, incoming, target) = try await begin(peer, desk, total: 10)
                guard case .held(let held) = try await channel.hear() else { throw ScriptedPeer.Unexpected.frame }
                #expect(held.byteCount == 0)
                await channel.say(frames: try Self.frames(lie))
                guard case .failed = try await channel.hear() else {
                    Issue.record("the sender was not told")
                    return
                }
                await #expect(throws: SessionError.self) { try await incoming.finished() }
                #expect(!target.names().contains("save.dat"))
                #expect(desk.folder.names() == ["huddle"])
                #expect(await peer.isServed())
            }
        }

        private static func frames(_ lie: Lie) throws -> [ChannelFrame] {
            let ten = [UInt8](repeating: 1, count: 10)[...]
            guard let digest = ContentDigest(bytes: [UInt8](repeating: 0, count: 16)) else { return [] }
            return switch lie {
            case .more: [.startAt(0), .data(ten), .data([1]), .resourceEnd(.init(total: 10, digest: digest))]
            case .fewer: [.startAt(0), .data(ten.prefix(9)), .resourceEnd(.init(total: 10, digest: digest))]
            case .otherTotal: [.startAt(0), .data(ten), .resourceEnd(.init(total: 11, digest: digest))]
            case .wrongDigest: [.startAt(0), .data(ten), .resourceEnd(.init(total: 10, digest: digest))]
            case .startBeyond: [.startAt(5)]
            case .dataFirst: [.data(ten)]
            case .endFirst: [.resourceEnd(.init(total: 10, digest: digest))]
            case .held: [.held(.init(byteCount: 0, blockSize: 1, digests: []))]
            case .message: [.startAt(0), .streamTaken]
            }
        }

        @Test(
            "an offer larger than any disk is refused with the reason when the user accepts it",
            arguments: [1 << 63, .max]
        )
        func enormous(total: UInt64) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let target = TemporaryFolder()
                for kind in [1, 2] as [UInt8] {
                    var offer = OfferBytes(session: session, name: "save.dat", total: total, entries: .max)
                    offer.kind = kind
                    try await peer.offer(offer)
                }
                let there = try await desk.nextJoined()
                for _ in 0..<2 {
                    let incoming = try await there.nextResource()
                    await #expect(throws: (any Error).self) { try await incoming.accept(into: target.path) }
                }
                for answer in try await peer.echoes() {
                    guard case .resourceAnswer(let answer) = answer, case .refused = answer.verdict else {
                        Issue.record("\(answer)")
                        continue
                    }
                    #expect(!answer.message.text.isEmpty)
                    #expect(!answer.message.text.contains(target.path))
                }
                #expect(target.names().isEmpty)
            }
        }

        @Test("a hundred thousand offers are refused but for a few, and cost nothing that stays")
        func manyOffers() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let before = OwnProcess.residentKiB()
                for _ in 0..<100 {
                    var bytes: [UInt8] = []
                    for _ in 0..<1_000 {
                        let payload = OfferBytes(session: session, name: "save.dat").payload
                        bytes += [OfferBytes.type, 0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
                    }
                    try await peer.channel.send(bytes)
                    _ = try await peer.echoes()
                }
                #expect(desk.node.incoming.count <= 256)
                #expect(OwnProcess.residentKiB() - before < (60 << 10) * OwnProcess.allowance)
                #expect(await peer.isServed())
            }
        }

        @Test("a peer that offers and withdraws a thousand times leaves nothing open")
        func cancelStorm() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                let target = TemporaryFolder()
                let before = OwnProcess.descriptors().count
                for _ in 0..<200 {
                    let offer = OfferBytes(session: session, name: "save.dat")
                    try await peer.offer(offer)
                    try await peer.say(.transferCancel(.init(transfer: offer.transfer, reason: .withdrawn)))
                    let incoming = try await there.nextResource()
                    try? await incoming.accept(into: target.path)
                    await #expect(throws: SessionError.self) { try await incoming.finished() }
                }
                _ = try await peer.echoes()
                #expect(OwnProcess.descriptors().count <= before + 4)
                #expect(target.names().filter { !$0.hasPrefix(".") }.isEmpty)
                #expect(desk.node.incoming.count <= 256)
            }
        }

        @Test("an honest sender of many small files is not counted as a flood, nor as a peer that holds much")
        func manySmallFiles() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                for _ in 0..<600 {
                    try await peer.offer(OfferBytes(session: session, name: "save.dat"))
                    try await there.nextResource().refuse()
                    guard case .resourceAnswer(let answer) = try await peer.hear() else { continue }
                    #expect(answer.verdict == .refused(.declined))
                }
                #expect(desk.node.incoming.count <= 256)
                #expect(desk.node.context.shares.memory(of: peer.id).held < BudgetLimits.memory.floor)
            }
        }

        @Test("a peer that leaves its session leaves nothing behind of its offers")
        func leaves() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let (session, other) = (try await peer.enter(), try await peer.enter())
                let (there, second) = (try await desk.nextJoined(), try await desk.nextJoined())
                let before = desk.node.context.shares.memory(of: peer.id).held
                for _ in 0..<10 {
                    try await peer.offer(OfferBytes(session: session, name: "over.dat"))
                    try await there.nextResource().refuse()
                    try await peer.offer(OfferBytes(session: session, name: "asked.dat"))
                    _ = try await there.nextResource()
                }
                #expect(desk.node.incoming.count == 20)
                try await peer.say(.leave(.init(session: session, reason: .left)))
                while desk.node.context.shares.memory(of: peer.id).held >= before { _ = try await peer.echoes() }
                #expect(desk.node.incoming.isEmpty)
                withExtendedLifetime((other, second)) {}
            }
        }

        @Test("a peer that is accepted and then sends nothing is dropped, and the partial file stays out of sight")
        func neverSends() async throws {
            try await TestNode.with({ $0.patience.transfers = TransferPatience(link: .milliseconds(200)) }) { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                let target = TemporaryFolder()
                try await peer.offer(OfferBytes(session: session, name: "save.dat"))
                let incoming = try await there.nextResource()
                try await incoming.accept(into: target.path)
                await #expect(throws: SessionError.self) { try await incoming.finished() }
                #expect(target.names().allSatisfy { $0.hasPrefix(".") })
            }
        }

        @Test("a folder whose entries lead out of it is refused", arguments: 0..<4)
        func hostileFolder(row: Int) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let names = ["../x", "/etc/x", "a/../../x", "a\u{0}b"]
                let name = Array(names[row].utf8)
                // The pack names an entry that leads out of the folder; the rest of it does not matter.
                let pack = [1, 0, UInt8(name.count)] + name + [UInt8](repeating: 0, count: 200)
                let (channel, incoming, target) = try await begin(peer, desk, total: UInt64(pack.count), kind: 2)
                guard case .held = try await channel.hear() else { throw ScriptedPeer.Unexpected.frame }
                let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 0, count: 16)))
                try await channel.say(
                    .startAt(0),
                    .data(pack[...]),
                    .resourceEnd(.init(total: UInt64(pack.count), digest: digest))
                )
                guard case .failed = try await channel.hear() else {
                    Issue.record("the sender was not told")
                    return
                }
                await #expect(throws: SessionError.self) { try await incoming.finished() }
                #expect(target.names().allSatisfy { $0.hasPrefix(".") })
            }
        }

        // MARK: Lying receivers

        @Test("a receiver that claims an impossible amount gets all, or an end", arguments: 0..<4)
        func lyingHeld(row: Int) async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                let there = try await desk.nextJoined()
                let source = TemporaryFolder()
                try source.write([UInt8](repeating: 4, count: 100), to: "save.dat")
                let sending = try await there.sendResource(at: source.path + "/save.dat")
                let offer = try await peer.acceptOffer()
                let channel = try await peer.askedForChannel()
                #expect(try await channel.hear() == .ready)
                #expect(try await channel.hear() == .resourceBegin(offer.transfer))
                let digest = try #require(ContentDigest(bytes: [UInt8](repeating: 0, count: 16)))
                let held: [ChannelFrame.Held] = [
                    .init(byteCount: 101, blockSize: 4 << 20, digests: [digest]),
                    .init(byteCount: 100, blockSize: 0, digests: [digest]),
                    .init(byteCount: 100, blockSize: 4 << 20, digests: [digest]),
                    .init(byteCount: .max, blockSize: .max, digests: [UInt8](0..<200).map { _ in digest }),
                ]
                try await channel.say(.held(held[row]))
                switch try await channel.hear() {
                case .startAt(let offset): #expect(offset == 0 && held[row].byteCount <= 100)
                case .failed: #expect(held[row].byteCount > 100)
                default: Issue.record("neither")
                }
                if held[row].byteCount <= 100 { try await channel.say(.verified(.max)) }
                await #expect(throws: SessionError.self) { try await sending[0].finished() }
                #expect(await peer.isServed())
            }
        }

        @Test("a receiver learns the error about a file, but not its path")
        func sourceChanges() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                try await peer.enter()
                let there = try await desk.nextJoined()
                let source = TemporaryFolder()
                try source.write([UInt8](repeating: 4, count: 100), to: "save.dat")
                let sending = try await there.sendResource(at: source.path + "/save.dat")
                let offer = try await peer.acceptOffer()
                let channel = try await peer.askedForChannel()
                #expect(try await channel.hear() == .ready)
                #expect(try await channel.hear() == .resourceBegin(offer.transfer))
                try source.write([1], to: "save.dat")
                try await channel.say(.held(.init(byteCount: 0, blockSize: 4 << 20, digests: [])))
                guard case .failed(let failed) = try await channel.hear() else {
                    Issue.record("the receiver was not told")
                    return
                }
                #expect(failed.message.text.contains("save.dat") && !failed.message.text.contains(source.path))
                await #expect(throws: SessionError.self) { try await sending[0].finished() }
            }
        }

        @Test("a receiver that forgets the session while bytes flow to it does not confuse the sender")
        func forgetsWhileReceiving() async throws {
            try await TestNode.with { desk in
                let (host, control, session) = try await ScriptedHost.invited(by: desk.node)
                let source = TemporaryFolder()
                try source.write([UInt8](repeating: 4, count: 48 << 20), to: "save.dat")
                _ = try await session.sendResource(at: source.path + "/save.dat")
                let offer = try await control.acceptOffer()
                let channel = try await host.take()
                #expect(try await channel.hear() == .resourceBegin(offer.transfer))
                try await channel.say(.held(.init(byteCount: 0, blockSize: 4 << 20, digests: [])))
                #expect(try await channel.hear() == .startAt(0))
                try await control.say(.leave(.init(session: session.id, reason: .lost)))
                try await control.acceptInvitation()
                let again = try await control.hear { if case .resourceOffer(let offer) = $0 { offer } else { nil } }
                #expect(again.transfer != offer.transfer)
                while let frame = try await channel.hear() { if case .resourceEnd = frame { break } }
                for _ in 0..<10 { #expect(await control.isServed()) }
            }
        }

        @Test("a peer that forgets the session each time it is accepted is not invited for ever")
        func forgetsForEver() async throws {
            try await TestNode.with { desk in
                let (host, control, session) = try await ScriptedHost.invited(by: desk.node)
                var count = 0
                while count < 20 {
                    try await control.say(.leave(.init(session: session.id, reason: .lost)))
                    try await control.say(.ping(UInt64(count)))
                    let invite = try await control.hear { frame -> ControlFrame.Invite?? in
                        switch frame {
                        case .invite(let invite): .some(invite)
                        case .pong: count > 0 ? .some(nil) : nil
                        default: nil
                        }
                    }
                    guard let invite else { break }
                    count += 1
                    try await control.answer(invite, .accepted)
                    _ = try await control.hear { if case .members = $0 { true } else { nil } }
                }
                #expect(count <= 2)
                withExtendedLifetime(host) {}
            }
        }

        @Test("a peer that forgets the session and does not return ends its open transfers")
        func forgetsAndDeclines() async throws {
            try await TestNode.with { desk in
                let (host, control, session) = try await ScriptedHost.invited(by: desk.node)
                let source = TemporaryFolder()
                try source.write([1, 2, 3], to: "save.dat")
                let sending = try await session.sendResource(at: source.path + "/save.dat")[0]
                _ = try await control.hear { if case .resourceOffer = $0 { true } else { nil } }
                try await control.say(.leave(.init(session: session.id, reason: .lost)))
                try await control.answer(try await control.nextInvite(), .refused(.declined))
                let timer = Engine.schedule(at: .now + .seconds(20)) { sending.cancel() }
                defer { timer.cancel() }
                do {
                    _ = try await sending.finished()
                } catch let error as SessionError {
                    #expect(error.code == "transfer.gone")
                }
                withExtendedLifetime(host) {}
            }
        }

        @Test(
            "a transfer that is cancelled while the peer is invited again is not offered to it again",
            arguments: [1, 2]
        )
        func cancelledWhileForgotten(row: Int) async throws {
            try await TestNode.with { desk in
                let (host, control, session) = try await ScriptedHost.invited(by: desk.node)
                let source = TemporaryFolder()
                try source.write([1, 2, 3], to: "save.dat")
                let sending = try await session.sendResource(at: source.path + "/save.dat")[0]
                let offer = try await control.acceptOffer()
                if row == 2 {
                    // The receiver has everything and may have stored it, so its answer would have decided.
                    let channel = try await host.take()
                    #expect(try await channel.hear() == .resourceBegin(offer.transfer))
                    try await channel.say(.held(.init(byteCount: 0, blockSize: 4 << 20, digests: [])))
                    while let frame = try await channel.hear() { if case .resourceEnd = frame { break } }
                    sending.cancel()
                    _ = try await control.hear { if case .transferCancel = $0 { true } else { nil } }
                }
                try await control.say(.leave(.init(session: session.id, reason: .lost)))
                let invite = try await control.nextInvite()
                if row == 1 { sending.cancel() }
                await #expect(throws: SessionError.self) { _ = try await sending.finished() }
                try await control.answer(invite, .accepted)
                _ = try await control.hear { if case .members = $0 { true } else { nil } }
                #expect(try await !control.echoes().contains { if case .resourceOffer = $0 { true } else { false } })
            }
        }

        @Test("a channel that replaces one whose beginning is still being read gets the held part")
        func secondChannel() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                for _ in 0..<10 {
                    let target = TemporaryFolder()
                    let offer = OfferBytes(session: session, name: "save.dat")
                    try await peer.offer(offer)
                    let incoming = try await there.nextResource()
                    try await incoming.accept(into: target.path)
                    let (first, second) = (try await peer.readyChannel(), try await peer.readyChannel())
                    try await first.say(.resourceBegin(offer.transfer))
                    try await second.say(.resourceBegin(offer.transfer))
                    // The channel of the latest begin counts, no matter which one that is.
                    async let one = first.hear()
                    async let other = second.hear()
                    let answers = [try await one, try await other]
                    #expect(answers.contains { if case .held = $0 { true } else { false } }, "\(answers)")
                    incoming.cancel()
                }
            }
        }

        @Test("files that are offered and taken back by the thousand leave nothing behind")
        func endlessOffers() async throws {
            try await TestNode.with { desk in
                let peer = try await ScriptedPeer.trusted(by: desk.node)
                let session = try await peer.enter()
                let there = try await desk.nextJoined()
                func offer(_ count: Int) async throws {
                    for _ in 0..<count {
                        let offer = OfferBytes(session: session, name: "save.dat")
                        try await peer.offer(offer)
                        try await peer.say(.transferCancel(.init(transfer: offer.transfer, reason: .withdrawn)))
                        _ = try await there.nextResource()
                    }
                    #expect(await peer.isServed())
                }
                try await offer(1_000)
                let memory = OwnProcess.residentKiB()
                try await offer(10_000)
                #expect(desk.node.incoming.count <= 256)
                let grown = OwnProcess.residentKiB() - memory
                #expect(grown < 2_400 * OwnProcess.allowance)
            }
        }

        @Test("a peer that sends a hundred files at once gets a channel for each")
        func manyChannels() async throws {
            try await TestNode.with { desk in
                let (host, control, session) = try await ScriptedHost.invited(by: desk.node)
                let target = TemporaryFolder()
                var channels: [ScriptedChannel] = []
                for number in 0..<100 {
                    var offer = OfferBytes(session: session.id, name: "save \(number).dat")
                    offer.identity = UInt8(number)
                    try await control.offer(offer)
                    try await session.nextResource().accept(into: target.path)
                    _ = try await control.hear { if case .resourceAnswer = $0 { true } else { nil } }
                    try await control.say(.channelRequest(.random()))
                    let channel = try await host.take()
                    try await channel.say(.resourceBegin(offer.transfer))
                    guard case .held = try await channel.hear() else { throw ScriptedPeer.Unexpected.frame }
                    channels.append(channel)
                }
                #expect(channels.count == 100)
            }
        }

        // MARK: A transfer to the node

        /// An offer that the node has accepted, and the channel that carries it.
        private func begin(
            _ peer: ScriptedPeer,
            _ desk: TestNode,
            total: UInt64,
            kind: UInt8 = 1
        ) async throws -> (ScriptedChannel, IncomingResource, TemporaryFolder) {
            let session = try await peer.enter()
            let there = try await desk.nextJoined()
            let target = TemporaryFolder()
            var offer = OfferBytes(session: session, name: "save.dat", total: total, entries: kind == 1 ? 1 : 3)
            offer.kind = kind
            try await peer.offer(offer)
            let incoming = try await there.nextResource()
            try await incoming.accept(into: target.path)
            guard case .resourceAnswer(let answer) = try await peer.hear(), answer.verdict == .accepted else {
                throw ScriptedPeer.Unexpected.frame
            }
            let channel = try await peer.readyChannel()
            try await channel.say(.resourceBegin(offer.transfer))
            return (channel, incoming, target)
        }
    }
}
