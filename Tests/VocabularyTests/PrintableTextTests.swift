import Testing
import Vocabulary

@Suite("Printable text", .timeLimit(.minutes(5)))
struct PrintableTextTests {
    @Test(
        "Harmless text is unchanged",
        arguments: [
            "", "plain", "two words", "é e\u{301} ß", "日本語", "שלום", "مرحبا", "नमस्ते", "🎮 👍🏽", "👨‍👩‍👧", "❤️", "❤️\u{200D}🔥",
            "“quoted” ‘so’",
            "می‌خواهم", "€ ½ ∑ →", "\u{A0}", "…",
        ]
    )
    func isHarmless(_ text: String) {
        #expect(PrintableText(text).description == text)
        #expect(PrintableText(bytes: Array(text.utf8)).description == text)
    }

    @Test(
        "Characters that move the cursor, colour, hide, or change the direction are escaped",
        arguments: [
            ("\u{1B}[31mred", #"\u{1b}[31mred"#), ("\u{1B}]0;title\u{7}", #"\u{1b}]0;title\u{7}"#),
            ("\u{1B}]8;;http://x\u{1B}\\", #"\u{1b}]8;;http://x\u{1b}\\"#), ("a\nb", #"a\u{a}b"#),
            ("a\r\nb", #"a\u{d}\u{a}b"#),
            ("\t", #"\u{9}"#), ("\u{8}\u{8}", #"\u{8}\u{8}"#), ("\u{0}", #"\u{0}"#), ("\u{7F}", #"\u{7f}"#),
            // C1: one character with the effect of ESC [.
            ("\u{9B}31m", #"\u{9b}31m"#), ("\u{85}", #"\u{85}"#), ("\u{90}q\u{9C}", #"\u{90}q\u{9c}"#),
            // Overrides, embeddings, isolates and marks of direction.
            ("\u{202E}txt.exe", #"\u{202e}txt.exe"#),
            ("\u{202A}\u{202B}\u{202C}\u{202D}", #"\u{202a}\u{202b}\u{202c}\u{202d}"#),
            ("\u{2066}\u{2067}\u{2068}\u{2069}", #"\u{2066}\u{2067}\u{2068}\u{2069}"#),
            ("\u{200E}\u{200F}\u{61C}", #"\u{200e}\u{200f}\u{61c}"#),
            // Invisible characters.
            ("a\u{200B}b", #"a\u{200b}b"#), ("a\u{2060}b", #"a\u{2060}b"#), ("\u{FEFF}a", #"\u{feff}a"#),
            ("a\u{AD}b", #"a\u{ad}b"#),
            ("\u{E0041}", #"\u{e0041}"#), ("a\u{34F}b", #"a\u{34f}b"#), ("Deck\u{3164}", #"Deck\u{3164}"#),
            ("\u{115F}\u{1160}", #"\u{115f}\u{1160}"#),
            ("a\u{E0101}", #"a\u{e0101}"#), ("a\u{180B}", #"a\u{180b}"#), ("\u{17B4}", #"\u{17b4}"#),
            ("\u{FFA0}", #"\u{ffa0}"#),
            // Joiners and variation selectors join nothing after plain letters.
            ("Deck\u{200D}", #"Deck\u{200d}"#), ("De\u{200C}ck", #"De\u{200c}ck"#), ("a\u{FE0F}", #"a\u{fe0f}"#),
            ("\u{200D}a", #"\u{200d}a"#),
            ("é\u{200D}\u{200D}", "é\u{200D}" + #"\u{200d}"#), ("é\u{FE0F}\u{FE0F}", "é\u{FE0F}" + #"\u{fe0f}"#),
            // Lines, private and unassigned.
            ("\u{2028}\u{2029}", #"\u{2028}\u{2029}"#), ("\u{E000}", #"\u{e000}"#), ("\u{F8FF}", #"\u{f8ff}"#),
            ("\u{378}", #"\u{378}"#),
            ("\u{10FFFF}", #"\u{10ffff}"#), ("\u{FFFE}", #"\u{fffe}"#),
        ]
    )
    func escapes(_ text: String, _ expected: String) {
        #expect(PrintableText(text).description == expected)
        #expect(PrintableText(bytes: Array(text.utf8)).description == expected)
    }

    @Test(
        "Bytes that are not UTF-8 are escaped, and later text is shown",
        arguments: [
            ([0xFF], #"\xff"#), ([0x61, 0x80, 0x62], #"a\x80b"#), ([0xC3], #"\xc3"#), ([0xC3, 0x28], #"\xc3("#),
            // Overlong, half a pair of surrogates, beyond the last character, cut off.
            ([0xC0, 0x80], #"\xc0\x80"#), ([0xE0, 0x80, 0xAF], #"\xe0\x80\xaf"#),
            ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#),
            ([0xF4, 0x90, 0x80, 0x80], #"\xf4\x90\x80\x80"#), ([0xF0, 0x9F, 0x8E], #"\xf0\x9f\x8e"#),
            ([0xE2, 0x82, 0x41], #"\xe2\x82A"#), ([0x61, 0xC3, 0xA9, 0xC3], #"aé\xc3"#),
            ([0xF0, 0x9F, 0x8E, 0xAE, 0xFE], #"🎮\xfe"#), ([0x1B, 0x5B, 0xC2, 0x9B], #"\u{1b}[\u{9b}"#),
        ] as [([UInt8], String)]
    )
    func invalidBytes(_ bytes: [UInt8], _ expected: String) {
        #expect(PrintableText(bytes: bytes).description == expected)
    }

    @Test(
        "A text with something like an escape looks different from an escaped text",
        arguments: [
            (#"\u{1b}"#, "\u{1B}"), (#"\\"#, #"\"#), (#"\u{5c}"#, #"\"#), (#"\\u{1b}"#, #"\u{1b}"#), (#"\n"#, "\n"),
        ]
    )
    func unambiguous(_ left: String, _ right: String) {
        #expect(PrintableText(left).description != PrintableText(right).description)
    }

    @Test(
        "Prose keeps its backslashes, and has all other escapes",
        arguments: [
            (#"a\b"#, #"a\b"#), (#"\\host\share"#, #"\\host\share"#), (#"¯\_(ツ)_/¯"#, #"¯\_(ツ)_/¯"#),
            ("a\u{1B}[2J\\", #"a\u{1b}[2J\"#), ("\u{202E}\n\u{200B}", #"\u{202e}\u{a}\u{200b}"#),
        ]
    )
    func prose(_ text: String, _ expected: String) {
        let shown = PrintableText(prose: text)
        #expect(shown.description == expected)
        // Safe text is unchanged.
        #expect(PrintableText(prose: shown.description) == shown)
    }

    @Test("A written escape differs from an invalid byte")
    func unambiguousBytes() {
        #expect(PrintableText(bytes: Array(#"\xff"#.utf8)).description == #"\\xff"#)
        #expect(PrintableText(bytes: [0xFF]).description == #"\xff"#)
    }

    @Test(
        "A long text is cut at its limit with a mark",
        arguments: [
            ("", 0, ""), ("a", 0, "…"), ("abc", 3, "abc"), ("abcd", 3, "abc…"), ("\u{1B}\u{1B}", 1, #"\u{1b}…"#),
        ]
    )
    func limit(_ text: String, _ limit: Int, _ expected: String) {
        #expect(PrintableText(text, limit: limit).description == expected)
        #expect(PrintableText(bytes: Array(text.utf8), limit: limit).description == expected)
    }

    @Test("The cost depends on the shown text, not on the input")
    func bounded() {
        let text = String(repeating: "\u{1B}", count: 1_000_000)
        #expect(PrintableText(text).description.utf8.count == 255 * 6 + 3)
        #expect(PrintableText(bytes: Array(repeating: 0xFF, count: 1_000_000)).description.utf8.count == 255 * 4 + 3)
    }

    @Test("Any bytes become harmless characters only", arguments: 0..<64 as Range<UInt64>)
    func randomBytes(_ seed: UInt64) {
        var generator = SeededGenerator(seed)
        let bytes = (0..<400).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for scalar in PrintableText(bytes: bytes, limit: 1000).description.unicodeScalars {
            let category = scalar.properties.generalCategory
            let isJoiner = scalar == "\u{200C}" || scalar == "\u{200D}"
            #expect(category != .control && (category != .format || isJoiner), "seed \(seed)")
        }
    }
}

/// The same numbers for the same seed (SplitMix64, public domain, https://prng.di.unimi.it/splitmix64.c).
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
