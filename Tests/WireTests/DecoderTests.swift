import TestSupport
import Testing
import Wire
import WireProperties

@Suite("Frame decoder", .timeLimit(.minutes(5)))
struct DecoderTests {
    @Test("The decoder reads a megabyte of small frames in linear time, in one piece and in small pieces")
    func linear() throws {
        let frame = ControlFrame.ping(5).encoded
        let stream = [UInt8]((0..<(1_000_000 / frame.count)).lazy.map { _ in frame }.joined())
        for piece in [stream.count, 1000] {
            var decoder = FrameDecoder<ControlFrame>()
            var (rest, count) = (stream[...], 0)
            while !rest.isEmpty {
                decoder.append(rest.prefix(piece))
                rest = rest.dropFirst(piece)
                while try decoder.next() != nil { count += 1 }
            }
            #expect(count == stream.count / frame.count)
            #expect(decoder.heldByteCount == 0)
        }
    }

    @Test("After its first failure the decoder throws it again, holds nothing and ignores further bytes")
    func failure() {
        var decoder = FrameDecoder<ControlFrame>()
        decoder.append(rawFrame(0x02, [0]) + ControlFrame.ping(1).encoded + [1])
        let first = #expect(throws: WireError.self) { try decoder.next() }
        #expect(decoder.heldByteCount == 0)
        decoder.append(ControlFrame.ping(1).encoded)
        #expect(decoder.heldByteCount == 0)
        #expect(#expect(throws: WireError.self) { try decoder.next() } == first)
    }

    @Test("The decoder passes the bytes of data frames unchanged, in pieces of any size", arguments: 1...40)
    func passing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let frames: [ChannelFrame] = (0..<60).map { number in
            guard Int.random(in: 0..<4, using: &random) > 0 else { return .verified(UInt64(number)) }
            let count = [1, 5, 2047, 2048, 70_000].randomElement(using: &random) ?? 1
            return .data([UInt8](repeating: UInt8(number), count: count)[...])
        }
        var (rest, decoder) = (frames.flatMap(\.encoded)[...], FrameDecoder<ChannelFrame>())
        var (passed, others): ([UInt8], [ChannelFrame]) = ([], [])
        while !rest.isEmpty {
            let piece = Array(rest.prefix(Int.random(in: 1...60_000, using: &random)))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { bytes in decoder.append(bytes) { passed += $0 } }
            while let frame = try decoder.next() {
                if case .data(let bytes) = frame { passed += bytes } else { others.append(frame) }
            }
        }
        let expected = frames.flatMap { if case .data(let bytes) = $0 { Array(bytes) } else { [UInt8]() } }
        #expect(passed == expected, "seed \(seed)")
        #expect(others == frames.filter { if case .data = $0 { false } else { true } }, "seed \(seed)")
        #expect(decoder.heldByteCount == 0)
    }

    @Test("The decoder passes no empty or overlong data frame, and passes the rest of one that began before")
    func passingLimits() throws {
        for bad in [rawFrame(0x64, []), [0x64, 0x10, 0x00, 0x01, 7], [0x64, 0xFF, 0xFF, 0xFF, 7]] {
            var decoder = FrameDecoder<ChannelFrame>()
            bad.withUnsafeBytes { bytes in decoder.append(bytes) { _ in Issue.record("it passed") } }
            if bad[1] == 0x10 {
                let rest = [UInt8](repeating: 7, count: 1 << 20)
                rest.withUnsafeBytes { bytes in decoder.append(bytes) { _ in Issue.record("it passed") } }
            }
            #expect(throws: WireError.self) { try decoder.next() }
        }
        let whole = ChannelFrame.data([UInt8](0...255)[...] + [UInt8](repeating: 9, count: 5000)).encoded
        var (decoder, passed) = (FrameDecoder<ChannelFrame>(), [UInt8]())
        decoder.append(whole.prefix(3000))
        #expect(try decoder.next() == nil)
        Array(whole.dropFirst(3000)).withUnsafeBytes { bytes in decoder.append(bytes) { passed += $0 } }
        #expect(try decoder.next() == nil)
        #expect(passed == Array(whole.dropFirst(4)))
    }

    @Test("The decoder keeps large and small frames in order")
    func mixed() throws {
        let frames: [ChannelFrame] = (0..<40).flatMap { number -> [ChannelFrame] in
            let data = [UInt8](repeating: UInt8(number), count: [1, 2048, 100_000, 2047][number % 4])
            return [.startAt(UInt64(number)), .data(data[...]), .ready]
        }
        let stream = frames.flatMap(\.encoded)
        #expect(try allFrames(of: stream) == frames)
        var decoder = FrameDecoder<ChannelFrame>()
        decoder.append(AnyCollection(stream.dropLast()))
        for frame in frames.dropLast() { #expect(try decoder.next() == frame) }
        #expect(try decoder.next() == nil)
        decoder.append([0])
        #expect(try decoder.next() == frames.last)
    }

    @Test("The decoder survives mutated streams", arguments: UInt64(1)...8)
    func mutations(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        let vectors = try Vectors()
        var good: [(UInt8, [UInt8])] = []
        let pools: [(kinds: [UInt8], named: [String: [UInt8]])] = [
            ([0, 3], vectors.control), ([1], vectors.channel), ([2], vectors.datagram),
        ]
        for pool in pools {
            for kind in pool.kinds {
                for name in pool.named.keys.sorted() { good.append((kind, pool.named[name] ?? [])) }
            }
        }
        let end = ContinuousClock.now + .seconds(1)
        for round in 0..<3000 where ContinuousClock.now < end {
            let kind = good[Int.random(in: good.indices, using: &dice)].0
            let pool = good.filter { $0.0 == kind }
            var stream = (0..<Int.random(in: 1...4, using: &dice)).flatMap { _ in
                pool[Int.random(in: pool.indices, using: &dice)].1
            }
            for _ in 0..<Int.random(in: 0...4, using: &dice) { mutate(&stream, &dice) }
            let input = [kind, UInt8.random(in: 0...1, using: &dice), UInt8.random(in: 0...255, using: &dice)] + stream
            let violation = WireProperties.violation(for: input)
            #expect(violation == nil, "seed \(seed), round \(round): \(input)")
        }
    }

    private func mutate(_ stream: inout [UInt8], _ dice: inout SeededGenerator) {
        guard !stream.isEmpty else { return }
        let place = Int.random(in: stream.indices, using: &dice)
        switch Int.random(in: 0..<5, using: &dice) {
        case 0: stream[place] = UInt8.random(in: 0...255, using: &dice)
        case 1: stream[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        case 2: stream.remove(at: place)
        case 3: stream.insert([0, 1, 0x7F, 0x80, 0xFF][place % 5], at: place)
        default: stream.removeSubrange(place...)
        }
    }
}
