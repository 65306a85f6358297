import GameProperties
import TestSupport
import Testing

/// The properties of the fuzz target, for changes of good inputs.
@Suite("Files of launchers and lists", .timeLimit(.minutes(1)))
struct GamePropertiesTests {
    private static let good: [(kind: UInt8, text: String)] = [
        (
            0,
            "A: {files: {\"<xdgData>/a/*.sav\": {tags: [save], when: [{os: linux}]}}, steam: {id: 1}, installDir: {A: {}}}\n"
        ),
        (2, "<winDocuments>/My Games/Game/**/[a-c]?*.sav"),
        (3, "= A\nsteam 1 2\nsave <xdgData>/a\n= B\nalias A\n"),
        (4, "\"a\" { \"path\" \"/x\\\\y\" } // z\n"),
        (5, "\u{0}s\u{0}\u{0}0\u{0}\u{2}appid\u{0}abcd\u{1}AppName\u{0}A\u{0}\u{8}\u{8}"),
        (6, "game: {exe: /a, prefix: [b]}\n"),
    ]

    @Test("A file stays consistent with any change in it", arguments: 0..<6)
    func mutated(number: Int) {
        let (kind, text) = Self.good[number]
        let bytes = Array(text.utf8)
        #expect(GameProperties.violation(for: [kind] + bytes) == nil)
        var generator = SeededGenerator(seed: UInt64(number))
        for _ in 0..<2000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: changed.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: changed[place] = .random(in: 0...255, using: &generator)
                case 1: changed.insert(contentsOf: changed[..<place].suffix(8), at: place)
                default: changed.removeLast(min(2, changed.count - 1))
                }
            }
            #expect(GameProperties.violation(for: [kind] + changed) == nil)
        }
    }
}
