import Testing

@testable import SecureArchive

@Suite("Texts found by their bytes")
struct LiteralStringsTests {
    @Test("texts that only look the same are different keys", arguments: [0, 40])
    func keepsSpellingsApart(others: Int) {
        var fields = ArchiveFields()
        for number in 0..<others { fields["other \(number)"] = .null }
        let isComposedNew = fields.append(.integer(1), for: "caf\u{E9}")
        let isDecomposedNew = fields.append(.integer(2), for: "cafe\u{301}")
        #expect(isComposedNew && isDecomposedNew)
        #expect(fields["caf\u{E9}"] == .integer(1))
        #expect(fields["cafe\u{301}"] == .integer(2))
        #expect(ArchiveValue.string("caf\u{E9}") != .string("cafe\u{301}"))
    }

    @Test("every text is found at its position, however many there are")
    func findsAll() {
        var strings = LiteralStrings()
        for number in 0..<5_000 {
            let (position, isNew) = strings.insert("key \(number)")
            #expect(position == number && isNew)
        }
        for number in 0..<5_000 {
            #expect(strings.position(of: "key \(number)") == number)
            let isNew = strings.insert("key \(number)").isNew
            #expect(!isNew)
        }
        #expect(strings.position(of: "key 5000") == nil)
        strings.remove(at: 0)
        #expect(strings.position(of: "key 0") == nil)
        #expect(strings.position(of: "key 4999") == 4_998)
    }

    @Test("a copy of fields that share their keys leaves the others alone")
    func sharesUntilChanged() {
        var strings = LiteralStrings()
        _ = strings.insert("a")
        let keys = FieldKeys(strings)
        let first = ArchiveFields(keys, values: [.integer(1)])
        var second = ArchiveFields(keys, values: [.integer(1)])
        second["b"] = .integer(2)
        #expect(first.keys == ["a"])
        #expect(second.keys == ["a", "b"])
        #expect(first != second)
    }
}
