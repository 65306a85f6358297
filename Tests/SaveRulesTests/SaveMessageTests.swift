import SaveProperties
import SaveRules
import Testing
import TestSupport
import Vocabulary

@Suite("Messages between machines about sets", .timeLimit(.minutes(5)))
struct SaveMessageTests {
    static let messages: [SaveMessage] = {
        guard let name = try? SaveSetName("celeste"), let patterns = try? PathPatterns(["*.log", "cache/"]),
            let reason = try? Label("exchange.unasked")
        else { preconditionFailure("these are sound") }
        let epoch = ExchangeEpoch(0x0102_0304)
        return [
            .offer(
                SaveOffer(
                    Sample.celeste,
                    named: name,
                    ignored: patterns,
                    chosen: ChosenNames(["slot", "keys"].compactMap { try? FileName($0) }),
                    rules: "scores: best",
                    fellows: [Sample.peer(9), Sample.peer(3)]
                )
            ),
            .offer(SaveOffer(Sample.celeste, named: name)),
            .withdraw(Sample.celeste),
            .heads(Sample.celeste, []),
            .heads(Sample.celeste, [SnapshotHead(Sample.id(1), Sample.version([1: 4, 2: 1]))]),
            .ask(Sample.celeste, epoch, HistoryRequest(wanted: [Sample.id(1), Sample.id(2)], known: [Sample.id(3)])),
            .want(Sample.celeste, epoch, Sample.id(1), [Sample.piece("a"), Sample.piece("b", length: 4 << 20)]),
            .claim(Sample.celeste, LeaseClaim(Sample.peer(7), term: 3, isHeld: true, played: .seconds(840))),
            .release(Sample.celeste),
            .request(Sample.celeste),
            .refused(Sample.celeste, reason),
            .progress(Sample.celeste, Sample.progress(0, of: 1)),
            .pause(Sample.celeste),
            .cutOff(Sample.celeste, nil),
            .cutOff(Sample.celeste, CutOffPlay(of: Sample.peer(3), saved: VersionVector.maximumCounter)),
            .progress(Sample.celeste, Sample.progress(FetchProgress.mostBytes, of: FetchProgress.mostBytes)),
        ]
    }()

    static let deliveries: [SaveDelivery] = [
        .history(Sample.celeste, ExchangeEpoch(7), []),
        .history(Sample.celeste, ExchangeEpoch(7), [[1, 2, 3], []]),
        .piece(Sample.celeste, ExchangeEpoch(8), Sample.piece("a").id, [UInt8](repeating: 5, count: 1_000)),
        .missing(Sample.celeste, ExchangeEpoch(9), [Sample.piece("a").id, Sample.piece("b").id]),
    ]

    @Test("each message is read as it was written", arguments: messages)
    func roundTrip(_ message: SaveMessage) throws {
        #expect(try SaveMessage(decoding: message.encoded, from: Sample.peer(7)) == message)
        #expect(message.set == Sample.celeste)
    }

    @Test(
        "every beginning of a message is refused, and every change is refused or read as it says",
        arguments: messages
    )
    func mutations(_ message: SaveMessage) throws {
        let bytes = message.encoded
        let folder = Self.asFolder(message)?.encoded.count
        for count in 0..<bytes.count where count != folder {
            #expect(throws: SaveFormatError.self) {
                try SaveMessage(decoding: Array(bytes.prefix(count)), from: Sample.peer(7))
            }
        }
        #expect(throws: SaveFormatError.self) { try SaveMessage(decoding: bytes + [0], from: Sample.peer(7)) }
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<500 {
            var mutated = [4] + bytes
            mutated[Int.random(in: 1..<mutated.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            #expect(SaveProperties.violation(for: mutated) == nil)
        }
    }

    /// The offer without its chosen names, as an offer of the whole folder; nil for other messages.
    private static func asFolder(_ message: SaveMessage) -> SaveMessage? {
        guard case .offer(let offer) = message, offer.chosen != nil else { return nil }
        return .offer(
            SaveOffer(
                offer.set,
                named: offer.name,
                ignored: (try? PathPatterns(offer.ignored.lines)) ?? .none,
                rules: offer.rules,
                fellows: offer.fellows
            )
        )
    }

    /// A program from before games of chosen files wrote these bytes.
    @Test("an offer of a whole folder is the same as before sets of chosen files, so that older programs go on")
    func olderOffer() throws {
        var bytes: [UInt8] = [1] + Sample.celeste.bytes + [0, 7] + Array("celeste".utf8)
        bytes += [0, 1, 0, 5] + Array("*.log".utf8) + [0, 0, 0, 0] + [0, 1] + Sample.peer(9).bytes
        let offer = SaveOffer(
            Sample.celeste,
            named: try SaveSetName("celeste"),
            ignored: try PathPatterns(["*.log"]),
            fellows: [Sample.peer(9)]
        )
        #expect(try SaveMessage(decoding: bytes, from: Sample.peer(7)) == .offer(offer))
        #expect(SaveMessage.offer(offer).encoded == bytes)
    }

    @Test("an offer of no file, or of files out of order, is refused")
    func badlyChosen() throws {
        let folder = SaveMessage.offer(SaveOffer(Sample.celeste, named: try SaveSetName("celeste"))).encoded
        #expect(fault(folder + [0, 0]) == .badOffer)
        #expect(fault(folder + [1, 1]) == .badOffer)
        #expect(fault(folder + [0, 2, 0, 1, 98, 0, 1, 97]) == .badOffer)
        #expect(fault(folder + [0, 1, 0, 1, 47]) == .badOffer)
        #expect(fault(folder + [0, 1, 0, 1, 97, 0]) == .bytesAfterTheEnd)
    }

    @Test("counts are refused before memory is taken for them")
    func counts() {
        let head = [3] + Sample.celeste.bytes
        #expect(fault([3] + Sample.celeste.bytes + [65]) == .tooManyHeads)
        #expect(fault([4] + head.dropFirst() + [0, 0, 0, 1, 0xFF, 0xFF]) == .tooManyNames)
        #expect(
            fault([5] + head.dropFirst() + [0, 0, 0, 1] + [UInt8](repeating: 1, count: 32) + [0, 0, 1, 1])
                == .tooManyPieces
        )
        #expect(fault([77] + head.dropFirst()) == .unknownMessage(77))
        #expect(fault([UInt8](repeating: 1, count: SaveMessage.maximumByteCount + 1)) == .tooManyBytes)
        #expect(fault([6] + head.dropFirst() + [UInt8](repeating: 0xFF, count: 17)) == .badClaim)
        #expect(fault([10] + head.dropFirst() + [UInt8](repeating: 0, count: 16)) == .badProgress)
        #expect(
            fault([10] + head.dropFirst() + [UInt8](repeating: 1, count: 8) + [UInt8](repeating: 0, count: 8))
                == .badProgress
        )
    }

    @Test("only another machine than the sender was cut off, and no machine has saved more often than is possible")
    func cutOff() {
        let head = [13] + Sample.celeste.bytes
        #expect(fault(head + [2]) == .badClaim)
        #expect(fault(head + [1] + Sample.peer(7).bytes + [UInt8](repeating: 0, count: 8)) == .badClaim)
        #expect(fault(head + [1] + Sample.peer(3).bytes + [UInt8](repeating: 0x40, count: 8)) == .badClaim)
        #expect(fault(head + [1] + Sample.peer(3).bytes + [UInt8](repeating: 0, count: 8)) == nil)
    }

    @Test("a program that counts as a game may run for longer than a message can hold")
    func longGame() throws {
        let claim = LeaseClaim(Sample.peer(7), term: 1, isHeld: true, played: .seconds(400 * 86_400))
        let read = try SaveMessage(decoding: SaveMessage.claim(Sample.celeste, claim).encoded, from: Sample.peer(7))
        let said = LeaseClaim(Sample.peer(7), term: 1, isHeld: true, played: .seconds(366 * 86_400))
        #expect(read == .claim(Sample.celeste, said))
    }

    private func fault(_ bytes: [UInt8]) -> SaveFormatError.Fault? {
        do throws(SaveFormatError) {
            _ = try SaveMessage(decoding: bytes, from: Sample.peer(7))
            return nil
        } catch { return error.fault }
    }

    @Test("deliveries are whole and in order, however the stream is cut", arguments: [1, 3, 64, 100_000])
    func stream(_ step: Int) throws {
        var (reader, found) = (SaveDeliveryReader(), [SaveDelivery]())
        var rest = Self.deliveries.flatMap(\.encoded)[...]
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(step)))
            rest = rest.dropFirst(step)
            while let next = try reader.next() { found.append(next) }
        }
        #expect(found == Self.deliveries)
    }

    @Test("a delivery that claims a length beyond the limit is refused before it arrives")
    func length() {
        var reader = SaveDeliveryReader()
        reader.append([0xFF, 0, 0, 0])
        #expect(throws: SaveFormatError.self) { try reader.next() }
    }

    @Test(
        "the reader has room for little more than it holds, however the stream is cut",
        arguments: [100, 40_000, 65_535, 65_536]
    )
    func room(_ step: Int) throws {
        var reader = SaveDeliveryReader()
        let delivery = SaveDelivery.history(Sample.celeste, ExchangeEpoch(1), Self.longHistory)
        var rest = delivery.encoded[...]
        while rest.count > step {
            reader.append(Array(rest.prefix(step)))
            rest = rest.dropFirst(step)
            #expect(try reader.next() == nil)
            #expect(reader.capacity <= reader.heldByteCount * 17 / 16 + (64 << 10))
        }
        reader.append(Array(rest))
        #expect(try reader.next() == delivery)
        #expect(reader.capacity == 0)
    }

    @Test("the reader releases the memory of a delivery once it was read, though the next one has begun")
    func roomOfNext() throws {
        var reader = SaveDeliveryReader()
        let delivery = SaveDelivery.history(Sample.celeste, ExchangeEpoch(1), Self.longHistory)
        reader.append(delivery.encoded + [0])
        #expect(try reader.next() == delivery)
        #expect(reader.heldByteCount == 1)
        #expect(reader.capacity < 1 << 10)
    }

    private static let longHistory = [[UInt8]](repeating: [UInt8](repeating: 1, count: 60_000), count: 60)

    @Test("changes to a stream are refused or read as they say")
    func streamMutations() {
        let bytes = Self.deliveries.flatMap(\.encoded)
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<1_000 {
            var mutated = [5] + bytes
            mutated[Int.random(in: 1..<mutated.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            #expect(SaveProperties.violation(for: mutated) == nil)
        }
    }
}
