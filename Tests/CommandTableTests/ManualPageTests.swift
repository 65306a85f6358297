@testable import CommandTable
import Testing
import Workbench

@Suite("Manual pages", .timeLimit(.minutes(5)))
struct ManualPageTests {
    private static let pageNames = Kit.table.manualPages().map(\.fileName)

    @Test("The program and each command have a page")
    func names() {
        #expect(
            Kit.table.manualPages().map(\.fileName) == [
                "kit.1",
                "kit-send.1",
                "kit-play.1",
                "kit-policy.1",
                "kit-policy-set.1",
                "kit-policy-show.1",
                "kit-pair.1",
                "kit-help.1",
                "kit-completions.1",
                "kit-manual.1",
            ]
        )
    }

    @Test(
        "A page has the day of the release, if it is given",
        arguments: [
            (0, "1970-01-01"), (951_782_399, "2000-02-28"), (951_782_400, "2000-02-29"), (1_709_251_199, "2024-02-29"),
            (1_709_251_200, "2024-03-01"), (1_795_651_200, "2026-11-26"), (4_107_542_399, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
        ]
    )
    func day(seconds: Int, day: String) throws {
        let environment = ["SOURCE_DATE_EPOCH": "\(seconds)"]
        for words in [["manual"], ["manual", "send"]] {
            guard case .show(let text) = try Kit.table.read(words, environment: environment) else {
                Issue.record("no page")
                continue
            }
            #expect(
                text.split(separator: "\n")[0].contains(" 1 \(day) "),
                "\(text.prefix(80))"
            )
        }
    }

    @Test("A page has the usual sections in their order")
    func sections() throws {
        let page = try Kit.outcome("manual send")
        let titles = page.split(separator: "\n").filter { $0.hasPrefix(".SH") }.map {
            $0.dropFirst(4).filter { $0 != "\"" }
        }
        #expect(
            titles == [
                "NAME",
                "SYNOPSIS",
                "DESCRIPTION",
                "ARGUMENTS",
                "OPTIONS",
                "OPTIONS OF EVERY COMMAND",
                "ENVIRONMENT",
                "EXAMPLES",
                "SEE ALSO",
            ]
        )
        #expect(try Kit.outcome("manual").contains(".SH \"EXIT STATUS\"\n"))
    }

    @Test("A page begins with the line that apropos reads")
    func nameLine() throws {
        #expect(
            try Kit.outcome("manual send").hasPrefix(
                """
                .TH KIT\\-SEND 1 "" "kit 1.2.3" "kit manual"
                .nh
                .ad l
                .SH NAME
                kit\\-send \\- send files to a peer
                .SH SYNOPSIS
                \\fBkit send\\fR [OPTION]... FILE... PEER
                .SH DESCRIPTION
                Send files to a peer.
                .SH ARGUMENTS
                .TP
                \\fIFILE\\fR
                What to send.

                """
            )
        )
    }

    @Test("A page refers to its parent and its subcommands")
    func seeAlso() throws {
        func lastLine(_ page: String) throws -> Substring? {
            try Kit.outcome("manual \(page)").split(separator: "\n").last
        }
        #expect(try lastLine("policy") == #"\fBkit\fR(1), \fBkit\-policy\-set\fR(1), \fBkit\-policy\-show\fR(1)"#)
        #expect(try lastLine("policy-set") == #"\fBkit\-policy\fR(1)"#)
    }

    @Test(
        "Characters that have a meaning in roff are escaped",
        arguments: [
            ("a-b", #"a\-b"#),
            (#"\n"#, #"\(rsn"#),
            ("'", #"\(aq"#),
            ("\"", #"\(dq"#),
            ("`", #"\(ga"#),
            ("^~", #"\(ha\(ti"#),
            ("“é”", #"\[u201C]\[u00E9]\[u201D]"#),
            ("🎮", #"\[u1F3AE]"#),
            ("plain", "plain"),
        ]
    )
    func escapes(_ text: String, _ expected: String) {
        #expect(Roff.escaped(text) == expected)
    }

    @Test("A dot of the text never begins a line")
    func leadingDot() {
        var roff = Roff()
        roff.flowing(".hidden")
        roff.flowing("'quoted")
        roff.unfilled(["    ./run", "      ./more"])
        #expect(roff.text == "\\&.hidden\n\\(aqquoted\n.PP\n.RS 4\n.nf\n\\&./run\n  ./more\n.fi\n.RE\n")
    }

    @Test("Filled paragraphs and unfilled lines stay separate")
    func discussion() {
        var roff = Roff()
        roff.heading("X")
        roff.discussion("one\n\n    a\n    b\n\ntwo")
        #expect(roff.text == ".SH X\none\n.PP\n.RS 4\n.nf\na\nb\n.fi\n.RE\n.PP\ntwo\n")
    }

    @Test("groff reads each page without a warning", .needs(.program("groff")), arguments: pageNames)
    func passesGroff(_ name: String) throws {
        let page = try #require(Kit.table.manualPages().first { $0.fileName == name })
        let folder = try TemporaryFolder()
        let file = try folder.write(page.text, to: page.fileName)
        let run = try ProgramRun(["groff", "-man", "-ww", "-Tutf8", file])
        #expect(run.ending == .exit(0))
        #expect(run.complaint == "")
        #expect(run.output.contains("Show this help."))
    }

    @Test("man reads each page without a warning", .needs(.program("man")), arguments: pageNames)
    func passesMan(_ name: String) throws {
        let page = try #require(Kit.table.manualPages().first { $0.fileName == name })
        let folder = try TemporaryFolder()
        let file = try folder.write(page.text, to: page.fileName)
        let variables = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "80"]
        let run = try ProgramRun(["man", "--warnings", "-l", file], environment: variables)
        #expect(run.ending == .exit(0))
        #expect(run.complaint == "")
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
