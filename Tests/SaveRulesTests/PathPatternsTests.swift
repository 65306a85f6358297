import SaveRules
import Testing
import TestSupport

@Suite("Patterns of paths", .timeLimit(.minutes(5)))
struct PathPatternsTests {
    @Test(
        "patterns match the same paths as in Git",
        arguments: [
            ("*.log", ["a.log", "x/y.log", ".log"], ["a.logs", "log", "a.LOG"]),
            ("cache/", ["cache/x", "a/cache/x"], ["cache", "a/cache"]),
            ("/settings.ini", ["settings.ini"], ["a/settings.ini"]),
            ("a/b", ["a/b", "a/b/c"], ["x/a/b", "a/x/b"]),
            ("a/*", ["a/b", "a/b/c"], ["a", "b/a/c"]),
            ("**/logs", ["logs", "a/logs", "a/b/logs/x"], ["logsx", "a/logsx"]),
            ("a/**", ["a/b", "a/b/c"], ["a", "b/a/x"]),
            ("a/**/b", ["a/b", "a/x/b", "a/x/y/b", "a/x/b/z"], ["a/x", "b", "x/a/b"]),
            ("**", ["a", "a/b"], []),
            ("?at", ["cat", "éat", "x/bat"], ["at", "chat"]),
            ("[a-cx]1", ["a1", "c1", "x1"], ["d1", "a", "-1"]),
            ("[!a-c]1", ["d1", "-1"], ["a1", "b1"]),
            ("[]a]", ["]", "a"], ["b"]),
            ("[a-]", ["a", "-"], ["b"]),
            ("\\*x", ["*x"], ["ax"]),
            ("\\#x", ["#x"], ["x"]),
            ("\\!x", ["!x"], ["x"]),
            ("a\\ ", ["a "], ["a"]),
            ("a ", ["a"], ["a "]),
            ("*a*b*", ["ab", "xaxbx", "aab"], ["ba", "a", "b"]),
            ("save*.dat", ["save.dat", "save1.dat", "x/save12.dat"], ["sav.dat", "save1.dat.bak"]),
            (String(repeating: "x", count: 200), [String(repeating: "x", count: 200)], ["x"]),
            (
                String(repeating: "?", count: 127), [String(repeating: "é", count: 127)],
                [String(repeating: "a", count: 126)]
            ),
            ("[é-ü]*ß", ["éß", "öxß"], ["eß", "é"]),
            ("a/*", ["a/\u{301}b"], []),
            ("# a", [], ["a", "# a"]),
            ("", [], ["a"]),
        ] as [(String, [String], [String])]
    )
    func meaning(pattern: String, fitting: [String], other: [String]) throws {
        let patterns = try PathPatterns([pattern])
        for path in fitting { #expect(patterns.contains(Sample.path(path), isFolder: false), "\(path)") }
        for path in other { #expect(!patterns.contains(Sample.path(path), isFolder: false), "\(path)") }
    }

    @Test("the last matching pattern decides, and no path in a matched folder is taken back out")
    func lastDecides() throws {
        let patterns = try PathPatterns(["*.dat", "!keep.dat", "old/", "!old/keep.dat", "keep.dat/"])
        #expect(patterns.contains(Sample.path("a.dat"), isFolder: false))
        #expect(!patterns.contains(Sample.path("x/keep.dat"), isFolder: false))
        #expect(patterns.contains(Sample.path("x/keep.dat"), isFolder: true))
        #expect(patterns.contains(Sample.path("old/keep.dat"), isFolder: false))
        #expect(!patterns.containsItself(Sample.path("old/keep.dat"), isFolder: false))
        #expect(patterns.containsItself(Sample.path("old"), isFolder: true))
    }

    @Test(
        "invalid patterns are refused with the line and the reason",
        arguments: [
            ("a\\", PathPatterns.Defect.unfinishedEscape), ("[a", .unfinishedBracket), ("[]", .unfinishedBracket),
            ("[z-a]", .emptyRange), ("!", .nothing), ("/", .nothing), ("a//b", .nothing), ("a\u{7}", .controlCharacter),
            ("a\r", .controlCharacter), (String(repeating: "x", count: 1_025), .tooLong),
            (String(repeating: "x", count: 127) + "*y", .tooLong),
            (String(repeating: "x/", count: 128) + "y", .tooLong),
        ]
    )
    func refuses(line: String, defect: PathPatterns.Defect) throws {
        let error = try #require(throws: PatternError.self) { try PathPatterns(["fine", line]) }
        #expect(error.defect == defect && error.line == 2)
        #expect(error.message.contains("line 2") && !error.nextStep.isEmpty)
    }

    @Test("a set has at most 256 patterns")
    func many() throws {
        #expect(throws: Never.self) { try PathPatterns(Array(repeating: "a", count: 256)) }
        let error = try #require(throws: PatternError.self) { try PathPatterns(Array(repeating: "a", count: 257)) }
        #expect(error.defect == .tooMany)
    }

    @Test("patterns agree with the plainest way to match, for any text", arguments: 0..<300 as Range<UInt64>)
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func text(_ letters: [String], _ counts: ClosedRange<Int>) -> String {
            (0..<Int.random(in: counts, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "a" }
                .joined()
        }
        for _ in 0..<30 {
            let parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                Bool.random(using: &generator) ? "**" : text(["a", "b", "*", "?"], 1...4)
            }
            // A slash at the beginning ties the pattern to the root, so that the parser adds nothing to it.
            guard let patterns = try? PathPatterns(["/" + parts.joined(separator: "/")]) else { continue }
            let names = (0..<Int.random(in: 1...4, using: &generator)).map { _ in text(["a", "b"], 1...4) }
            let path = Sample.path(names.joined(separator: "/"))
            let expected = Self.fits(parts.map(Array.init)[...], names.map(Array.init)[...])
            #expect(patterns.containsItself(path, isFolder: false) == expected, "\(parts) \(names)")
        }
    }

    private static func fits(_ parts: ArraySlice<[Character]>, _ names: ArraySlice<[Character]>) -> Bool {
        guard let part = parts.first else { return names.isEmpty }
        if part == ["*", "*"] {
            if parts.count == 1 { return !names.isEmpty }
            return fits(parts.dropFirst(), names) || (!names.isEmpty && fits(parts, names.dropFirst()))
        }
        guard let name = names.first else { return false }
        return fitsName(part[...], name[...]) && fits(parts.dropFirst(), names.dropFirst())
    }

    private static func fitsName(_ part: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
        guard let token = part.first else { return name.isEmpty }
        if token == "*" {
            return fitsName(part.dropFirst(), name) || (!name.isEmpty && fitsName(part, name.dropFirst()))
        }
        guard let letter = name.first, token == "?" || token == letter else { return false }
        return fitsName(part.dropFirst(), name.dropFirst())
    }

    @Test("patterns that explode elsewhere take little time, as many and as long as they may be")
    func hostile() throws {
        let lines = ["*" + String(repeating: "a", count: 120) + "b", String(repeating: "a*", count: 100) + "b"]
        let deep = String(repeating: "**/*a/", count: 60) + "b"
        let patterns = try PathPatterns((0..<256).map { [lines[0], lines[1], deep][$0 % 3] })
        let path = try SavePath(Array(repeating: String(repeating: "a", count: 255), count: 15).joined(separator: "/"))
        let time = ContinuousClock().measure { #expect(!patterns.contains(path, isFolder: false)) }
        // If the tries multiplied, this would take longer than a lifetime.
        #expect(time < .seconds(30), "\(time)")
    }

    @Test("a pattern that the user gives alone must match something")
    func meant() throws {
        #expect(try PathPatterns(meant: ["*.log", "!a.log", "\\#a"]).lines == ["*.log", "!a.log", "\\#a"])
        for line in ["", "  ", "#a#"] {
            #expect(throws: PatternError.self) { try PathPatterns(meant: ["*.log", line]) }
        }
        #expect(try PathPatterns(["*.log", "", "# logs", "!a.log"]).meant.lines == ["*.log", "!a.log"])
    }

    @Test("Patterns decide which files are shared, which stay on the machine, and which are neither")
    func scope() throws {
        let scope = SetScope(ignored: try PathPatterns(["*.log"]), local: try PathPatterns(["screen.ini", "local/"]))
        #expect(scope.place(of: Sample.path("a.log"), isFolder: false) == .ignored)
        #expect(scope.place(of: Sample.path("local/a.log"), isFolder: false) == .ignored)
        #expect(scope.place(of: Sample.path("local/x"), isFolder: false) == .local)
        #expect(scope.place(of: Sample.path("save"), isFolder: false) == .shared)
        let manifest = Sample.manifest(
            Sample.folder("local"),
            Sample.file("local/x"),
            Sample.file("a"),
            Sample.file("b.log"),
            Sample.folder("screen.ini")
        )
        #expect(scope.shared(of: manifest) == Sample.manifest(Sample.file("a")))
    }
}
