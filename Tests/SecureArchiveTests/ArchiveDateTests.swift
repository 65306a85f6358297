import SecureArchive
import Testing

@Suite("Dates of archives as texts")
struct ArchiveDateTests {
    @Test(
        "a date has as many digits of a fraction as it needs to come back",
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.25, "2001-01-01T00:00:00.25Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
            (789_015_845.1, "2026-01-02T03:04:05.1Z"), (252_423_993_599, "9999-12-31T23:59:59Z"),
            (-63_113_904_000, "0001-01-01T00:00:00Z"), (-63_114_076_800, "0000-12-30T00:00:00Z"),
        ]
    )
    func writes(seconds: Double, text: String) throws {
        let date = try #require(ArchiveDate(secondsSince2001: seconds))
        #expect(date.description == text)
        #expect(ArchiveDate(text) == date)
    }

    @Test(
        "a text that is no date is refused",
        arguments: [
            "", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.5",
            "2026-01-02T03:04:05.-1Z",
            "2026-13-02T03:04:05Z", "2026-01-02T03:04:05.1e5Z", "2026-01-02 03:04:05Z",
            "0000-12-29T23:59:59Z", "0000-01-01T00:00:00Z",
        ]
    )
    func refuses(text: String) {
        #expect(ArchiveDate(text) == nil)
    }
}
