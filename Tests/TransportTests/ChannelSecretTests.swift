import Digests
import LinuxPlatform
import Testing
import TestSupport
import Transport

@Suite("Secrets of a channel's ends", .timeLimit(.minutes(5)))
struct ChannelSecretTests {
    let loop = EventLoop(named: "secret loop")

    @Test("Both ends export the same key, and another for each label, context, length and channel")
    func exporter() async throws {
        let (near, far) = (Identity.ephemeral(), Identity.ephemeral())
        let pair = try await ChannelPair(near, far, on: loop)
        let other = try await ChannelPair(near, far, on: loop)
        func key(_ channel: SecureChannel, _ label: String = "EXPORTER-a", _ context: [UInt8] = []) throws -> [UInt8] {
            try channel.exportKey(label: label, context: context, count: 32)
        }
        let known = try key(pair.dialler)
        #expect(known.count == 32)
        #expect(try key(pair.answerer) == known)
        #expect(try key(pair.answerer, "EXPORTER-b") != known)
        #expect(try key(pair.answerer, "EXPORTER-a", [1]) != known)
        #expect(try key(other.answerer) != known)
    }

    @Test("A resumed channel has its own exported key, the same at both ends")
    func resumed() async throws {
        let (near, far) = (Identity.ephemeral(), Identity.ephemeral())
        let control = try await ChannelPair(near, far, on: loop)
        try await control.answerer.send([1])
        _ = try await control.dialler.receive(upTo: 1)
        let channel = try await ChannelPair(near, far, resuming: control.dialler.ticket, on: loop)
        #expect(channel.answerer.isResumed)
        let proofs = try [(control.dialler, channel.dialler), (control.answerer, channel.answerer)].map {
            control,
            channel in
            let key = try control.exportKey(label: "EXPORTER-huddle-channels", count: 32)
            let fresh = try channel.exportKey(label: "EXPORTER-huddle-channel-proof", count: 32)
            return Digest.authentication(of: fresh + [UInt8](repeating: 9, count: 16), key: key)
        }
        #expect(Digest.areEqual(proofs[0], proofs[1]))
    }

    @Test("A channel that has ended exports no key")
    func ended() async throws {
        let pair = try await ChannelPair(on: loop)
        pair.dialler.abort()
        #expect(throws: ChannelError.closed) { try pair.dialler.exportKey(label: "EXPORTER-a", count: 32) }
    }
}

@Suite("Sealed datagrams", .timeLimit(.minutes(5)))
struct DatagramTests {
    let sealer: DatagramSealer
    let opener: DatagramOpener
    let otherWay: DatagramOpener
    let foreign: DatagramOpener

    init() async throws {
        let loop = EventLoop(named: "datagram loop")
        let pair = try await ChannelPair(on: loop)
        sealer = DatagramSealer(try DatagramKeys(of: pair.dialler, .fromDialler))
        opener = DatagramOpener(try DatagramKeys(of: pair.answerer, .fromDialler))
        otherWay = DatagramOpener(try DatagramKeys(of: pair.answerer, .fromAnswerer))
        foreign = DatagramOpener(try DatagramKeys(of: try await ChannelPair(on: loop).answerer, .fromDialler))
    }

    @Test("One end opens the datagrams that the other seals, numbered from 1", arguments: [1, 17, 1_150])
    func thereAndBack(count: Int) {
        for sequence in 1...100 as ClosedRange<UInt64> {
            let datagram = sealer.seal(pattern(count))
            #expect(datagram.count == count + DatagramHeader.byteCount + DatagramHeader.sealCount)
            #expect(DatagramHeader(of: datagram)?.sequence == sequence)
            let opened = opener.open(datagram)
            #expect(opened?.sequence == sequence && opened?.payload == pattern(count))
        }
    }

    @Test("A datagram that is changed, cut short or extended does not open")
    func changed() {
        let datagram = sealer.seal(pattern(40))
        for bit in 0..<datagram.count * 8 {
            var other = datagram
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(opener.open(other) == nil)
        }
        for count in 0..<datagram.count { #expect(opener.open(Array(datagram.prefix(count))) == nil) }
        #expect(opener.open(datagram + [0]) == nil)
        #expect(opener.open(datagram) != nil)
    }

    @Test("A datagram opens only for its direction and link, even under another tag")
    func otherKeys() {
        let datagram = sealer.seal([1, 2, 3])
        for other in [otherWay, foreign] { #expect(other.open(datagram) == nil) }
    }

    @Test("Random bytes are no datagram", arguments: 0..<200 as Range<UInt64>)
    func noise(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let noise = (0..<Int.random(in: 0..<200, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let head: [UInt8] = seed % 2 == 0 ? [] : Array(sealer.seal([1]).prefix(10))
        #expect(opener.open(head + noise) == nil)
    }
}
