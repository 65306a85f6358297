import Foundation
import SecureArchive
import SecureCoding
import Testing

@Suite("Decoding types from trees")
struct ArchiveDecoderTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let title: String
        let tree: ArchiveValue
        let type: any (Decodable & Sendable).Type
        let words: String

        init(_ title: String, _ tree: ArchiveValue, _ type: any (Decodable & Sendable).Type, _ words: String) {
            self.title = title
            self.tree = tree
            self.type = type
            self.words = words
        }

        var testDescription: String { title }
    }

    static let faults = [
        Fault("a number that is too large", .integer(300), Int8.self, "300 does not fit into Int8"),
        Fault("a number below zero", .integer(-1), UInt.self, "-1 does not fit into UInt"),
        Fault("a fraction for a whole number", real(3), Int.self, "Int was expected, and a number with a fraction"),
        Fault("a truth value for a number", .bool(true), Int.self, "Int was expected, and a truth value is there"),
        Fault("a number for a truth value", .integer(1), Bool.self, "Bool was expected, and a whole number is there"),
        Fault("text for a number", .string("1"), Double.self, "Double was expected, and text is there"),
        Fault("a number that Double rounds", .integer(ArchiveInteger(Int.max)), Double.self, "would round it"),
        Fault("a number beyond Float", real(1e300), Float.self, "1e+300 does not fit into Float"),
        Fault("a number that Float makes nothing", real(1e-300), Float.self, "1e-300 does not fit into Float"),
        Fault("nothing", .null, String.self, "String was expected, and null is there"),
        Fault("a number for a date", .integer(1), Date.self, "Date was expected, and a whole number is there"),
        Fault("text for data", .string("AAAA"), Data.self, "Data was expected, and text is there"),
        Fault("what is no decimal", .string("12abc"), Decimal.self, "“12abc” is no decimal number"),
        Fault("too many digits", .string(String(repeating: "9", count: 40)), Decimal.self, "is no decimal number"),
        Fault("too few values", .array([.integer(1)]), ClosedRange<Int>.self, "there are 1 values"),
        Fault("a missing key", .dictionary(["first": .integer(1)]), Split.self, "the key “second” is missing"),
        Fault(
            "a place in arrays",
            .dictionary(["first": .array([.null])]),
            [String: [Int]].self,
            "first[0]: Int was expected"
        ),
        Fault(
            "components that trap",
            .dictionary(["scheme": .string("1:")]),
            URLComponents.self,
            "can't be decoded safely"
        ),
        Fault(
            "indexes beyond all numbers",
            .dictionary([
                "indexes": .array([.dictionary(["location": .integer(ArchiveInteger(Int.max)), "length": .integer(1)])])
            ]),
            IndexSet.self,
            "a range of indexes ends before it begins or beyond all numbers"
        ),
        Fault("a reference", .reference(7), Int.self, "Int was expected, and a reference is there"),
        Fault("a type that decodes itself", .null, Echo.self, "deeper than"),
    ]

    private static func real(_ value: Double) -> ArchiveValue {
        ArchiveReal(value).map { .real($0) } ?? .null
    }

    @Test("a value that does not fit is an error with its place and reason", arguments: faults)
    func refuses(fault: Fault) throws {
        let error = #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(fault.type, from: fault.tree) }
        let words = try #require(error?.words)
        #expect(words.contains(fault.words), "\(words)")
    }

    @Test("keys that Swift takes as equal are refused, and none of them is dropped")
    func lookAlikes() throws {
        let tree: ArchiveValue = .dictionary(["\u{e9}": .integer(1), "e\u{301}": .integer(2)])
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode([String: Int].self, from: tree) }
        #expect(throws: DecodingError.self) { try ArchiveDecoder().decode([String: Int?].self, from: tree) }
    }

    @Test("numbers of another kind with the same value are accepted")
    func takesSameNumbers() throws {
        let decoder = ArchiveDecoder()
        #expect(try decoder.decode(Double.self, from: .integer(3)) == 3)
        #expect(try decoder.decode(Float.self, from: Self.real(0.1)) == 0.1)
        #expect(try decoder.decode(UInt64.self, from: .integer(ArchiveInteger(UInt64.max))) == .max)
        #expect(try decoder.decode(UInt128.self, from: .integer(7)) == 7)
        #expect(try decoder.decode(Decimal.self, from: .integer(ArchiveInteger(UInt64.max))) == Decimal(UInt64.max))
    }

    @Test("a value is decoded from the content below the name of a class")
    func seesThroughTags() throws {
        let tree: ArchiveValue = .tagged(
            "Pair",
            .dictionary(["first": .tagged("Odd", .integer(1)), "second": .integer(2)])
        )
        #expect(try ArchiveDecoder().decode(Split.self, from: tree) == Split(first: 1, second: 2))
    }

    @Test("keys that no list of the type names are refused on request, at any depth")
    func refusesUnknownKeys() throws {
        var strict = ArchiveDecoder()
        strict.unknownKeys = .refuse
        let sound: ArchiveValue = .dictionary(["first": .integer(1), "second": .integer(2)])
        #expect(try strict.decode(Split.self, from: sound) == Split(first: 1, second: 2))
        let odd: ArchiveValue = .dictionary(["first": .integer(1), "second": .integer(2), "thi\u{1B}rd": .null])
        #expect(try ArchiveDecoder().decode([Split].self, from: .array([odd])).count == 1)
        let error = #expect(throws: DecodingError.self) { try strict.decode([Split].self, from: .array([odd])) }
        #expect(error?.words == "[0]: the type does not name the key “thi\\u{1b}rd”")
        #expect(try strict.decode([String: Int].self, from: .dictionary(["any": .integer(1)])) == ["any": 1])
        let derived = Derived(base: 1, rows: [[1, 2], []], inner: ["x": true])
        let tree = try ArchiveEncoder().tree(of: derived)
        #expect(try strict.decode(Derived.self, from: tree).base == 1)
    }

    @Test("a key that only a failed attempt named stays unknown")
    func forgetsFailedAttempts() throws {
        struct Either: Decodable {
            init(from decoder: any Decoder) throws {
                let single = try decoder.singleValueContainer()
                if (try? single.decode(Split.self)) == nil { _ = try single.decode(Hero.self) }
            }
        }
        var strict = ArchiveDecoder()
        strict.unknownKeys = .refuse
        _ = try strict.decode(Either.self, from: .dictionary(["name": .string("Ada")]))
        #expect(throws: DecodingError.self) {
            try strict.decode(Either.self, from: .dictionary(["name": .string("Ada"), "first": .integer(1)]))
        }
    }

    @Test("dates are read in the chosen spelling, and natively always")
    func readsDates() throws {
        var decoder = ArchiveDecoder()
        let date = Date(timeIntervalSince1970: 86_400.25)
        let native = try #require(ArchiveDate(secondsSince1970: 86_400.25))
        for (spelling, tree) in [
            (DateSpelling.secondsSince1970, Self.real(86_400.25)), (.millisecondsSince1970, .integer(86_400_250)),
            (.iso8601, .string("1970-01-02T00:00:00.250Z")),
        ] {
            decoder.dates = spelling
            #expect(try decoder.decode(Date.self, from: tree) == date)
            #expect(try decoder.decode(Date.self, from: .date(native)) == date)
        }
        #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: .string("1970-01-02")) }
        decoder.dates = .secondsSince1970
        #expect(throws: DecodingError.self) { try decoder.decode(Date.self, from: Self.real(1e300)) }
        decoder.data = .base64
        #expect(try decoder.decode(Data.self, from: .string("AP8=")) == Data([0, 255]))
        #expect(throws: DecodingError.self) { try decoder.decode(Data.self, from: .string("AP8")) }
    }

    @Test("a tree deeper than the limit is refused, also on a thread with a small stack")
    func refusesDepth() async throws {
        var tree: ArchiveValue = .dictionary(["name": .string("last")])
        for _ in 0..<5_000 { tree = .dictionary(["name": .string("x"), "mount": tree]) }
        var deepest = ArchiveDecoder()
        deepest.depth = .max
        for decoder in [ArchiveDecoder(), deepest] {
            let words = await onSmallStack { [tree] in
                do {
                    _ = try decoder.decode(Hero.self, from: tree)
                    return ""
                } catch { return "\((error as? DecodingError)?.words ?? "")" }
            }
            #expect(words.contains("deeper than"))
        }
    }
}

extension DecodingError {
    /// The message of this module, beneath Swift's.
    var words: String? {
        switch self {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            context.underlyingError is ArchiveError ? context.debugDescription : nil
        @unknown default: nil
        }
    }
}

/// The result of a body on a thread with half a megabyte of stack. A debug build gets four times as much (seen with
/// Swift 6.3.1), and a sanitizer, which guards each value, even more.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let thread = Thread { continuation.resume(returning: body()) }
        let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
        #if DEBUG
            thread.stackSize = isSanitized ? 8 << 20 : 1 << 20
        #else
            thread.stackSize = isSanitized ? 8 << 20 : 512 << 10
        #endif
        thread.start()
    }
}
