import SecureArchive
import Testing

@Suite("Writing JSON")
struct JSONWritingTests {
    private let value: ArchiveValue = .dictionary([
        "z": .array([.integer(1), .real(1), .bool(true), .null, .array([]), .dictionary([:])]),
        "a": .string("é\"\\\u{8}\u{c}\n\r\t\u{1}\u{1f}/\u{7f}"),
    ])

    @Test("a tree is written in one form, keys in their order")
    func writesCompact() throws {
        let text = #"{"z":[1,1.0,true,null,[],{}],"a":"é\"\\\b\f\n\r\t\u0001\u001f/"# + "\u{7f}\"}"
        #expect(try JSON.write(value, as: .compact) == Array(text.utf8))
    }

    @Test("the form for users has a line for each value")
    func writesPretty() throws {
        let text = """
            {
              "z": [
                1,
                1.0,
                true,
                null,
                [],
                {}
              ],
              "a": "é\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f/\u{7f}"
            }

            """
        #expect(try JSON.write(value) == Array(text.utf8))
    }

    @Test("a real is always recognized as one, with the fewest digits that give it back")
    func writesReals() throws {
        for (number, text) in [
            (1.0, "1.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e22, "1e+22"), (1e-7, "1e-07"),
            (Double.leastNonzeroMagnitude, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
        ] {
            #expect(try JSON.write(.real(number), as: .compact) == Array(text.utf8))
            #expect(try JSON.read(Array(text.utf8)) == .real(number))
        }
    }

    @Test(
        "a value that JSON has no word for is refused with its place",
        arguments: [
            (.data([1]), "data"), (.reference(3), "a reference to an object of a keyed archive"),
            (.tagged("NSUUID", .string("x")), "an object of NSUUID"),
        ] as [(ArchiveValue, String)]
    )
    func refuses(value: ArchiveValue, words: String) {
        let whole = ArchiveValue.dictionary(["people": .array([.null, .dictionary(["odd key": value])])])
        let error = #expect(throws: ArchiveError.self) { try JSON.write(whole) }
        #expect(error?.kind == .inexpressible)
        #expect(error?.message == #"people[1]["odd key"]: JSON can't say \#(words)"#)
    }

    @Test("a tree that is too deep for readers is not written")
    func refusesDepth() {
        let deep = (0..<300).reduce(ArchiveValue.null) { value, _ in .array([value]) }
        let error = #expect(throws: ArchiveError.self) { try JSON.write(deep) }
        #expect(error?.kind == .inexpressible)
    }
}
