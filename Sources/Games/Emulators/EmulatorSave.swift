import LinuxPlatform
import Vocabulary

/// The save of one game among those of an emulator.
package struct EmulatorSave: Sendable, Hashable {
    /// A short name such as `retroarch-zelda`, the same on every machine.
    package let name: String
    /// The folder of its files.
    package let folder: String
    /// The names of its files, or folders, in that folder.
    package let files: [String]
}

/// Finds the saves of single games in the folder of an emulator. All calls block on the disk.
struct EmulatorSaves {
    private let emulator: String
    private let unit: SaveUnit
    private let root: String

    private static let mostEntries = 4096

    /// - Returns: nil if the emulator does not store each game's save in files of its own
    init?(_ place: FoundPlace) {
        guard place.place.base == .emulatorSaves, place.content == .saves,
            let unit = SaveUnit.known[place.place.writtenTail], let emulator = place.place.tail.first?.text
        else { return nil }
        (self.emulator, self.unit, root) = (emulator, unit, place.path)
    }

    /// The saves in the order of their names.
    func all() -> [EmulatorSave] {
        var left = Self.mostEntries
        var saves: [EmulatorSave] = []
        for folder in folders(&left) {
            var groups: [String: [String]] = [:]
            for (name, kind) in LocalFiles.entries(folder, limit: Self.mostEntries) {
                guard kind == .file || kind == .folder, let key = unit.key(of: name, isFolder: kind == .folder) else {
                    continue
                }
                groups[key, default: []].append(name)
            }
            saves += groups.compactMap { key, files in
                name(of: key).map { EmulatorSave(name: $0, folder: folder, files: files.sorted()) }
            }
        }
        return Self.named(saves.sorted { ($0.name, $0.folder, $0.files[0]) < ($1.name, $1.folder, $1.files[0]) })
    }

    /// The folder for a save of another machine. It is nil if the names are no save of one game of that name, or if the
    /// emulator has several folders for it.
    func folder(of save: String, _ files: [String]) -> String? {
        let keys = [false, true].map { isFolder in Set(files.map { unit.key(of: $0, isFolder: isFolder) }) }
        guard let key = keys.lazy.compactMap({ $0.count == 1 ? $0.first ?? nil : nil }).first,
            let name = name(of: key), save == name || save.hasPrefix("\(name)-")
        else { return nil }
        var left = Self.mostEntries
        let all = folders(&left)
        let holding = all.filter { folder in files.contains { LocalFiles.kind("\(folder)/\($0)") != nil } }
        if !holding.isEmpty { return holding.count == 1 ? holding[0] : nil }
        let used = Set(self.all().map(\.folder))
        return used.count == 1 ? used.first : used.isEmpty && all.count == 1 ? all[0] : nil
    }

    private func name(of key: String) -> String? {
        let short = GameTitle.shortName(key)
        return short.isEmpty ? nil : "\(emulator)-\(short)"
    }

    /// Gives the saves different names: two saves of one name differ by their folders or their letters.
    private static func named(_ saves: [EmulatorSave]) -> [EmulatorSave] {
        let counts = Dictionary(saves.map { ($0.name, 1) }, uniquingKeysWith: +)
        return saves.map { save in
            guard counts[save.name] != 1, let last = save.folder.split(separator: "/").last else { return save }
            let mark = GameTitle.mark(of: "\(last)/\(save.files[0])")
            return EmulatorSave(name: "\(save.name)-\(mark)", folder: save.folder, files: save.files)
        }
    }

    /// The folders in which saves can be.
    private func folders(_ left: inout Int) -> [String] {
        var level = [root]
        var folders: [String] = []
        for depth in 0...unit.depths.upperBound {
            if unit.depths.contains(depth) { folders += level }
            guard depth < unit.depths.upperBound else { break }
            level = level.flatMap { folder -> [String] in
                // A link may lead out of the folder of saves.
                let names = LocalFiles.entries(folder, limit: left).filter { $0.kind == .folder }.map(\.name)
                left = max(0, left - names.count)
                return names.map { "\(folder)/\($0)" }
            }
        }
        return folders
    }
}

extension FoundGame {
    /// The saves of single games if this is an emulator that stores them in separate files; otherwise none. It blocks
    /// on the disk.
    package func emulatorSaves() -> [EmulatorSave] {
        places.filter { $0.standing == .used }.compactMap { EmulatorSaves($0) }.first?.all() ?? []
    }

    /// The folder here for a save of a single game that another machine has. It blocks on the disk.
    ///
    /// - Parameter files: the names of its files there
    package func folder(ofSave name: String, _ files: [String]) -> String? {
        places.filter { $0.standing == .used }.compactMap { EmulatorSaves($0) }.first?.folder(of: name, files)
    }
}
