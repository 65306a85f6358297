import SecureArchive

/// XML in another encoding than it names, with half characters and wrong marks.
enum EncodingCases {
    private static let names = [
        "UTF-8", "utf8", "UTF-16", "utf-16", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "iso-8859-15", "latin1",
        "windows-1252", "US-ASCII", "UTF-7", "UTF-32", "UCS-2", "EBCDIC-CP-US", "koi8-r", "", "x", "UTF-16\u{0}",
    ]
    private static let marks: [[UInt8]] = [
        [], [], [0xFF, 0xFE], [0xFE, 0xFF], [0xEF, 0xBB, 0xBF], [0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF],
        [0xFF, 0xFE, 0xFF, 0xFE], [0xEF, 0xBB], [0xFE], [0x2B, 0x2F, 0x76, 0x38],
    ]

    static func make(_ dice: inout Dice) -> HostileCase {
        let body = body(&dice)
        var units = Array(text(body, &dice).utf16)
        let halves: [UInt16] = [0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFFFE, 0xFFFF, 0, 0xFEFF]
        if dice.chance(of: 2) {
            for _ in 0...dice.below(3) { units.insert(dice.pick(halves), at: dice.below(units.count + 1)) }
        }
        var bytes = dice.pick(marks) + encoded(units, &dice)
        if dice.chance(of: 6) { bytes.removeLast(min(bytes.count, 1 + dice.below(3))) }
        if dice.chance(of: 8) { bytes.insert(0, at: dice.below(bytes.count + 1)) }
        return HostileCase(bytes: bytes)
    }

    private static func text(_ body: String, _ dice: inout Dice) -> String {
        let name = dice.pick(names)
        let declarations = [
            "<?xml version=\"1.0\" encoding=\"\(name)\"?>", "<?xml version='1.1' encoding='\(name)'?>",
            "<?xml encoding=\"\(name)\" version=\"1.0\"?>", " <?xml version=\"1.0\" encoding=\"\(name)\"?>",
            "<?xml version=\"1.0\" encoding=\"\(name)\" standalone=\"yes\"?><!DOCTYPE plist>", "",
        ]
        return dice.pick(declarations) + body
    }

    private static func body(_ dice: inout Dice) -> String {
        let word = dice.pick(["é", "日本", "😀", "\u{E000}", "a", "&#xD83D;", "&#0;", "&#x110000;", "<![CDATA[é]]>"])
        let filling = String(repeating: word, count: dice.size(upTo: 60_000))
        return switch dice.below(4) {
        case 0: "<plist version=\"1.0\"><dict><key>\(filling)</key><string>\(filling)</string></dict></plist>"
        case 1: "<a b=\"\(filling)\">\(filling)</a>"
        case 2: "<dict><key>k</key><integer>7</integer></dict>"
        default: "<?xml-stylesheet \(filling)?><array/>"
        }
    }

    private static func encoded(_ units: [UInt16], _ dice: inout Dice) -> [UInt8] {
        switch dice.below(6) {
        case 0, 1: units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        case 2: units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        case 3: units.map { UInt8(truncatingIfNeeded: $0) }
        case 4: units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8), 0, 0] }
        default: Array(String(decoding: units, as: UTF16.self).utf8)
        }
    }
}
