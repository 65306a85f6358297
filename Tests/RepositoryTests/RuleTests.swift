import Testing

/// Every rule finds what it forbids and lets pass what only looks like it.
@Suite("A rule of the repository", .timeLimit(.minutes(5)))
struct RuleTests {
    private func source(_ text: String, named name: String = "Thing") -> SwiftSource {
        SwiftSource(path: "Sources/X/\(name).swift", text: text)
    }

    private static let row = ModuleRow("Upper", layer: 4, imports: ["Lower", "Glibc"])

    @Test(
        "the rule finds imports in all their forms",
        arguments: [
            "import Foundation", "public import Foundation", "@testable import Foundation",
            "import struct Foundation.URL",
            "@preconcurrency import Foundation", "package import func Foundation.NSLog", "import Foundation.NSURL",
            "@_exported public import Foundation", "#if os(Linux)\nimport Foundation\n#endif",
            "import Glibc; import Foundation",
        ]
    )
    func findsImports(_ text: String) {
        let findings = ImportRule.findings(in: source(text), row: Self.row)
        #expect(findings.count == 1)
        #expect(findings.first?.text.contains("Upper imports Foundation: Foundation adds 61 MB") == true)
    }

    @Test(
        "the rule ignores allowed imports and words that only look like one",
        arguments: [
            "import Lower", "public import Glibc", "// import Foundation", "let x = \"import Foundation\"",
            "/* import Foundation */",
            "\"\"\"\nimport Foundation\n\"\"\"", "let importFoundation = 1",
        ]
    )
    func passesImports(_ text: String) {
        #expect(ImportRule.findings(in: source(text), row: Self.row) == [])
    }

    @Test("the rule gives the reason of the row before that of the module")
    func rowReason() {
        let row = ModuleRow("Vocabulary", layer: 1, imports: [])
        let texts = ImportRule.findings(in: source("import Glibc\nimport Unknown"), row: row).map(\.text)
        #expect(texts.allSatisfy { $0.contains("must import nothing: everything else imports it") })
        let unknown = ImportRule.findings(in: source("import Unknown"), row: Self.row)
        #expect(unknown.first?.text.contains("imports go down only") == true)
    }

    @Test("the rule finds a table that looks up, sideways in layer 3, or at two C libraries")
    func tableFaults() {
        let library = ModuleRow("CA", layer: 0, imports: [])
        let second = ModuleRow("CB", layer: 0, imports: [])
        let low = ModuleRow("Low", layer: 1, imports: ["Edge"])
        let edge = ModuleRow("Edge", layer: 3, imports: ["CA", "CB"])
        let other = ModuleRow("Other", layer: 3, imports: ["Edge", "CA"])
        let high = ModuleRow("High", layer: 4, imports: ["CA"])
        #expect(
            ImportRule.faults(of: [library, second, low, edge, other, high]) == [
                "Low in layer 1 imports upwards Edge in layer 3", "Edge sees CA and CB: one C library a module",
                "Other and Edge are both in layer 3: neither may see the other",
                "High sees CA: only layer 3, Database, Digests and LinuxPlatform see C libraries",
            ]
        )
        #expect(ImportRule.faults(of: [library, ModuleRow("LinuxPlatform", layer: 1, imports: ["CA"])]) == [])
    }

    @Test("the rule finds a package that differs from the table")
    func packageDiffers() throws {
        let low = ModuleRow("Low", layer: 1, imports: ["Glibc"])
        let high = ModuleRow("High", layer: 2, imports: ["Low"])
        let ghost = ModuleRow("Ghost", layer: 2, imports: [])
        let targets = [
            PackageRule.Target(name: "Low", type: "regular", path: nil, dependencies: ["High"]),
            PackageRule.Target(name: "High", type: "regular", path: nil, dependencies: []),
            PackageRule.Target(name: "Stranger", type: "executable", path: nil, dependencies: []),
            PackageRule.Target(name: "LowTests", type: "test", path: nil, dependencies: ["Low"]),
        ]
        #expect(
            PackageRule.findings(targets, [low, high, ghost]) == [
                "the target Stranger is not in the table", "Low depends on High, which its row does not list",
                "High does not depend on Low, which its row lists", "Ghost is in the table and no target",
            ]
        )
    }

    @Test("the rule finds a file and a function that are too long, and counts code alone")
    func sizes() {
        func lines(_ count: Int) -> String { Array(repeating: "    work()", count: count).joined(separator: "\n") }
        func finding(_ text: String) -> String? { SizeRule.findings(in: source(text)).first?.text }
        #expect(finding(lines(500)) == nil)
        #expect(finding(lines(501)) == "501 lines of code, 500 are allowed")
        #expect(finding(lines(500) + "\n\n// why\n/* and\n why */") == nil)
        #expect(finding("func go(a: () -> Int = { 1 }) {\n\(lines(58))\n}") == nil)
        #expect(
            finding("func go(a: () -> Int = { 1 }) {\n\(lines(59))\n}") == "go has 61 lines of code, 60 are allowed"
        )
        #expect(
            finding("struct A {\n    init?(b: Int) {\n\(lines(59))\n}\n}")
                == "init has 61 lines of code, 60 are allowed"
        )
        #expect(finding("class A {\n    deinit {\n\(lines(59))\n}\n}") == "deinit has 61 lines of code, 60 are allowed")
        #expect(finding("// A flat table: one line a case.\nfunc go() {\n\(lines(118))\n}") == nil)
        #expect(
            finding("// A flat table: one line a case.\nfunc go() {\n\(lines(119))\n}")?.contains("120 are") == true
        )
        #expect(finding("protocol P {\n    func a()\n    func b() -> Int\n}\nstruct Q {\n\(lines(70))\n}") == nil)
        #expect(finding("let a = \"func x() {\"\n\(lines(70))") == nil)
    }

    @Test(
        "the rule finds names that say nothing, and files that are not named after their type",
        arguments: [
            ("Thing", "struct FileUtils {}\nstruct Thing {}", "“Utils”"), ("Helpers", "enum Helpers {}", "“Helpers”"),
            ("PeerManager", "actor PeerManager {}", "“Manager”"), ("Common", "let x = 1", "“Common”"),
            ("Thing", "struct Other {}", "declares no Thing"),
            ("Thing+topic", "struct Thing {}", "does not extend Thing"),
            ("Thing+topic", "extension Other {}", "does not extend Thing"),
            ("Thing", "import struct A.Thing\nenum B {}", "declares no"),
        ]
    )
    func findsNames(_ name: String, _ text: String, _ part: String) {
        let findings = NameRule.findings(in: source(text, named: name))
        #expect(findings.contains { $0.text.contains(part) }, "\(findings)")
    }

    @Test(
        "the rule ignores names that say something",
        arguments: [
            ("Thing", "public struct Thing {}"), ("Thing+topic", "extension Thing {}"),
            ("Thing+topic", "extension Thing.Inner {}"),
            ("Thing", "extension Thing { class func make() {} }"), ("free", "func free() { final class Start {} }"),
            ("Array+sum", "extension [Int] {}"),
            ("Uncommon", "struct Uncommon {}"), ("Manageress", "enum Manageress {}"),
            ("Thing", "// enum Utils\nstruct Thing {}"),
        ]
    )
    func passesNames(_ name: String, _ text: String) {
        #expect(NameRule.findings(in: source(text, named: name)) == [])
    }

    @Test(
        "the rule finds code that needs a reason",
        arguments: [
            ("final class A: @unchecked Sendable {}", "@unchecked"),
            ("nonisolated(unsafe) var a = 1", "nonisolated(unsafe)"),
            ("let a = try! b()", "try!"), ("let a = b as! C", "as!"), ("let a = b!", "forced unwrapping"),
            ("b()!.c", "forced unwrapping"),
            ("b[0]!", "forced unwrapping"), ("let a: Int!", "forced unwrapping"),
            ("var a: [Int]!", "forced unwrapping"),
            ("let a: Set<Int>!", "forced unwrapping"), ("fatalError(\"no\")", "fatalError"),
            ("unsafeBitCast(a, to: B.self)", "unsafeBitCast"),
            ("\"\\(b!)\"", "forced unwrapping"), ("// It is fine.\nlet a = b!", "forced unwrapping"),
            ("// because of x\n\nlet a = b!", "forced unwrapping"),
            ("let c = 1 // because\nlet a = b!", "forced unwrapping"),
        ]
    )
    func findsCautions(_ text: String, _ what: String) {
        #expect(
            CautionRule.findings(in: source(text)).map { $0.text.prefix { $0 != " " } } == [what.prefix { $0 != " " }]
        )
    }

    @Test(
        "the rule ignores code with a reason, and signs that only look careless",
        arguments: [
            "// Because the lock is held.\nlet a = b!", "let a = b! // because it was checked",
            "/// Sendable because it is locked.\n@frozen\nfinal class A: @unchecked Sendable {}",
            "if a != b {}", "if a!=b {}", "if !a {}", "return !a", "f(!a)", "[!a]", "let a = \"b!\"", "// b!",
            "#if !os(Linux)", "a = !b",
            "let unsafeName = 1", "withUnsafeBytes { }", "try await b()", "a as? B", "\"\"\"\n a! try! \"b!\"\n\"\"\"",
            "#\"a! \"b\"! \"#",
        ]
    )
    func passesCautions(_ text: String) {
        #expect(CautionRule.findings(in: source(text)) == [])
    }

    @Test(
        "the rule finds a stream that buffers without bound",
        arguments: [
            "AsyncStream<Int> { c in }", "let s = AsyncStream { c in }", "AsyncThrowingStream<Int, any Error> { c in }",
            "AsyncStream(Int.self) { c in }",
            "AsyncStream<Int>.makeStream()", "AsyncStream.makeStream(of: Int.self)",
            "return AsyncStream<[Int]>(Int.self) { _ in }",
        ]
    )
    func findsStreams(_ text: String) {
        #expect(StreamRule.findings(in: source(text)).count == 1)
    }

    @Test(
        "the rule ignores a stream with a policy and a stream's type",
        arguments: [
            "AsyncStream<Int>(bufferingPolicy: .bufferingNewest(1)) { c in }",
            "AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingOldest(9))",
            "AsyncStream(unfolding: next)", "func a() -> AsyncStream<Int> { b }", "var a: AsyncStream<Int> { b }",
            "let a: AsyncStream<Int>.Continuation",
            "// AsyncStream { }",
        ]
    )
    func passesStreams(_ text: String) {
        #expect(StreamRule.findings(in: source(text)) == [])
    }

    @Test(
        "the rule finds Foundation's decoders",
        arguments: [
            "try NSKeyedUnarchiver(forReadingFrom: data)", "JSONDecoder()",
            "PropertyListSerialization.propertyList(from: data)",
            "XMLParser(data: data)", "Foundation.XMLDocument(data: data)", "NSDictionary(contentsOfFile: path)",
            "NSArray(contentsOf: url)", "NSClassFromString(name)", "let all: [JSONSerialization.Type]",
        ]
    )
    func findsDecoders(_ text: String) {
        #expect(DecoderRule.findings(in: source(text)).count == 1)
    }

    @Test(
        "the rule ignores words about decoders, and encoders",
        arguments: [
            "// NSKeyedUnarchiver", "\"JSONDecoder\"", "JSONEncoder()", "NSDictionary(objects: a, forKeys: b)",
            "MyJSONDecoder()",
        ]
    )
    func passesOtherDecoders(_ text: String) {
        #expect(DecoderRule.findings(in: source(text)) == [])
    }

    @Test(
        "the rule finds a test that sleeps",
        arguments: ["sleep(1)", "try await Task.sleep(for: .seconds(1))", "usleep(9)", "nanosleep(&a, nil)"]
    )
    func findsSleeps(_ text: String) {
        #expect(SleepRule.findings(in: source(text)).count == 1)
    }

    @Test(
        "the rule ignores a word about sleep",
        arguments: ["// sleep(1)", "let a = \"sleep(1)\"", "asleep(1)", "let sleep = 1"]
    )
    func passesSleeps(_ text: String) {
        #expect(SleepRule.findings(in: source(text)) == [])
    }

    @Test(
        "the rule finds a link that leads nowhere",
        arguments: [
            "[a](gone.md)", "text [a](b.md) and [b](gone.md#part)", "![a](gone.png)", "[a](../../gone.md)",
            "[a](../../../b.md)", "[a](/gone.md \"title\")",
        ]
    )
    func findsLinks(_ text: String) {
        let findings = DocumentRule.brokenLinks(in: "# T\n\n\(text)", at: "docs/x/y.md") { $0 == "docs/x/b.md" }
        #expect(findings.map(\.line) == [3])
    }

    @Test(
        "the rule ignores a link that leads somewhere or out of the repository",
        arguments: [
            "[a](b.md)", "[a](./b.md#part)", "[a](../x/b.md)", "[a](/docs/x/b.md)", "[a](https://example.org/b)",
            "[a](#part)", "[a](mailto:a@b)",
            "```\n[a](gone.md)\n```", "``Thing``", "[a]",
        ]
    )
    func passesLinks(_ text: String) {
        #expect(DocumentRule.brokenLinks(in: text, at: "docs/x/y.md") { $0 == "docs/x/b.md" } == [])
    }

    @Test("A page's long lines and paragraphs are found, and rows, links and code may be long")
    func findsLongTexts() {
        let words = Array(repeating: "word", count: 25).joined(separator: " ")
        let short = Array(repeating: "ten words are on this line of a page now", count: 13).joined(separator: "\n")
        let page = "\(words)\n\n| \(words) |\n  [a](\(words.filter { $0 != " " }).md)\n```\n\(words)\n```\n\n\(short)\n"
        let findings = DocumentRule.longTexts(in: page, at: "docs/x.md")
        #expect(findings.map(\.line) == [1, 9])
    }

    @Test("the rule finds a decision without its cost")
    func findsSections() {
        let whole = "# T\n\n## Question\n\n## Choice\n\n## Cost\n"
        #expect(DocumentRule.missingSections(in: whole, at: "d.md") == [])
        #expect(DocumentRule.missingSections(in: "## Question\n## Choices\n```\n## Cost\n```", at: "d.md").count == 2)
    }

    @Test("the rule finds paths of one machine")
    func findsMachinePaths() {
        let work = "/" + "work" + "/x"
        let home = "/" + "home" + "/jdoe/x"
        #expect(DocumentRule.machinePaths(in: "a\n\(work)\n\(home)", at: "d.md").map(\.line) == [2, 3])
        #expect(DocumentRule.machinePaths(in: "/home/deck/.local /home/$USER/ /homework/ ~/x", at: "d.md") == [])
    }

    @Test(
        "the rule finds the name of a test without a subject, or with unclear words",
        arguments: [
            "@Test(\"who asks is heard\")", "@Test(\"is heard\")", "    @Test(\n        \"Of two, one is heard\",",
            "@Suite(\"What is heard\", .serialized)", "@Test(\"a file lies there\")", "@Test(\"a file stands there\")",
        ]
    )
    func findsTestNames(_ text: String) {
        let findings = TestNameRule.findings(in: "import Testing\n\n\(text)\nfunc f() {}\n", at: "Tests/X.swift")
        #expect(findings.map(\.line) == [text.contains("\n") ? 4 : 3])
    }

    @Test(
        "the rule ignores a whole sentence, a suite without a name, and texts of a test",
        arguments: [
            "@Test(\"the machine that asks is heard\")", "@Suite(\"A machine that asks\")", "@Suite(.serialized)",
            "@Test(\"`is` is a word\")", "@Test(arguments: [\"who\"])", "let text = \"@Test(\\\"who\\\")\"",
            "@Test(\n        arguments: [\"who\"]", "@Test(\"believers stay\")", "// @Test(\"who asks\")",
        ]
    )
    func ignoresTestNames(_ text: String) {
        #expect(TestNameRule.findings(in: text, at: "Tests/X.swift") == [])
    }

    @Test("the rule finds another version or day in one of the three places that name a release")
    func releases() {
        let program = #"package static let version = developers ?? "1.2.0""#
        let changelog = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-09-01\n\n## [1.1.0] - 2026-08-01\n"
        let debian = "huddle (1.2.0) unstable\n\n  * x\n\n -- A <a@b>  Tue, 01 Sep 2026 12:00:00 +0000\n"
        func faults(_ program: String, _ changelog: String, _ debian: String) -> Int {
            ReleaseRule.faults(program: program, changelog: changelog, debian: debian).count
        }
        #expect(faults(program, changelog, debian) == 0)
        #expect(faults(program.replacing("1.2", with: "1.3"), changelog, debian) == 1)
        #expect(faults(program, changelog, debian.replacing("1.2", with: "1.3")) == 1)
        #expect(faults(program, changelog, debian.replacing("01 Sep", with: "02 Sep")) == 1)
        #expect(faults(program, changelog.replacing("[Unreleased]", with: ""), debian) == 1)
        #expect(faults("", changelog, debian) == 1)
        #expect(faults(program, "", debian) == 1)
    }
}

extension PackageRule.Target.Dependency: ExpressibleByStringLiteral {
    init(stringLiteral name: String) {
        self.init(name: name)
    }
}
