import SecureArchive
import Testing

@Suite("Fields of an archive")
struct ArchiveFieldsTests {
    @Test("a key that exists is refused and nothing changes", arguments: [3, 40])
    func refusesTwins(count: Int) {
        var fields = ArchiveFields()
        for number in 0..<count {
            let isNew = fields.append(.integer(ArchiveInteger(number)), for: "key\(number)")
            #expect(isNew)
        }
        let isNew = fields.append(.null, for: "key1")
        #expect(!isNew)
        #expect(fields["key1"] == .integer(1))
        #expect(fields.count == count)
    }

    @Test("setting a key keeps its place, and a new key is appended", arguments: [3, 40])
    func keepsOrder(count: Int) {
        var fields = ArchiveFields()
        for number in 0..<count {
            fields["key\(number)"] = .bool(true)
        }
        fields["key1"] = .null
        fields["new"] = .bool(false)
        #expect(fields.keys[1] == "key1")
        #expect(fields.keys.last == "new")
        fields["key1"] = nil
        #expect(fields.position(of: "key2") == 1)
        #expect(fields["key1"] == nil)
        #expect(fields.count == count)
    }

    @Test("fields are equal in any order, and numbers of another kind are not")
    func comparesMeaning() {
        let fields: ArchiveFields = ["a": .integer(1), "b": .bool(true)]
        #expect(fields == ["b": .bool(true), "a": .integer(1)])
        #expect(fields != ["b": .integer(1), "a": .integer(1)])
        #expect(fields != ["a": .integer(1)])
    }

    @Test("whole numbers are equal, from any type")
    func comparesNumbers() {
        #expect(ArchiveInteger(UInt64(7)) == 7)
        #expect(ArchiveInteger(UInt64.max) > ArchiveInteger(Int.max))
        #expect(ArchiveInteger(-1) < ArchiveInteger(UInt64.max))
        #expect(ArchiveInteger(UInt64.max).value(as: Int.self) == nil)
        #expect(ArchiveInteger(UInt64.max).description == "18446744073709551615")
    }

    @Test("infinity and NaN are neither reals nor dates")
    func refusesInfinity() {
        #expect(ArchiveReal(.nan) == nil)
        #expect(ArchiveReal(-.infinity) == nil)
        #expect(ArchiveDate(secondsSince2001: .nan) == nil)
        #expect(ArchiveDate(secondsSince2001: 1e308) == nil)
        #expect(ArchiveDate(secondsSince1970: 978_307_200)?.secondsSince2001 == 0)
    }
}
