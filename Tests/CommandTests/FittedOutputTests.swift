import CommandTable
import Household
import Testing
import Workbench

@Suite("Output that fits a terminal", .timeLimit(.minutes(5)))
struct FittedOutputTests {
    private static let old = #"{"grid": "1, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 1, 0", "note": "a"}"#

    /// The output of `huddle` in a pipe, as wide as `COLUMNS` says; nil leaves it out.
    private func output(_ words: [String], columns: Int?, in folder: borrowing TemporaryFolder) throws -> String {
        var environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
        environment["COLUMNS"] = columns.map(String.init)
        let program = "\(Programs.builtFolder)/huddle"
        return try ProgramRun([program] + words, in: folder.path, environment: environment).output
    }

    @Test(
        "A change of a long text is wrapped at words, and is the same text as without a width",
        arguments: [60, 80, 140]
    )
    func change(columns: Int) throws {
        let folder = try TemporaryFolder()
        let grid = "1, 2, 2, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 1, 1"
        let commands = [
            ["state", "set", "old.json", "grid", grid, "--output", "new.json"],
            ["state", "diff", "old.json", "new.json"],
            ["state", "merge", "old.json", "other.json", "--base", "new.json"],
            ["state", "summary", "old.json"],
            ["config", "check"],
        ]
        try folder.write(Self.old, to: "old.json")
        try folder.write(Self.old.replacing("1", with: "3"), to: "other.json")
        for words in commands {
            let whole = try output(words, columns: 1000, in: folder)
            let fitted = try output(words, columns: columns, in: folder)
            #expect(!whole.isEmpty, "\(words)")
            #expect(fitted.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(fitted)")
            #expect(fitted.split(whereSeparator: \.isWhitespace) == whole.split(whereSeparator: \.isWhitespace))
        }
    }

    @Test("A program that sets no width gets each sentence on one line")
    func unchanged() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.old, to: "old.json")
        let words = ["state", "set", "old.json", "grid", String(repeating: "1, ", count: 40)]
        let line = try output(words, columns: nil, in: folder)
        #expect(line.count > 140 && line.split(separator: "\n").count == 1, "\(line)")
    }

    @Test("A line of the inbox and the answer of a restore are wrapped at words", arguments: [60, 80, 140])
    func sentences(columns: Int) {
        let path = Places(["HOME": "/home/alice"]).short("/home/alice/Downloads/From the living room/film.mkv")
        let sentences = [
            "* 2026-11-28 10:57  Desk            \(path) (400 MiB)",
            "a-game-with-a-long-name has the files of @1 again, as version c4058106a0; `huddle undo` reverts it",
        ]
        for sentence in sentences {
            let text = TextLayout.folded(sentence, width: columns)
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns }, "\(text)")
            #expect(text.split(whereSeparator: \.isWhitespace) == sentence.split(whereSeparator: \.isWhitespace))
        }
    }

    @Test("A path below the home begins with a tilde, and any other path is whole")
    func paths() {
        let places = Places(["HOME": "/home/alice"])
        #expect(places.short("/home/alice/Downloads") == "~/Downloads")
        #expect(places.short("/home/bob/Downloads") == "/home/bob/Downloads")
        #expect(places.short("/media/card") == "/media/card")
        #expect(Places([:]).short("/media/card") == "/media/card")
    }
}
