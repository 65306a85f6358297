import Foundation
import SecureArchive
import SecureCoding
import Testing

@Suite("Encoding types to trees")
struct ArchiveEncoderTests {
    @Test("every value of Swift's own coding comes back, natively and in JSON's spellings")
    func comesBack() throws {
        var plain = (ArchiveEncoder(), ArchiveDecoder())
        let tree = try plain.0.tree(of: Save.sample)
        #expect(try plain.0.tree(of: plain.1.decode(Save.self, from: tree)) == tree)
        plain.0.dates = .iso8601
        plain.0.data = .base64
        plain.1.dates = .iso8601
        plain.1.data = .base64
        let sample = Save.sample
        #expect(try plain.1.decode(Save.self, from: plain.0.tree(of: sample)) == sample)
    }

    @Test("kinds stay kinds, and keys keep the order of the type")
    func keepsKinds() throws {
        guard case .dictionary(let fields) = try ArchiveEncoder().tree(of: Save.sample) else {
            Issue.record("no dictionary")
            return
        }
        #expect(Array(fields.keys.prefix(5)) == ["title", "level", "speed", "zoom", "isOver"])
        #expect(fields["level"] == .integer(-3))
        #expect(fields["isOver"] == .bool(true))
        #expect(fields["when"] == ArchiveDate(secondsSince2001: 700_000_000.5).map { .date($0) })
        #expect(fields["picture"] == .data([0, 255, 7]))
        #expect(fields["note"] == nil)
        #expect(fields["gold"] == .string("-12345678901234567890.0123"))
        #expect(
            fields["weapon"] == .dictionary(["bow": .dictionary(["arrows": .integer(12), "isLong": .bool(false)])])
        )
    }

    @Test("containers in containers, and those of a superclass, come to their places")
    func nests() throws {
        let tree = try ArchiveEncoder().tree(of: Derived(base: 7, rows: [[1], []], inner: ["x": true]))
        #expect(
            tree
                == .dictionary([
                    "rows": .array([.array([.integer(1), .null]), .array([.null])]),
                    "box": .dictionary(["inner": .dictionary(["x": .bool(true)])]),
                    "super": .dictionary(["base": .integer(7)]),
                ])
        )
        let back = try ArchiveDecoder().decode(Derived.self, from: tree)
        #expect(back.base == 7 && back.rows == [[1], []] && back.inner == ["x": true])
    }

    @Test("dates are written in the chosen spelling")
    func writesDates() throws {
        var encoder = ArchiveEncoder()
        let date = Date(timeIntervalSince1970: 86_400.25)
        let expected: [(DateSpelling, ArchiveValue?)] = [
            (.secondsSince1970, ArchiveReal(86_400.25).map { .real($0) }),
            (.millisecondsSince1970, ArchiveReal(86_400_250).map { .real($0) }),
            (.iso8601, .string("1970-01-02T00:00:00.250Z")),
        ]
        for (spelling, tree) in expected {
            encoder.dates = spelling
            #expect(try encoder.tree(of: date) == tree)
        }
        #expect(try encoder.tree(of: Date(timeIntervalSince1970: 0)) == .string("1970-01-01T00:00:00Z"))
    }

    static let faults: [(any Encodable & Sendable, String)] = [
        (Int128.max, "takes more than 64 bits"),
        (Date.distantFuture.addingTimeInterval(1e15), "outside of the years 1 to 9999"),
        (Echo(), "deeper than 64"),
        (Burrow(), "deeper than 64"),
        (Undecided(), "in two forms"),
        ([Silent()], "[0]: Silent encodes nothing"),
        (Decimal.nan, "is no plain number"),
    ]

    @Test("a value that a tree can't contain is an error with its place and reason", arguments: faults.indices)
    func refuses(index: Int) throws {
        let (value, words) = Self.faults[index]
        let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().tree(of: value) }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.underlyingError is ArchiveError)
        #expect(context.debugDescription.contains(words), "\(context.debugDescription)")
    }

    @Test("infinity and NaN pass through lists and keyed archives, and not into JSON")
    func infinity() throws {
        let numbers = ["best": [Double.infinity, -.infinity, .nan]]
        for format in [ArchiveFormat.binaryPropertyList, .xmlPropertyList, .keyedArchive(.binary)] {
            let bytes = try Archive.write(ArchiveEncoder().tree(of: numbers), as: format)
            let read = try ArchiveDecoder().decode(
                [String: [Double]].self,
                from: Archive.read(bytes).value
            )
            #expect(read["best"]?.map(\.description) == ["inf", "-inf", "nan"])
        }
        let tree = try ArchiveEncoder().tree(of: numbers)
        #expect(throws: ArchiveError.self) { try JSON.write(tree) }
    }
}
