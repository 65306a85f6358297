import FoundationEssentials
import Workbench

/// `Package.swift` declares exactly the targets that the table lists.
enum PackageRule {
    /// A target as `swift package dump-package` describes it.
    struct Target: Decodable {
        let name: String
        let type: String
        let path: String?
        let dependencies: [Dependency]

        /// `{"byName": ["Vocabulary", null]}`: the name comes first, then a condition.
        struct Dependency: Decodable {
            let name: String

            init(name: String) {
                self.name = name
            }

            init(from decoder: any Decoder) throws {
                let kinds = try decoder.container(keyedBy: Kind.self)
                guard let kind = kinds.allKeys.first else {
                    throw DecodingError.dataCorrupted(
                        .init(codingPath: [], debugDescription: "a dependency without a kind")
                    )
                }
                var list = try kinds.nestedUnkeyedContainer(forKey: kind)
                name = try list.decode(String.self)
            }

            private enum Kind: String, CodingKey {
                case byName, target, product
            }
        }
    }

    private struct Manifest: Decodable {
        let targets: [Target]
    }

    /// The targets as SwiftPM reads them. A build folder of its own keeps it from waiting for the one that runs tests.
    static func targets() throws -> [Target] {
        let scratch = try TemporaryFolder()
        let variables = ["PATH": searchPath, "HOME": scratch.path, "TMPDIR": scratch.path]
        let run = try ProgramRun(
            ["swift", "package", "--scratch-path", "\(scratch.path)/build", "dump-package"],
            in: Repository.root,
            environment: variables,
            deadline: .seconds(60)
        )
        guard run.ending == .exit(0) else { throw Unreadable(complaint: run.complaint) }
        return try JSONDecoder().decode(Manifest.self, from: Data(run.output.utf8)).targets
    }

    static func findings(_ targets: [Target], _ rows: [ModuleRow]) -> [String] {
        let unknown = targets.filter { target in
            target.type != "test" && !rows.contains { $0.name == target.name }
        }
        return unknown.map { "the target \($0.name) is not in the table" }
            + rows.flatMap { row in differences(targets.first { $0.name == row.name }, row, rows) }
    }

    private static func differences(_ target: Target?, _ row: ModuleRow, _ rows: [ModuleRow]) -> [String] {
        guard let target else { return ["\(row.name) is in the table and no target"] }
        let declared = Set(target.dependencies.map(\.name))
        let listed = row.imports.intersection(rows.map(\.name))
        return declared.subtracting(listed).sorted().map {
            "\(row.name) depends on \($0), which its row does not list"
        }
            + listed.subtracting(declared).sorted().map { "\(row.name) does not depend on \($0), which its row lists" }
    }

    private static var searchPath: String {
        ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    }

    private struct Unreadable: Error {
        let complaint: String
    }
}
