@testable import Vocabulary
import Testing

@Suite("Nearest name", .timeLimit(.minutes(5)))
struct NearestNameTests {
    @Test(
        "The distance counts missing, additional, replaced and swapped letters",
        arguments: [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("json", "json", 0),
            ("jsn", "json", 1),
            ("jsoon", "json", 1),
            ("jsun", "json", 1),
            ("jsno", "json", 1),
            ("kitten", "sitting", 3),
            ("ca", "abc", 3),
            ("ab", "ba", 1),
        ]
    )
    func distance(_ left: String, _ right: String, _ expected: Int) {
        #expect(NearestName.distance(Array(left), Array(right)) == expected)
        #expect(NearestName.distance(Array(right), Array(left)) == expected)
    }

    @Test(
        "A nearest name is given only if it is close",
        arguments: [
            ("brows", "browse"),
            ("browze", "browse"),
            ("adv", "advertise"),
            ("advertize", "advertise"),
            ("-json", "--json"),
            ("--JSON", "--json"),
            ("b", nil),
            ("", nil),
            ("--", nil),
            ("peers", nil),
            ("zzz", nil),
            ("browsebrowsebrowsebrowsebrowsebrowsebrowse", nil),
        ] as [(String, String?)]
    )
    func nearest(_ typed: String, _ expected: String?) {
        #expect(NearestName.of(typed, in: ["advertise", "browse", "--json", "--jobs"]) == expected)
    }

    @Test("A name found by its beginning is given only if it is the only one")
    func beginning() {
        #expect(NearestName.of("comp", in: ["complete-all", "completions"]) == nil)
        #expect(NearestName.of("comp", in: ["send", "completions"]) == "completions")
    }

    @Test("The nearest name is the first of several equally close ones, and never a single letter")
    func first() {
        #expect(NearestName.of("jump", in: ["dump", "bump"]) == "dump")
        #expect(NearestName.of("-c", in: ["-a", "-b"]) == nil)
        #expect(NearestName.of("-ab", in: ["-a", "-b"]) == nil)
    }

    @Test("Very long candidates are not searched")
    func longCandidates() {
        let long = String(repeating: "browse", count: 100_000)
        #expect(NearestName.of("browze", in: [long, "browse"]) == "browse")
        #expect(NearestName.of("browse", in: [long]) == nil)
        #expect(NearestName.of(long, in: ["browse"]) == nil)
    }
}
