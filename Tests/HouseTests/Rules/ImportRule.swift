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

    static func findings(in source: SwiftSource, room: Room) -> [Finding] {
        imports(in: source).filter { !room.imports.contains($0.module) }.map { found in
            let reason =
                HouseTable.rowReasons[room.name] ?? HouseTable.reasons[found.module]
                ?? "the table does not list it, and imports go down only"
            return Finding(
                path: source.path,
                line: found.line,
                text: "\(room.name) imports \(found.module): \(reason)"
            )
        }
    }

    /// Mistakes in the table itself.
    static func faults(of rooms: [Room]) -> [String] {
        rooms.flatMap { room in
            rooms.filter { room.imports.contains($0.name) }.compactMap { below in
                if below.floor > room.floor {
                    return "\(room.name) on floor \(room.floor) looks up to \(below.name) on floor \(below.floor)"
                }
                let isSideways = below.floor == room.floor && room.floor == 3
                return isSideways
                    ? "\(room.name) and \(below.name) both stand on floor 3: neither may see the other" : nil
            } + cLibraryFaults(of: room, among: rooms)
        }
    }

    private static func cLibraryFaults(of room: Room, among rooms: [Room]) -> [String] {
        let libraries = rooms.filter { $0.floor == 0 && room.imports.contains($0.name) }.map(\.name)
        if libraries.count > 1 {
            return ["\(room.name) sees \(libraries.joined(separator: " and ")): one C library a module"]
        }
        // There is nothing in the one of MultipeerConnectivity but names. SyncthingBridge is alone in reading LZ4, and
        // stands on Transport.
        let namedOnes = ["Database", "Digests", "LinuxPlatform", "MultipeerConnectivity", "SyncthingBridge"]
        let mayHaveOne = room.floor == 3 || namedOnes.contains(room.name)
        return libraries.isEmpty || mayHaveOne
            ? []
            : ["\(room.name) sees \(libraries[0]): only floor 3, Database, Digests and LinuxPlatform see C libraries"]
    }
}
