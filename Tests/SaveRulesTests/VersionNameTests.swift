import SaveRules
import Testing

@Suite("The name of a version")
struct VersionNameTests {
    private static func snapshot(_ version: [UInt8: UInt64]) throws -> Snapshot {
        try Snapshot(Sample.draft(version: version), sealedBy: Sample.seal(version.keys.max() ?? 1))
    }

    @Test("a name is the number, and for several versions with one number also the beginning of the id")
    func description() throws {
        let (one, other) = (try Self.snapshot([1: 3]), try Self.snapshot([1: 2, 2: 1]))
        #expect(one.number == other.number)
        #expect("\(VersionName(of: one, isShared: false))" == "3")
        for version in [one, other] {
            #expect("\(VersionName(of: version, isShared: true))" == "3.\("\(version.id)".prefix(4))")
        }
    }

    @Test("a full name means one of two versions with one number, and the number alone means both")
    func meaning() throws {
        let (one, other) = (try Self.snapshot([1: 3]), try Self.snapshot([1: 2, 2: 1]))
        let name = try #require(VersionName("\(VersionName(of: one, isShared: true))".uppercased()))
        #expect(name.number == 3 && name.names(one.id) && !name.names(other.id))
        let number = try #require(VersionName("3"))
        #expect(number.names(one.id) && number.names(other.id))
    }

    @Test(
        "no other text is a name",
        arguments: ["", ".", "3.", ".5e4f", "3.5x", "+3", "-3", "3.5e.4f", "5e4f", "3 ", "٣", "Deck"]
    )
    func others(text: String) { #expect(VersionName(text) == nil) }
}
