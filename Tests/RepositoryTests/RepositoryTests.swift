import Testing
import Workbench

/// The rules of the repository, applied to all of it. That each rule can fail is shown by the tests of the rules.
@Suite("The repository", .timeLimit(.minutes(10)))
struct RepositoryTests {
    private func expectNone(_ findings: [Finding], _ location: SourceLocation = #_sourceLocation) {
        let list = findings.map(\.description).joined(separator: "\n")
        #expect(findings.isEmpty, "\(list)", sourceLocation: location)
    }

    @Test("the repository has a row for each module and a module for each row")
    func rows() {
        let folders = Repository.folders(below: "Sources").filter { !Repository.files(below: "Sources/\($0)").isEmpty }
        let listed = ModuleTable.rows.map(\.name)
        for folder in folders where !listed.contains(folder) {
            Issue.record("Sources/\(folder) has no row in ModuleTable")
        }
        for row in ModuleTable.rows {
            #expect(
                !Repository.files(below: row.folder).isEmpty,
                "\(row.name) has a row and no files in \(row.folder)"
            )
        }
    }

    @Test("a module imports only modules that its table lists")
    func imports() throws {
        for row in ModuleTable.rows + ModuleTable.testTools {
            expectNone(try SwiftSource.all(below: row.folder).flatMap { ImportRule.findings(in: $0, row: row) })
        }
    }

    @Test("the table keeps its own rules")
    func table() {
        #expect(ImportRule.faults(of: ModuleTable.rows) == [])
        let names = (ModuleTable.rows + ModuleTable.testTools).map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test("the package is declared to SwiftPM as the table has it")
    func package() throws {
        #expect(PackageRule.findings(try PackageRule.targets(), ModuleTable.rows + ModuleTable.testTools) == [])
    }

    @Test("files and functions are short")
    func sizes() throws {
        expectNone(try SwiftSource.all(below: "Sources", "Tests").flatMap(SizeRule.findings))
    }

    @Test("names say something")
    func names() throws {
        expectNone(try SwiftSource.all(below: "Sources", "Tests").flatMap(NameRule.findings))
    }

    @Test("incautious code has its reason")
    func cautions() throws {
        expectNone(try SwiftSource.all(below: "Sources", "Tests").flatMap(CautionRule.findings))
    }

    @Test("no stream has a buffer without a bound")
    func streams() throws {
        expectNone(try SwiftSource.all(below: "Sources", "Tests").flatMap(StreamRule.findings))
    }

    @Test("no code hands bytes to Foundation's own decoders")
    func decoders() throws {
        expectNone(try SwiftSource.all(below: "Sources").flatMap(DecoderRule.findings))
    }

    @Test("no test sleeps")
    func sleeps() throws {
        expectNone(try SwiftSource.all(below: "Tests").flatMap(SleepRule.findings))
    }

    @Test("names of tests and suites are sentences and noun phrases in plain English")
    func testNames() throws {
        let paths = Repository.files(below: "Tests", withSuffix: ".swift")
        expectNone(try paths.flatMap { TestNameRule.findings(in: try Repository.text(of: $0), at: $0) })
    }

    @Test("each module has a page")
    func modulePages() {
        for row in ModuleTable.rows where row.layer > 0 && row.layer < 6 {
            let page = "\(row.folder)/\(row.name).docc/\(row.name).md"
            #expect(Repository.has(page), "\(page) is missing: purpose, entry point, what it does not do")
        }
    }

    @Test("the linter that all files pass through requires documentation of public declarations")
    func lint() throws {
        let rules = try Repository.text(of: ".swift-format")
        #expect(rules.contains(#""AllPublicDeclarationsHaveDocumentation": true"#))
        let makefile = try Repository.text(of: "Makefile")
        #expect(makefile.contains("\n\t$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)\n"))
        #expect(makefile.contains("\n\t.ci/check-types\n"))
        #expect(makefile.contains("\nSOURCES := Sources Tests Package.swift\n"))
        #expect(try Repository.text(of: ".ci/run").contains("make lint"))
    }

    @Test("no link leads nowhere")
    func links() throws {
        expectNone(
            try Repository.files(withSuffix: ".md").flatMap { path in
                DocumentRule.brokenLinks(in: try Repository.text(of: path), at: path, exists: Repository.has)
            }
        )
    }

    @Test("pages have short lines and short paragraphs")
    func pages() throws {
        let pages = ["README.md"] + Repository.files(below: "docs", withSuffix: ".md")
        expectNone(
            try pages.flatMap { path in DocumentRule.longTexts(in: try Repository.text(of: path), at: path) }
        )
    }

    @Test("each decision has its question, its choice and its cost")
    func decisions() throws {
        let paths = Repository.files(below: "docs/internals/decisions", withSuffix: ".md")
        #expect(!paths.isEmpty)
        expectNone(try paths.flatMap { DocumentRule.missingSections(in: try Repository.text(of: $0), at: $0) })
    }

    @Test("the program, its changelog and Debian's name one version and one day")
    func release() throws {
        let faults = ReleaseRule.faults(
            program: try Repository.text(of: "Sources/Household/Release.swift"),
            changelog: try Repository.text(of: "CHANGELOG.md"),
            debian: try Repository.text(of: "debian/changelog")
        )
        #expect(faults == [])
    }

    @Test("no file names a machine of its authors")
    func machinePaths() throws {
        expectNone(
            try Repository.files().flatMap { path in
                DocumentRule.machinePaths(in: try Repository.text(of: path), at: path)
            }
        )
    }
}
