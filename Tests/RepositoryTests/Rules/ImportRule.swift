/// Imports go down only, and only to what a module's row in the table lists. SwiftPM alone lets a target import what it
/// never declared, as long as something else does.
enum ImportRule {
    /// The modules that a file imports, each with its line.
    static func imports(in source: SwiftSource) -> [(module: String, line: Int)] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
        return source.tokens.indices.compactMap { index in
            guard source.tokens[index].text == "import" else { return nil }
            let rest = source.tokens[(index + 1)...].prefix(2).map(\.text)
            guard let first = rest.first else { return nil }
            let module = kinds.contains(first) ? rest.last : first
            return module.map { ($0, source.tokens[index].line) }
        }
    }

    static func findings(in source: SwiftSource, row: ModuleRow) -> [Finding] {
        imports(in: source).filter { !row.imports.contains($0.module) }.map { found in
            let reason =
                ModuleTable.rowReasons[row.name] ?? ModuleTable.reasons[found.module]
                ?? "the table does not list it, and imports go down only"
            return Finding(
                path: source.path,
                line: found.line,
                text: "\(row.name) imports \(found.module): \(reason)"
            )
        }
    }

    /// Mistakes in the table itself.
    static func faults(of rows: [ModuleRow]) -> [String] {
        rows.flatMap { row in
            rows.filter { row.imports.contains($0.name) }.compactMap { below in
                if below.layer > row.layer {
                    return "\(row.name) in layer \(row.layer) imports upwards \(below.name) in layer \(below.layer)"
                }
                let isSideways = below.layer == row.layer && row.layer == 3
                return isSideways
                    ? "\(row.name) and \(below.name) are both in layer 3: neither may see the other" : nil
            } + cLibraryFaults(of: row, among: rows)
        }
    }

    private static func cLibraryFaults(of row: ModuleRow, among rows: [ModuleRow]) -> [String] {
        let libraries = rows.filter { $0.layer == 0 && row.imports.contains($0.name) }.map(\.name)
        if libraries.count > 1 {
            return ["\(row.name) sees \(libraries.joined(separator: " and ")): one C library a module"]
        }
        // There is nothing in the one of MultipeerConnectivity but names. SyncthingBridge is alone in reading LZ4, and
        // uses Transport.
        let namedOnes = ["Database", "Digests", "LinuxPlatform", "MultipeerConnectivity", "SyncthingBridge"]
        let mayHaveOne = row.layer == 3 || namedOnes.contains(row.name)
        return libraries.isEmpty || mayHaveOne
            ? []
            : ["\(row.name) sees \(libraries[0]): only layer 3, Database, Digests and LinuxPlatform see C libraries"]
    }
}
