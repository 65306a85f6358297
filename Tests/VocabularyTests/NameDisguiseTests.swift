import Testing

@testable import Vocabulary

@Suite("a name that pretends to be another", .timeLimit(.minutes(5)))
struct NameDisguiseTests {
    @Test(
        "is printed with what it pretends by",
        arguments: [
            ("\u{410}lpha", #"\u{410}lpha"#), ("\u{FF21}lpha", #"\u{ff21}lpha"#), ("Alph\u{3B1}", #"Alph\u{3b1}"#),
            ("\u{1D400}lpha", #"\u{1d400}lpha"#), ("Alpha ", #"Alpha\u{20}"#), (" Alpha", #"\u{20}Alpha"#),
            ("Al  pha", #"Al \u{20}pha"#), ("Al\u{A0}pha", #"Al\u{a0}pha"#), (" ", #"\u{20}"#),
            ("Alpha (flrp-unfd)", #"Alpha \u{28}flrp-unfd)"#), ("Alpha (FLRP-UNFD) x", #"Alpha \u{28}FLRP-UNFD) x"#),
            ("Alpha \u{FF08}flrp\u{2010}unfd\u{FF09}", #"Alpha \u{ff08}flrp‐unfd）"#), ("flrp-unfd", #"flrp\u{2d}unfd"#),
            ("\u{201C}Deck\u{201D} is in", #"\u{201c}Deck\u{201d} is in"#),
            ("a\u{301}\u{301}", "a\u{301}\\u{301}"), ("\u{301}a", #"\u{301}a"#),
            ("a\u{300}\u{301}\u{302}\u{303}\u{304}", "a\u{300}\u{301}\u{302}\u{303}\\u{304}"),
        ]
    )
    func printed(_ text: String, _ expected: String) throws {
        let shown = try InstanceName(text).description
        #expect(Array(shown.unicodeScalars) == Array(expected.unicodeScalars), "\(shown)")
    }

    @Test(
        "is not one that people of any tongue give their machines",
        arguments: [
            "Deck", "Living room", "Käte’s Laptop", "デッキ", "Ноутбук", "Игровой PC", "PC Марии", "Υπολογιστής", "书房 PC",
            "Deck #2", "Deck (2)", "MacBook (Wohnzimmer)", "ＰＣ", "Việt Nam", "e\u{301}", "👨‍👩‍👧", "xbox-one", "Foo™",
            "שָׁלוֹם", "हिन्दी",
        ]
    )
    func plain(_ text: String) throws {
        let shown = try InstanceName(text).description
        #expect(Array(shown.utf8) == Array(text.utf8), "\(shown)")
    }

    @Test(
        "looks like it",
        arguments: [
            ("\u{410}lpha", "Alpha"), ("\u{FF21}lpha", "Alpha"), ("ALPHA", "alpha"), ("A1pha", "Alpha"),
            ("AIpha", "Alpha"),
            ("Alpha ", "Alpha"), ("\u{200B}Alpha", "Alpha"), ("Аlех", "Alex"), ("D\u{435}ck", "Deck"), ("B0x", "Box"),
            ("modem", "modern"), ("Käte", "Ka\u{308}te"), ("𝐃𝐞𝐜𝐤", "Deck"), ("Living\u{A0}room", "living  room"),
        ]
    )
    func alike(_ one: String, _ other: String) throws {
        #expect(try InstanceName(one).looksLike(InstanceName(other)))
        #expect(try InstanceName(other).looksLike(InstanceName(one)))
    }

    @Test(
        "does not look like every other",
        arguments: [("Deck", "Desk"), ("Alpha", "Älpha"), ("Deck", "Deck #2"), ("Box", "Boх 2"), ("ПК", "NK")]
    )
    func different(_ one: String, _ other: String) throws {
        #expect(try !InstanceName(one).looksLike(InstanceName(other)))
    }
}
