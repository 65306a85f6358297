import FoundationEssentials

/// The files of this repository, found from the path of this source file.
public enum Repository {
    /// The folder that holds `Package.swift`, without a slash at the end.
    public static let root = String(#filePath.dropLast("/Tests/Workbench/Repository.swift".count))

    /// Every file below a folder, as paths relative to the root, sorted. Folders whose name begins with a dot are left
    /// out, apart from `.ci`.
    public static func files(below folder: String = "", withSuffix suffix: String = "") -> [String] {
        let start = folder.isEmpty ? root : "\(root)/\(folder)"
        let entries = (try? FileManager.default.subpathsOfDirectory(atPath: start)) ?? []
        return
            entries
            .filter { entry in
                !entry.split(separator: "/").contains { $0.hasPrefix(".") && $0 != ".ci" } || entry == ".swift-format"
            }
            .map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
            .filter { $0.hasSuffix(suffix) && !isFolder($0) }
            .sorted()
    }

    /// The findings of a fuzz target, and its examples.
    public static func fuzzedInputs(_ target: String) -> [String] {
        ["examples", "findings"].flatMap { files(below: "Tests/Fuzz/\(target)/\($0)") }
    }

    /// The names of the folders right below a folder.
    public static func folders(below folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        return names.filter { isFolder("\(folder)/\($0)") }.sorted()
    }

    /// The text of a file, by its path relative to the root.
    public static func text(of path: String) throws -> String {
        String(decoding: try bytes(of: path), as: UTF8.self)
    }

    /// The bytes of a file, by its path relative to the root.
    public static func bytes(of path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(root)/\(path)")))
    }

    /// The bytes of a page's examples, in order.
    public static func examples(on page: String) throws -> [[UInt8]] {
        try text(of: page).split(separator: "```hex\n").dropFirst().map { text in
            let digits = Array(text.prefix { $0 != "`" }.filter { !$0.isWhitespace })
            return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        }
    }

    /// Returns true if there is a file or folder at a path relative to the root.
    public static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(root)/\(path)")
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder) && isFolder
    }
}
