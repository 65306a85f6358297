import Digests
import Testing
import TestSupport

/// Bytes like chance.
func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var dice = SeededGenerator(seed: seed)
    return (0..<(count + 7) / 8).flatMap { _ in withUnsafeBytes(of: dice.next().bigEndian) { Array($0) } }.dropLast(
        -count & 7
    )
}

/// The lengths of the pieces, as a reader of the format would find them who knows nothing of speed.
private func plainLengths(_ bytes: [UInt8], _ cutter: PieceCutter) -> [Int] {
    var gear: [UInt64] = []
    var dice = SeededGenerator(seed: 0)
    for _ in 0..<256 { gear.append(dice.next()) }
    let bits = cutter.average.trailingZeroBitCount
    var lengths: [Int] = []
    var start = 0
    while start < bytes.count {
        let left = bytes.count - start
        var length = min(left, cutter.maximum)
        for place in min(cutter.minimum, left)..<length where left > cutter.minimum {
            let hash = bytes[(start + place - 64)..<(start + place)].reduce(UInt64(0)) { $0 &* 2 &+ gear[Int($1)] }
            let shown = place < cutter.average ? bits + 2 : bits - 2
            if hash >> (64 - shown) == 0 {
                length = place
                break
            }
        }
        lengths.append(length)
        start += length
    }
    return lengths
}

private func lengths(_ bytes: [UInt8], _ cutter: PieceCutter) -> [Int] {
    let ends = bytes.withUnsafeBytes { cutter.ends(of: $0) }
    return zip(ends, [0] + ends).map { $0 - $1 }
}

@Suite("Cutting by content", .timeLimit(.minutes(10)))
struct PieceCutterTests {
    private let small = PieceCutter(minimum: 256, average: 1_024, maximum: 4_096)

    @Test("the same places are found as by the description in words", arguments: 1...8 as ClosedRange<UInt64>)
    func matchesDescription(seed: UInt64) {
        let bytes = randomBytes(60_000, seed: seed)
        #expect(lengths(bytes, small) == plainLengths(bytes, small))
    }

    @Test("the cuts of a known text never change, since all machines must agree on them")
    func knownAnswer() {
        let cutter = PieceCutter(minimum: 16 << 10, average: 64 << 10, maximum: 256 << 10)
        #expect(lengths(randomBytes(500_000, seed: 1), cutter) == [62615, 110379, 73752, 120153, 26098, 84802, 22201])
    }

    @Test("pieces keep to their sizes, and are near the average")
    func sizes() {
        let found = lengths(randomBytes(4 << 20, seed: 3), small)
        #expect(found.reduce(0, +) == 4 << 20)
        #expect(found.dropLast().allSatisfy { (256...4_096).contains($0) })
        #expect((900...1_300).contains((4 << 20) / found.count))
    }

    @Test("bytes without any variety are cut at the maximum", arguments: [0, 0xFF] as [UInt8])
    func uniform(value: UInt8) {
        #expect(lengths(Array(repeating: value, count: 10_000), small) == [4_096, 4_096, 1_808])
    }

    @Test("a short file stays whole, and an empty one has no piece", arguments: [0, 1, 64, 255, 256])
    func short(count: Int) {
        #expect(lengths(randomBytes(count, seed: 4), small) == (count == 0 ? [] : [count]))
    }

    @Test(
        "after bytes are inserted, removed or changed, all but a few pieces are the same",
        arguments: 1...10 as ClosedRange<UInt64>
    )
    func locality(seed: UInt64) {
        var dice = SeededGenerator(seed: seed)
        let before = randomBytes(1 << 20, seed: seed)
        var after = before
        let place = Int.random(in: 0..<(1 << 20) - 500, using: &dice)
        switch seed % 3 {
        case 0: after.insert(contentsOf: randomBytes(300, seed: seed + 100), at: place)
        case 1: after.removeSubrange(place..<(place + 300))
        default: after.replaceSubrange(place..<(place + 300), with: randomBytes(300, seed: seed + 100))
        }
        #expect(pieces(after).subtracting(pieces(before)).count <= 6)
    }

    private func pieces(_ bytes: [UInt8]) -> Set<[UInt8]> {
        var start = 0
        return Set(
            lengths(bytes, small).map { length in
                defer { start += length }
                return Array(bytes[start..<(start + length)])
            }
        )
    }
}
