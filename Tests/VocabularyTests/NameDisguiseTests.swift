import Testing

@testable import Vocabulary

@Suite("Deceptive names", .timeLimit(.minutes(5)))
struct NameDisguiseTests {
    @Test(
        "A deceptive name is printed with its deceptive characters escaped",
        arguments: [
            ("\u{410}lpha", #"\u{410}lpha"#), ("\u{FF21}lpha", #"\u{ff21}lpha"#), ("Alph\u{3B1}", #"Alph\u{3b1}"#),
            ("\u{1D400}lpha", #"\u{1d400}lpha"#), ("Alpha ", #"Alpha\u{20}"#), (" Alpha", #"\u{20}Alpha"#),
            ("Al  pha", #"Al \u{20}pha"#), ("Al\u{A0}pha", #"Al\u{a0}pha"#), (" ", #"\u{20}"#),
            ("Alpha (flrp-unfd)", #"Alpha \u{28}flrp-unfd)"#), ("Alpha (FLRP-UNFD) x", #"Alpha \u{28}FLRP-UNFD) x"#),
            ("Alpha \u{FF08}flrp\u{2010}unfd\u{FF09}", #"Alpha \u{ff08}flrp‐unfd）"#), ("flrp-unfd", #"flrp\u{2d}unfd"#),
            ("\u{201C}Deck\u{201D} is in", #"\u{201c}Deck\u{201d} is in"#),
            ("a\u{301}\u{301}", "a\u{301}\\u{301}"), ("\u{301}a", #"\u{301}a"#),
            ("a\u{300}\u{301}\u{302}\u{303}\u{304}", "a\u{300}\u{301}\u{302}\u{303}\\u{304}"),
            ("Alpha [flrp-unfd]", #"Alpha \u{5b}flrp-unfd]"#),
            ("Alpha {flrp-unfd}", #"Alpha \u{7b}flrp-unfd}"#),
            ("Alpha <flrp-unfd>", #"Alpha \u{3c}flrp-unfd>"#),
            ("Alpha ‹flrp-unfd›", #"Alpha \u{2039}flrp-unfd›"#),
            ("Alpha 【flrp-unfd】", #"Alpha \u{3010}flrp-unfd】"#),
            ("Alpha (flrp-unfd", #"Alpha \u{28}flrp-unfd"#),
            ("Alpha - flrp-unfd", #"Alpha \u{2d} flrp-unfd"#),
            ("Alpha – flrp-unfd", #"Alpha \u{2013} flrp-unfd"#),
            ("Alpha: flrp-unfd", #"Alpha\u{3a} flrp-unfd"#),
            ("Alpha, flrp-unfd)", #"Alpha\u{2c} flrp-unfd)"#),
            ("Alpha ( flrp-unfd ).", #"Alpha \u{28} flrp-unfd )."#),
            ("Alpha #flrp-unfd", #"Alpha \u{23}flrp-unfd"#),
        ]
    )
    func printed(_ text: String, _ expected: String) throws {
        let shown = try InstanceName(text).description
        #expect(Array(shown.unicodeScalars) == Array(expected.unicodeScalars), "\(shown)")
    }

    @Test(
        "Letters of another script than the rest of their word are escaped",
        arguments: [
            ("\u{13AA}lpha", #"\u{13aa}lpha"#), ("\u{A4EE}lpha", #"\u{a4ee}lpha"#),
            ("\u{2C80}lpha", #"\u{2c80}lpha"#), ("Al\u{10428}pha", #"Al\u{10428}pha"#),
            ("Alp\u{570}a", #"Alp\u{570}a"#), ("De\u{10EA}k", #"De\u{10ea}k"#),
            ("\u{24B6}lpha", #"\u{24b6}lpha"#), ("A\u{29F}pha", #"A\u{29f}pha"#),
            ("A\u{217C}pha", #"A\u{217c}pha"#),
            ("\u{212A}ite", #"\u{212a}ite"#), ("Alp\u{2B0}a", #"Alp\u{2b0}a"#),
            ("Al\u{16C8}ha", #"Al\u{16c8}ha"#),
            ("Ноутбуk", #"Ноутбу\u{6b}"#), ("Но\u{3BF}тбук", #"Но\u{3bf}тбук"#),
            ("ab\u{627}", #"ab\u{627}"#),
            ("Alph\u{661}", #"Alph\u{661}"#), ("A\u{E34}lpha", #"A\u{e34}lpha"#),
            ("A\u{338}lpha", #"A\u{338}lpha"#), ("A\u{20DD}lpha", #"A\u{20dd}lpha"#),
            ("A\u{1DCA}lpha", #"A\u{1dca}lpha"#), ("A\u{36B}lpha", #"A\u{36b}lpha"#),
            ("A\u{FE20}lpha", #"A\u{fe20}lpha"#),
        ]
    )
    func mixed(_ text: String, _ expected: String) throws {
        let shown = try InstanceName(text).description
        #expect(Array(shown.unicodeScalars) == Array(expected.unicodeScalars), "\(shown)")
    }

    @Test(
        "Machine names of all languages are unchanged",
        arguments: [
            "Deck", "Living room", "Käte’s Laptop", "デッキ", "Ноутбук", "Игровой PC", "PC Марии", "Υπολογιστής", "书房 PC",
            "Deck #2", "Deck (2)", "MacBook (Wohnzimmer)", "ＰＣ", "Việt Nam", "e\u{301}", "👨‍👩‍👧", "xbox-one", "Foo™",
            "שָׁלוֹם", "हिन्दी", "كمبيوتر المنزل", "جهاز ٢", "คอมพิวเตอร์", "Αθήνα", "Զրույց",
            "კომპიუტერი", "ᏣᎳᎩ",
            "東京のデスクトップPC", "ゲームＰＣ２", "々ー", "내PC", "거실 컴퓨터", "Kʻailua", "Комп’ютер", "Łódź",
            "Đà Nẵng", "Ħal",
            "e\u{323}\u{302}", "Deck: 2", "Deck - Bob", "Deck [Bob]", "PC: Wohnzimmer",
            "Bob's game-room",
            "PC 🅰", "🇩🇪 PC", "Deck Ⅱ", "1º PC", "My game-room PC",
            "கணினி", "কম্পিউটার", "ကွန်ပျူတာ", "ኮምፒውተር", "电脑",
        ]
    )
    func plain(_ text: String) throws {
        let shown = try InstanceName(text).description
        #expect(Array(shown.utf8) == Array(text.utf8), "\(shown)")
    }

    @Test(
        "Names that look alike are recognised",
        arguments: [
            ("\u{410}lpha", "Alpha"), ("\u{FF21}lpha", "Alpha"), ("ALPHA", "alpha"), ("A1pha", "Alpha"),
            ("AIpha", "Alpha"),
            ("Alpha ", "Alpha"), ("\u{200B}Alpha", "Alpha"), ("Аlех", "Alex"), ("D\u{435}ck", "Deck"), ("B0x", "Box"),
            ("modem", "modern"), ("Käte", "Ka\u{308}te"), ("𝐃𝐞𝐜𝐤", "Deck"), ("ᎠᎬᏟᏦ", "DECK"),
            ("ꓓꓰꓚꓗ", "DECK"),
            ("ⲘⲈⲚ", "MEN"), ("ᴅᴇᴄᴋ", "deck"), ("ⒹⒺⒸⓀ", "Deck"), ("ＤＥＣＫ", "Deck"),
            ("ⅮⅰⅭⅭ", "DICC"), ("Đeck", "Deck"),
            ("De\u{188}k", "Deck"), ("Dec\u{199}", "Deck"), ("A\u{142}pha", "Alpha"),
            ("D\u{1EB9}ck", "Deck"),
            ("De\u{323}ck", "Deck"), ("Dec\u{331}k", "Deck"), ("De\u{327}ck", "Deck"),
            ("D\u{1EC7}ck", "Dêck"),
            ("ѕеtuр", "setup"), ("ꮃine", "wine"), ("𐐄𐐕", "OC"), ("ыоt", "ыot"),
            ("Living\u{A0}room", "living  room"),
        ]
    )
    func alike(_ one: String, _ other: String) throws {
        #expect(try InstanceName(one).looksLike(InstanceName(other)))
        #expect(try InstanceName(other).looksLike(InstanceName(one)))
    }

    @Test(
        "Different names don't look alike",
        arguments: [
            ("Deck", "Desk"), ("Alpha", "Älpha"), ("Deck", "Deck #2"), ("Deck", "Dêck"),
            ("Đ\u{302}eck", "Deck"),
            ("Ả", "A"), ("हि", "ह"),
            ("Box", "Boх 2"), ("ПК", "NK"),
        ]
    )
    func different(_ one: String, _ other: String) throws {
        #expect(try !InstanceName(one).looksLike(InstanceName(other)))
    }
}
