import SecureArchive
import Testing

@Suite("Reading JSON")
struct JSONReadingTests {
    @Test(
        "values are read as their kinds",
        arguments: [
            ("null", .null), ("true", .bool(true)), (" false\n", .bool(false)), ("1", .integer(1)), ("1.0", .real(1)),
            ("-0", .integer(0)), ("-0.0", .real(-0.0)), ("1e2", .real(100)), ("1E+2", .real(100)),
            ("25e-1", .real(2.5)),
            ("-9223372036854775808", .integer(ArchiveInteger(Int.min))),
            ("18446744073709551615", .integer(ArchiveInteger(UInt64.max))),
            ("5e-324", .real(.leastNonzeroMagnitude)), ("0e-999999999999", .real(0)),
            ("1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
            (#""""#, .string("")), (#""$null""#, .string("$null")),
            (#""a\"\\\/\b\f\n\r\t\u0041""#, .string("a\"\\/\u{8}\u{c}\n\r\tA")),
            (#""\u00e9\ud83d\ude00é😀""#, .string("é😀é😀")), (#""\u0000""#, .string("\0")),
            ("\"\u{7f}\"", .string("\u{7f}")),
            ("[]", .array([])), ("{}", .dictionary([:])), ("[ ]", .array([])), ("{ \t\r\n}", .dictionary([:])),
            ("[1,[],{}]", .array([.integer(1), .array([]), .dictionary([:])])),
            (#"{"b":1,"a":[true]}"#, .dictionary(["b": .integer(1), "a": .array([.bool(true)])])),
            ("\u{FEFF}[1]", .array([.integer(1)])),
        ] as [(String, ArchiveValue)]
    )
    func reads(text: String, value: ArchiveValue) throws {
        #expect(try JSON.read(Array(text.utf8)) == value)
    }

    @Test("keys keep their order")
    func keepsOrder() throws {
        let text = #"{"z":1,"a":2,"m":{"y":1,"b":2}}"#
        guard case .dictionary(let fields) = try JSON.read(Array(text.utf8)) else { return #expect(Bool(false)) }
        #expect(fields.keys == ["z", "a", "m"])
    }

    @Test(
        "a text that is not JSON is refused with the place",
        arguments: [
            ("", "it is empty (byte 0)"), (" ", "the text ends where a value is expected (byte 1)"),
            ("tru", "“true” is incomplete (byte 3)"), ("nul", "“null” is incomplete (byte 3)"),
            ("True", "no value begins like this (byte 0)"), ("NaN", "JSON has no NaN and no Infinity (byte 0)"),
            ("[1,]", "[1]: no value begins like this (byte 3)"),
            (#"{"a":1,}"#, "a key in quotes is expected here (byte 7)"),
            ("[1 2]", "[1]: “,” or “]” is expected here (byte 3)"),
            (#"{"a" 1}"#, "a: “:” is expected after a key (byte 5)"),
            ("[1}", "[1]: “,” or “]” is expected here (byte 2)"),
            ("[", "[0]: the text ends where a value is expected (byte 1)"),
            ("[1", "[1]: the text ends inside of an array (byte 2)"),
            (#"{"a":1"#, "the text ends inside of an object (byte 6)"),
            ("1 2", "something follows the end of the value (byte 2)"),
            ("{}}", "something follows the end of the value (byte 2)"),
            ("[1]/x", "something follows the end of the value (byte 3)"),
            ("'a'", "no value begins like this (byte 0)"),
            ("01", "a number does not begin with 0 unless it is 0 (byte 0)"),
            ("-", "a digit is expected here (byte 1)"),
            ("1.", "a digit is expected here (byte 2)"), (".5", "no value begins like this (byte 0)"),
            ("+1", "no value begins like this (byte 0)"),
            ("1e", "a digit is expected here (byte 2)"),
            ("0x10", "something follows the end of the value (byte 1)"),
            (#""a"#, "the text ends inside of quotes (byte 2)"), (#""\"#, "the text ends inside of an escape (byte 2)"),
            (#""\x""#, "there is no such escape (byte 2)"),
            (#""\u12g4""#, "four hexadecimal digits are expected behind “\\u” (byte 5)"),
            (#""\ud800""#, "half of a surrogate pair is alone (byte 7)"),
            (#""\ud800\ud800""#, "half of a surrogate pair is alone (byte 13)"),
            (#""\udc00""#, "half of a surrogate pair is alone (byte 7)"),
            (#""\ud800\n""#, "half of a surrogate pair is alone (byte 7)"),
            ("\"\u{1}\"", "a control character must be escaped in a text (byte 1)"),
            ("\"\n\"", "a control character must be escaped in a text (byte 1)"),
            (#"{"a":{"b":[1],"b":2}}"#, "a.b: a key occurs twice (byte 17)"),
            (#"{1:2}"#, "a key in quotes is expected here (byte 1)"),
            ("18446744073709551616", "an integer beyond 64 bits can't be kept exactly (byte 0)"),
            ("-9223372036854775809", "an integer beyond 64 bits can't be kept exactly (byte 0)"),
            ("1e309", "this number is larger than any that can be kept (byte 0)"),
            ("1e-400", "this number is so small that only 0 would be left of it (byte 0)"),
            (#"[{"the first":[nul]}]"#, #"[0]["the first"][0]: “null” is incomplete (byte 18)"#),
            ("\u{FEFF}\u{FEFF}1", "no value begins like this (byte 3)"),
        ]
    )
    func refuses(text: String, message: String) {
        let error = #expect(throws: ArchiveError.self) { try JSON.read(Array(text.utf8)) }
        #expect(error?.kind == .damaged)
        #expect(error?.message == message)
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [
            ([0x22, 0xFF, 0x22], "this text is not UTF-8 (byte 1)"),
            ([0x22, 0xC0, 0x80, 0x22], "this text is not UTF-8 (byte 1)"),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], "this text is not UTF-8 (byte 1)"),
            ([0x22, 0x5C, 0x6E, 0xE9, 0x22], "this text is not UTF-8 (byte 1)"),
            ([0x22, 0xE2, 0x82, 0x22], "this text is not UTF-8 (byte 1)"),
            ([0xFF, 0xFE, 0x31, 0], "it is in UTF-16; JSON is read in UTF-8 only (byte 0)"),
            ([0, 0x31], "it is in UTF-16; JSON is read in UTF-8 only (byte 0)"),
            ([0x31, 0, 0, 0], "it is in UTF-32; JSON is read in UTF-8 only (byte 0)"),
            ([0, 0, 0xFE, 0xFF], "it is in UTF-32; JSON is read in UTF-8 only (byte 0)"),
            ([0, 0, 0, 0], "it is all zeros (byte 0)"),
        ] as [([UInt8], String)]
    )
    func refusesOtherEncodings(bytes: [UInt8], message: String) {
        let error = #expect(throws: ArchiveError.self) { try JSON.read(bytes) }
        #expect(error?.message == message)
    }

    @Test("a number of many digits is read as the nearest real, and quickly")
    func readsLongNumbers() throws {
        let digits = String(repeating: "3", count: 1_000_000)
        #expect(try JSON.read(Array("0.\(digits)".utf8)) == .real(1.0 / 3))
        #expect(throws: ArchiveError.self) { try JSON.read(Array(digits.utf8)) }
        #expect(throws: ArchiveError.self) { try JSON.read(Array("\(digits).0".utf8)) }
    }

    @Test(
        "a value beyond a limit is refused as too large",
        arguments: [
            ("[[1]]", "[0]: it is nested more than 1 deep"),
            ("[1,2,3]", "[2]: there are more than 3 values"),
            (#"{"a":1,"b":2}"#, "there are more than 3 values"), ("\"12345\"", "a text has 5 bytes, 4 are allowed"),
            (#"{"12345":1}"#, "a text has 5 bytes, 4 are allowed"),
            (#"["1234","1234"]"#, "[1]: it would be larger than 30 bytes if it were written out"),
            ("                              1", "the archive has 31 bytes, 30 are allowed"),
        ]
    )
    func holdsLimits(text: String, message: String) {
        var limits = ArchiveLimits()
        (limits.depth, limits.values, limits.stringBytes, limits.expandedBytes, limits.bytes) = (1, 3, 4, 30, 30)
        let error = #expect(throws: ArchiveError.self) { try JSON.read(Array(text.utf8), limits: limits) }
        #expect(error?.kind == .tooLarge)
        #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
    }

    @Test("values may be 64 deep within each other, and no deeper")
    func holdsDepth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array(String(repeating: "[", count: depth).utf8) + Array(String(repeating: "]", count: depth).utf8)
        }
        #expect(throws: Never.self) { try JSON.read(nested(64)) }
        #expect(throws: ArchiveError.self) { try JSON.read(nested(65)) }
    }
}

extension ArchiveValue {
    /// A real for a test.
    static func real(_ number: Double) -> Self {
        ArchiveReal(number).map(Self.real) ?? .null
    }
}
