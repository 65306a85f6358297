import Testing

@testable import Vocabulary

/// Names that people give their machines, and names that pretend to be such, side by side.
@Suite("A table of names", .timeLimit(.minutes(1)))
struct NameTableTests {
    @Test(
        "the table shows honest names of many writings as they are",
        arguments: [
            // Latin, with the forms that systems and people add.
            "PC - Anna-Lena", "Anna-Lena", "PC: Anna-Lena", "Mary-Jane", "Anna-Lena's PC", "Jean-Paul – Deck",
            "DESKTOP-4F7K2QJ", "LAPTOP-AB12CD34",
            "Deck-2024", "Acer-2021", "PC (Acer-2021)", "Steam Deck (OLED)", "MacBook Pro (2)", "R2-D2", "XPS-13",
            "Hal 9000",
            "Xbox Series X|S", "PS5®", "Łukasz-PC", "Zażółć", "Ömer'in Bilgisayarı", "İstanbul", "PC d’Éloïse",
            "Señor PC", "Đorđe",
            "Žižek", "Ĉambro", "máy tính của Lan", "Nº 2", "1ère PC", "µ-box", "Desk #2", "Desk#2", "Bob & Eve",
            "🎮 Deck",
            // Numbers as keyboards of East Asia write them.
            "PCⅡ", "PCⅠ", "Windows Ⅺ", "MacBookⅡ", "ゲーム機Ⅱ", "Ⅱ号機", "太郎のPC２", "太郎のPC", "第２会議室", "３号機", "リビングPC２号",
            "ラズパイ4", "ｶﾀｶﾅ PC", "𠮷野家PC", "花子のノートPC", "客厅的PC", "小米14", "거실PC", "민수의 노트북",
            // Others.
            "Дом2", "ПК-Ани", "Мой ПК", "Стас’ PC", "Ноутбук №1", "Ελένη PC", "Το PC μου", "הפלייסטיישן של דני",
            "مكتب-1", "لپ‌تاپ",
            "เครื่องของแม่", "ລາວ", "ភាសាខ្មែរ", "བོད", "ქართული", "Հայկի ПК", "ਪੰਜਾਬੀ", "ગુજરાતી", "മലയാളം", "తెలుగు", "සිංහල",
            "अनु का PC", "ኮምፒውተር", "ⴰⵎⴰⵣⵉⵖ",
        ]
    )
    func honest(_ text: String) throws {
        let shown = try InstanceName(text).description
        #expect(Array(shown.utf8) == Array(text.utf8), "\(shown)")
    }

    @Test(
        "the table marks names that pretend",
        arguments: [
            // A name with its id, or an id.
            "Desk (flrp-unfd)", "Desk [flrp-unfd]", "Desk (FLRP-UNFD)", "Desk (Flrp-Unfd)", "Desk (Anna-Lena)",
            "Desk （flrp‐unfd）",
            "Desk - flrp-unfd", "Desk – FLRP-UNFD", "Desk: Flrp-Unfd", "Desk #g4hu-gbgp", "g4hu-gbgp", "Flrp-Unfd",
            "Desk, anna-lena",
            "ANNA-LENA", "Desk - Anna-L3na", "Desk (1lrp-0nfd)",
            // Letters of another writing within a word.
            "\u{410}lpha", "Alph\u{3B1}", "D\u{435}ck", "De\u{441}k", "Desk\u{422}op", "P\u{421}", "\u{420}C",
            "\u{FF21}lpha", "D\u{FF25}SK",
            "\u{1D400}lpha", "\u{24B6}lpha", "Dᴇsk", "Ноутбуk", "ПK", "太郎のP\u{421}", "太郎\u{FF30}C", "Ωmega",
            "Alp\u{570}a", "\u{13AA}lpha",
            // Numerals and digits as letters.
            "\u{2164}era", "Dav\u{2170}d", "\u{216D}arl", "Car\u{217C}", "Yur\u{2170}", "Da\u{2164}id", "Desk\u{2160}",
            "A\u{2161}B", "Alph\u{661}",
            "PC\u{FF12}", "Desk\u{1D7D0}",
            // Accents in heaps, and marks of no tongue.
            "a\u{301}\u{301}", "a\u{300}\u{301}\u{302}\u{303}\u{304}", "A\u{338}lpha", "A\u{20DD}lpha", "\u{301}Desk",
            // What can't be seen, and what ends a sentence.
            "Desk ", " Desk", "De  sk", "De\u{A0}sk", "De\u{200B}sk", "De\u{AD}sk", "De\u{202E}ks", "“Desk” is in",
        ]
    )
    func pretending(_ text: String) throws {
        let shown = try InstanceName(text).description
        #expect(shown.contains("\\u{"), "\(shown)")
    }

    @Test(
        "the table names the known name that another one looks like",
        arguments: [
            ("Desk#2", "Desk #2"), ("PCⅡ", "PCII"), ("PCⅡ", "PCll"), ("PC２", "PC2"), ("太郎のPC２", "太郎のPC2"),
            ("DESK", "Desk"), ("D\u{435}sk", "Desk"),
            ("Desk ", "Desk"), ("A1pha", "Alpha"), ("Modem", "Modern"),
        ]
    )
    func alike(_ one: String, _ other: String) throws {
        #expect(try InstanceName(one).looksLike(InstanceName(other)))
    }
}
