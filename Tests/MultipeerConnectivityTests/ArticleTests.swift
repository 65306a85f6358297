import Foundation
import Testing
import Workbench

@Suite("Articles of the library")
struct ArticleTests {
    private static let folder = "Sources/MultipeerConnectivity/MultipeerConnectivity.docc"
    /// Compiled with the other tests.
    private static let code = "Tests/Support/AppleStyleGames/GameService.swift"

    private func lines(of path: String) throws -> [String] {
        try String(contentsOfFile: "\(Repository.root)/\(path)", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(
        "Articles show code that is compiled",
        arguments: ["BringingAGameToLinux.md", "MultipeerConnectivity.md"]
    )
    func snippets(name: String) throws {
        let code = try lines(of: Self.code)
        var snippets = 0
        var rest = try lines(of: "\(Self.folder)/\(name)")[...]
        while let start = rest.firstIndex(of: "```swift"), let end = rest[start...].firstIndex(of: "```") {
            // Imports are at the top of the file only.
            let snippet = Array(rest[(start + 1)..<end].drop { $0.hasPrefix("import ") || $0.isEmpty })
            let places = code.indices.filter { code[$0...].starts(with: snippet) }
            #expect(!places.isEmpty, "\(name), line \(start + 1): not in \(Self.code)")
            snippets += 1
            rest = rest[(end + 1)...]
        }
        #expect(snippets > 0)
    }

    @Test("The table of Apple's sentences names existing tests")
    func semantics() throws {
        let page = "\(Repository.root)/docs/internals/multipeer-semantics.md"
        let text = try String(contentsOfFile: page, encoding: .utf8)
        let names = text.matches(of: #/`([A-Za-z]+)\/([a-zA-Z]+)`/#).map { (suite: $0.1, test: $0.2) }
        let lab = "Tests/LabTests/Multipeer"
        let labFiles = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/\(lab)")
        for (suite, test) in names {
            let paths =
                suite == "LabMultipeer"
                ? labFiles.filter { $0.hasPrefix("MultipeerTests") }.map { "\(lab)/\($0)" }
                : ["Tests/MultipeerConnectivityTests/\(suite).swift"]
            let isThere = try paths.contains { path in
                try String(contentsOfFile: "\(Repository.root)/\(path)", encoding: .utf8).contains(" func \(test)(")
            }
            #expect(isThere, "\(suite) has no test \(test)")
        }
        #expect(names.count > 60)
    }
}
