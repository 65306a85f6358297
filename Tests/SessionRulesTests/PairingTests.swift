import SessionRules
import Testing
import TestSupport

@Suite("Pairing codes", .timeLimit(.minutes(5)))
struct PairingTests {
    @Test(
        "A typed code may have blanks, and other texts are no codes",
        arguments: [
            ("482913", 482_913), ("482 913", 482_913), (" 4 8 2\t913\n", 482_913), ("000 007", 7),
            ("482\u{A0}913", 482_913),
            ("48291", nil), ("4829130", nil), ("482-913", nil), ("48291a", nil), ("", nil), ("٤٨٢٩١٣", nil),
            ("+82913", nil),
        ] as [(String, UInt32?)]
    )
    func typing(text: String, number: UInt32?) {
        #expect(PairingCode(typed: text)?.number == number)
    }

    @Test("A code prints as two groups of three that can be typed again")
    func printing() {
        #expect(Sample.code(7).description == "000 007")
        #expect(Sample.code(482_913).description == "482 913")
        #expect(PairingCode(typed: Sample.code(90_001).description) == Sample.code(90_001))
        #expect(PairingCode(number: 1_000_000) == nil)
    }

    @Test("Random codes are spread over all codes")
    func randomness() {
        var generator = SeededGenerator(seed: 1)
        let codes = (0..<20_000).map { _ in PairingCode.random(using: &generator).number }
        #expect(Set(codes).count > 19_000)
        for tenth in 0..<10 as Range<UInt32> {
            let count = codes.count { $0 / 100_000 == tenth }
            #expect((1_700...2_300).contains(count), "\(tenth): \(count)")
        }
    }
}
