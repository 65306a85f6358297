import Testing
import Vocabulary

@testable import Household
@testable import huddle

@Suite("The lines of huddle bench", .timeLimit(.minutes(5)))
struct BenchLineTests {
    private func line(_ kind: BenchKind, _ counts: [String: Int], _ slowest: BenchKind? = nil) throws -> String? {
        let peer = PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), try InstanceName("Deck"))
        let event = MeasuredEvent(kind: kind, machine: peer, counts: counts, slowest: slowest)
        return BenchLine.text(of: DaemonLine(.measured(event), nil))
    }

    @Test("A round trip is compared with the network alone")
    func roundTrip() throws {
        let counts = ["p50_microseconds": 240, "p99_microseconds": 1500, "network_microseconds": 120, "rounds": 100]
        let words = "one in a hundred 1.5 ms; the network alone 120 µs, so 2.0 times that"
        #expect(try line(.roundTrip, counts) == "round trip   240 µs      \(words)")
    }

    @Test("A number of messages has its digits in groups")
    func messages() throws {
        let words = "of 1024 bytes, all of them received"
        #expect(try line(.messages, ["per_second": 1_234_567, "bytes": 1024]) == "messages     1,234,567/s  \(words)")
    }

    @Test("A stream is compared with the lower of the line and the encryption", arguments: [true, false])
    func stream(hasSlowLine: Bool) throws {
        var counts = ["bytes_per_second": 1 << 20, "encryption_bytes_per_second": 4 << 20, "percent_of_limit": 50]
        if hasSlowLine { counts["line_bytes_per_second"] = 2 << 20 }
        let limit = hasSlowLine ? "this machine's line (" : "what this processor encrypts ("
        #expect(try line(.stream, counts)?.contains("50 % of \(limit)") == true)
    }

    @Test("A file that was not tried has no figure")
    func noFile() throws {
        #expect(try line(.file, [:]) == "file here    –           not measured: the disk has less than 2 GiB free")
    }

    @Test(
        "The sum names the slower of the two",
        arguments: [BenchKind.stream: "the way to Deck", .file: "the disk here"]
    )
    func sum(slowest: BenchKind, words: String) throws {
        let sentence = "a file of 1 GiB from Deck takes 4.0 s or more; slowest is \(words)"
        #expect(try line(.sum, ["bytes_per_second": 1 << 28], slowest) == sentence)
    }

    @Test("An event without a figure has no line")
    func other() {
        #expect(BenchLine.text(of: DaemonLine(.measuring(MeasuringEvent(kind: .file)), nil)) == nil)
    }
}
