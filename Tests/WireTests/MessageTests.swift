import TestSupport
import Testing
import Wire

@Suite("Messages", .timeLimit(.minutes(5)))
struct MessageTests {
    private func frames(_ count: Int, sequence: UInt64 = 1) -> [ControlFrame] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        return Array(MessageFrames(of: bytes[...], session: Sample.session, sequence: sequence))
    }

    private func take(_ frame: ControlFrame, _ assembler: inout MessageAssembler) throws -> MessageAssembler.Whole? {
        switch frame {
        case .message(let message): try assembler.take(message)
        case .messagePart(let part): try assembler.take(part)
        default: throw Sample.Missing()
        }
    }

    @Test(
        "A message is cut into full frames and assembled again",
        arguments: [
            (0, 1), (1, 1), (65_508, 1), (65_509, 2), (65_508 + 65_512, 2), (65_508 + 65_513, 3), (1 << 20, 17),
        ]
    )
    func cutting(_ count: Int, _ frameCount: Int) throws {
        let frames = frames(count)
        #expect(frames.count == frameCount)
        var assembler = MessageAssembler()
        for frame in frames.dropLast() { #expect(try take(frame, &assembler) == nil) }
        let whole = try #require(try take(frames[frames.count - 1], &assembler))
        #expect(whole.bytes.elementsEqual((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }))
        #expect((whole.sequence, assembler.received, assembler.heldByteCount) == (1, 1, 0))
        #expect(try allFrames(of: frames.flatMap(\.encoded)) == frames)
    }

    @Test("A message that is out of order, interrupted, without a beginning or too long is refused")
    func refusals() throws {
        func fault(_ frames: ControlFrame..., received: UInt64 = 0) -> WireError.Fault? {
            var assembler = MessageAssembler(received: received)
            do {
                for frame in frames { _ = try take(frame, &assembler) }
                return nil
            } catch {
                return (error as? WireError)?.fault
            }
        }
        let long = frames(100_000)
        func part(_ sequence: UInt64, _ count: Int) -> ControlFrame {
            .messagePart(
                .init(session: Sample.session, sequence: sequence, bytes: [UInt8](repeating: 1, count: count)[...])
            )
        }
        #expect(fault(frames(3, sequence: 2)[0]) == .wrongSequence(expected: 1, came: 2))
        #expect(fault(frames(3)[0], frames(3)[0]) == .wrongSequence(expected: 2, came: 1))
        #expect(fault(frames(3)[0], received: .max) == .wrongSequence(expected: 0, came: 1))
        #expect(fault(long[0], long[0]) == .interruptedMessage)
        #expect(fault(long[0], frames(3, sequence: 2)[0]) == .interruptedMessage)
        #expect(fault(part(1, 1)) == .overlongMessage)
        #expect(fault(long[0], part(2, 1)) == .wrongSequence(expected: 1, came: 2))
        #expect(fault(long[0], part(1, 100_000 - 65_508 + 1)) == .overlongMessage)
        #expect(fault(long[0], part(1, 100_000 - 65_508)) == nil)
        #expect(fault(frames(3, sequence: 8)[0], received: 7) == nil)
    }

    @Test("A message that a broken link interrupted is sent again from its beginning")
    func resuming() throws {
        let long = frames(100_000)
        var assembler = MessageAssembler()
        _ = try take(long[0], &assembler)
        #expect(assembler.heldByteCount == 65_508)
        assembler.forgetUnfinished()
        #expect((assembler.heldByteCount, assembler.received) == (0, 0))
        #expect(try take(long[0], &assembler) == nil)
        #expect(try take(long[1], &assembler) != nil)
    }

    /// The simplest description of an assembler: all valid bytes of the open message in one array.
    private struct Model {
        var received: UInt64 = 0
        var open: (total: Int, bytes: [UInt8])?

        mutating func take(_ frame: ControlFrame) -> (isRight: Bool, whole: [UInt8]?) {
            switch frame {
            case .message(let message) where open == nil && message.sequence == received + 1:
                open = (message.total, Array(message.bytes))
            case .messagePart(let part) where part.sequence == received + 1:
                guard let (total, bytes) = open, bytes.count + part.bytes.count <= total else { return (false, nil) }
                open = (total, bytes + part.bytes)
            default:
                return (false, nil)
            }
            guard let (total, bytes) = open, bytes.count == total else { return (true, nil) }
            (open, received) = (nil, received + 1)
            return (true, bytes)
        }
    }

    @Test("The assembler behaves like its model in random histories", arguments: UInt64(1)...20)
    func model(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var (assembler, model) = (MessageAssembler(), Model())
        for step in 0..<500 {
            let frame = randomFrame(after: model, &dice)
            let expected = model.take(frame)
            do {
                let whole = try take(frame, &assembler)
                #expect(
                    expected.isRight && whole.map { Array($0.bytes) } == expected.whole,
                    "seed \(seed), step \(step)"
                )
            } catch {
                #expect(!expected.isRight, "seed \(seed), step \(step): \(error)")
                // A breach ends the link; both start again after the last complete message.
                (assembler, model) = (MessageAssembler(received: model.received), Model(received: model.received))
            }
            #expect(assembler.received == model.received)
            #expect(assembler.heldByteCount == model.open?.bytes.count ?? 0)
        }
    }

    private func randomFrame(after model: Model, _ dice: inout SeededGenerator) -> ControlFrame {
        let isHonest = Int.random(in: 0..<10, using: &dice) > 0
        let sequence = model.received + (isHonest ? 1 : UInt64.random(in: 1...3, using: &dice))
        let goesOn = isHonest ? model.open != nil : Bool.random(using: &dice)
        let missing = model.open.map { $0.total - $0.bytes.count } ?? 5
        let count = Int.random(in: 1...(isHonest ? missing : missing + 2), using: &dice)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &dice) }
        if goesOn { return .messagePart(.init(session: Sample.session, sequence: sequence, bytes: bytes[...])) }
        let total = count + Int.random(in: 0...20, using: &dice)
        return .message(.init(session: Sample.session, sequence: sequence, total: total, bytes: bytes[...]))
    }
}
