import FoundationEssentials
import Testing
import Workbench

/// The files of `Corpus` with the results in its manifest.
enum Corpus {
    struct File: Sendable, CustomTestStringConvertible {
        enum Expected: String, Sendable {
            /// It is read under the classes of the corpus.
            case ok
            /// It is refused.
            case error
            /// Either, but without a crash.
            case any
        }

        let path: String
        let kind: String
        let expected: Expected

        var testDescription: String { path }

        /// True for a binary property list, or a file that pretends to be one; false for XML or text by its name.
        var isBinary: Bool {
            ["keyed", "plist"].contains(kind) && !path.hasSuffix(".xml") && !path.contains("/pl_os_")
        }

        func bytes() throws -> [UInt8] {
            Array(try Data(contentsOf: URL(filePath: "\(Repository.root)/\(Corpus.folder)/\(path)")))
        }
    }

    static let folder = "Tests/SecureArchiveTests/Corpus"

    static func files(_ kinds: Set<String>) -> [File] {
        let manifest = (try? Repository.text(of: "\(folder)/manifest.tsv")) ?? ""
        return manifest.split(separator: "\n").dropFirst().compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 4, kinds.contains(String(columns[1])),
                let expected = File.Expected(rawValue: String(columns[2]))
            else { return nil }
            return File(path: String(columns[0]), kind: String(columns[1]), expected: expected)
        }
    }
}
