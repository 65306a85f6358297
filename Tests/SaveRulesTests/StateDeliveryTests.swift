import SaveRules
import Testing
import Vocabulary

@Suite("An archive that is given", .timeLimit(.minutes(4)))
struct StateDeliveryTests {
    private static let deliveries: [StateDelivery] = {
        guard let name = try? SaveSetName("celeste"), let path = try? SavePath("slots/1.save"),
            let one = StateDelivery(to: .inbox, at: path, byteCount: 5),
            let other = StateDelivery(to: .set(name), at: path, byteCount: 5)
        else { preconditionFailure("these are sound") }
        return [one, other]
    }()

    @Test("a pushed save is read as it was written, however it is cut on its way", arguments: deliveries)
    func roundTrip(_ delivery: StateDelivery) throws {
        let bytes = delivery.encoded + Array("hello".utf8)
        for size in 1...bytes.count {
            var reader = StateDeliveryReader()
            for start in stride(from: 0, to: bytes.count, by: size) {
                try reader.append(Array(bytes[start..<min(start + size, bytes.count)]))
            }
            let (read, archive) = try reader.finish()
            #expect(read == delivery && archive == Array("hello".utf8))
        }
    }

    @Test("a pushed save is refused if a part of it is missing, or anything follows", arguments: deliveries)
    func cut(_ delivery: StateDelivery) throws {
        let bytes = delivery.encoded + Array("hello".utf8)
        for count in 0..<bytes.count {
            var reader = StateDeliveryReader()
            try reader.append(Array(bytes.prefix(count)))
            #expect(throws: SaveFormatError.self) { try reader.finish() }
        }
        var reader = StateDeliveryReader()
        #expect(throws: SaveFormatError.self) { try reader.append(bytes + [0]) }
    }

    @Test(
        "a pushed save is refused if it leads elsewhere, is empty, or too large",
        arguments: [
            [0, 6, 0, 0, 2, 0x2E, 0x2E, 0, 0, 0, 1],
            [0, 8, 0, 0, 1, 0x61, 0, 0, 0, 0], [0, 8, 0, 0, 1, 0x61, 1, 0, 0, 1], [0, 8, 2, 0, 1, 0x61, 0, 0, 0, 1],
            [0, 9, 0, 0, 1, 0x61, 0, 0, 0, 1, 0], [0xFF, 0xFF],
        ] as [[UInt8]]
    )
    func bad(bytes: [UInt8]) {
        var reader = StateDeliveryReader()
        #expect(throws: SaveFormatError.self) { try reader.append(bytes) }
    }

    @Test("the answer to a pushed save is cut to the limit, and is read as it was written")
    func answers() throws {
        let long = String(repeating: "é", count: 5_000)
        for answer in [StateAnswer.ready, .taken("castle.save"), .refused("archive.damaged", "it is torn", "")] {
            #expect(try StateAnswer(decoding: answer.encoded) == answer)
            #expect(throws: SaveFormatError.self) { try StateAnswer(decoding: answer.encoded + [0]) }
        }
        #expect(
            try StateAnswer(decoding: StateAnswer.taken(long).encoded) == .taken(String(repeating: "é", count: 1_024))
        )
        #expect(throws: SaveFormatError.self) { try StateAnswer(decoding: [3]) }
        #expect(throws: SaveFormatError.self) { try StateAnswer(decoding: []) }
    }
}
