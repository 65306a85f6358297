@testable import CommandTable
import Testing
import Vocabulary

@Suite("Forms of values", .timeLimit(.minutes(5)))
struct FormTests {
    private func read<Value>(_ text: String, as form: ValueForm<Value>) throws(UsageError) -> Value {
        try form.read(GivenText(text), for: "--it")
    }

    @Test(
        "A duration is a number with a unit, or several",
        arguments: [
            ("300ms", Duration.milliseconds(300)),
            ("0s", .zero),
            ("5s", .seconds(5)),
            ("2m", .seconds(120)),
            ("1h", .seconds(3600)),
            ("1d", .seconds(86400)),
            ("1h30m", .seconds(5400)),
            ("1.5h", .seconds(5400)),
            ("0.2s", .milliseconds(200)),
            ("1m0.25s", .milliseconds(60250)),
            ("2.000000s", .seconds(2)),
            ("1m1ms", .milliseconds(60001)),
            ("007s", .seconds(7)),
            ("9223372036854775807ms", .milliseconds(Int64.max)),
        ]
    )
    func duration(_ text: String, _ expected: Duration) throws {
        #expect(try read(text, as: .duration) == expected)
    }

    @Test(
        "Other texts are no durations",
        arguments: [
            "",
            "5",
            "s",
            "5 s",
            "-5s",
            "+5s",
            "1.s",
            ".5s",
            "1.5ms",
            "0.0005s",
            "1.5.5s",
            "9223372036854775.999s",
            "5S",
            "5sec",
            "5µs",
            "1m1h",
            "1s1s",
            "1h30",
            "٣s",
            "5s ",
            " 5s",
            "9223372036854775808ms",
            "9223372036854775807s",
            "106751991167d300d300h",
            "1e3s",
            "inf",
            "0x5s",
        ]
    )
    func noDuration(_ text: String) {
        #expect(throws: UsageError.self) { try read(text, as: .duration) }
    }

    @Test(
        "A size has decimal or binary units",
        arguments: [
            ("0", UInt64(0)),
            ("512", 512),
            ("512B", 512),
            ("64KiB", 65536),
            ("1MiB", 1 << 20),
            ("1GiB", 1 << 30),
            ("1TiB", 1 << 40),
            ("10kB", 10000),
            ("10KB", 10000),
            ("1MB", 1_000_000),
            ("1GB", 1_000_000_000),
            ("1TB", 1_000_000_000_000),
            ("18446744073709551615", .max),
        ]
    )
    func size(_ text: String, _ expected: UInt64) throws {
        #expect(try read(text, as: .byteCount) == ByteCount(expected))
    }

    @Test(
        "Other texts are no sizes",
        arguments: [
            "",
            "K",
            "64K",
            "64k",
            "64kib",
            "1.5MiB",
            "-1",
            "+1",
            "1 KiB",
            "18446744073709551616",
            "16777216TiB",
        ]
    )
    func noSize(_ text: String) {
        #expect(throws: UsageError.self) { try read(text, as: .byteCount) }
    }

    @Test("A port is 1 to 65535", arguments: [("1", UInt16(1)), ("80", 80), ("65535", 65535)])
    func port(_ text: String, _ expected: UInt16) throws {
        #expect(try read(text, as: .port) == expected)
    }

    @Test("Other texts are no ports", arguments: ["", "0", "65536", "-1", "+80", "80 ", "http", "0x50", "٣"])
    func noPort(_ text: String) {
        #expect(throws: UsageError.self) { try read(text, as: .port) }
    }

    @Test("A number must be within its bounds")
    func number() throws {
        #expect(try read("-3", as: .integer(in: -3...3)) == -3)
        #expect(try read("3", as: .integer(in: -3...3)) == 3)
        for text in ["-4", "4", "", "+1", "1.0", "1_0"] {
            #expect(throws: UsageError.self) { try read(text, as: .integer(in: -3...3)) }
        }
    }

    @Test("A path is any text but the empty one")
    func path() throws {
        #expect(try read("a b/ç", as: .file) == "a b/ç")
        #expect(throws: UsageError.self) { try read("", as: .file) }
        #expect(throws: UsageError.self) { try read("", as: .folder) }
    }

    @Test("An address without a default port needs one")
    func address() throws {
        #expect(try read("deck:1", as: .hostAndPort).port == 1)
        #expect(throws: UsageError.self) { try read("deck", as: .hostAndPort) }
        #expect(try read("deck", as: .hostAndPort(defaultPort: 7)).port == 7)
    }

    @Test(
        "A written duration reads the same",
        arguments: [
            (Duration.zero, "0s"),
            (.milliseconds(300), "300ms"),
            (.seconds(5), "5s"),
            (.seconds(120), "2m"),
            (.seconds(5400), "1h30m"),
            (.seconds(90061), "1d1h1m1s"),
            (.nanoseconds(5), "0s"),
            (.seconds(-1), "0s"),
        ]
    )
    func writtenDuration(_ value: Duration, _ text: String) throws {
        #expect(ValueForm.duration.write(value) == text)
        #expect(ValueForm.duration.write(try read(text, as: .duration)) == text)
    }

    @Test("A written value of each other form reads the same")
    func written() throws {
        #expect(ValueForm.byteCount.write(ByteCount(65536)) == "64KiB")
        #expect(ValueForm.port.write(80) == "80")
        #expect(ValueForm.serviceType.write(.huddle) == "_huddle._tcp")
        #expect(ValueForm.instanceName.write(try InstanceName("Deck")) == "Deck")
        #expect(ValueForm<HostAndPort>.hostAndPort.write(try HostAndPort("[::1]:7")) == "[::1]:7")
        #expect(ValueForm<Kit.Colour>.choice.write(.never) == "never")
        #expect(ValueForm.text.write("a") == "a")
        #expect(ValueForm.oneOf(["a"]).write("a") == "a")
        #expect(ValueForm.truth.write(true) == "yes")
        #expect(ValueForm.truth.write(false) == "no")
    }

    @Test("A form may have another placeholder and other completions")
    func adapted() {
        let form = ValueForm.text.named("PEER").offering(["deck"])
        #expect(form.placeholder == "PEER")
        #expect(form.completion == .words(["deck"]))
        #expect(form.choices == [])
        #expect(form.pattern == "any text")
    }

    @Test("A form of the program refuses a value with its pattern, whatever it throws")
    func ownForm() throws {
        struct Odd: Error, CustomStringConvertible { let description = "it is odd" }
        let even = ValueForm<Int>(placeholder: "EVEN", like: "2 or 4", write: { "\($0)" }) { text in
            guard let number = Int(text), number.isMultiple(of: 2) else { throw Odd() }
            return number
        }
        #expect(try read("4", as: even) == 4)
        let error = try #require(throws: UsageError.self) { try read("3", as: even) }
        #expect(error.message == "--it: “3” is not EVEN: it is odd")
        #expect(error.nextStep == "write it like 2 or 4")
    }
}
