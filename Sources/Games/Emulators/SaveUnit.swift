/// The files that are the save of one game among all saves of an emulator.
struct SaveUnit: Sendable {
    /// The entries of a folder that can be a save, or a part of one.
    enum Entries: Sendable {
        /// Files with one of these endings, in lower case.
        case files([String])
        case folders
    }

    /// The letters that the entries of one game have in common.
    enum Sharing: Sendable {
        /// The name without its ending, and without a number of a memory card such as `_1`.
        case stem
        /// The first letters, such as a game's number.
        case prefix(Int)
    }

    let entries: Entries
    let common: Sharing
    /// The numbers of folders between the folder of all saves and the entries.
    var depths = 0...0

    /// The letters that the entries of one game have in common; nil if the entry is no save of one game.
    func key(of name: String, isFolder: Bool) -> String? {
        switch entries {
        case .folders where isFolder: break
        case .files(let endings) where !isFolder:
            guard let dot = name.lastIndex(of: "."), endings.contains(name[dot...].dropFirst().lowercased()) else {
                return nil
            }
        default: return nil
        }
        switch common {
        case .prefix(let count): return name.count >= count ? String(name.prefix(count)) : nil
        case .stem:
            let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
            guard stem.count > 2, stem.last?.isASCIIDigit == true, stem.dropLast().last == "_" else {
                return stem.isEmpty ? nil : String(stem)
            }
            return String(stem.dropLast(2))
        }
    }

    /// The units of stores, by emulator and store. Other stores have the saves of all games in one file, such as a
    /// memory card, in deeper folders, or in an order of their own.
    static let known: [String: SaveUnit] = [
        "retroarch/saves": SaveUnit(
            // Cores write further files beside the battery save: a clock, memory cards, settings of a console.
            entries: .files(["srm", "rtc", "sav", "bkr", "bcr", "smpc", "mcr", "dsv", "eep", "fla", "mpk", "sra"]),
            common: .stem,
            depths: 0...2
        ),
        "melonds/saves": SaveUnit(entries: .files(["sav"]), common: .stem),
        "mgba/saves": SaveUnit(entries: .files(["sav"]), common: .stem),
        "duckstation/saves": SaveUnit(entries: .files(["mcd"]), common: .stem),
        // `01-GZLE-gczelda.gci`: the maker and the game's number.
        "dolphin/gamecube": SaveUnit(entries: .files(["gci"]), common: .prefix(7), depths: 1...2),
        // `ULUS10041SAVE00`, `BLUS30443-SAVE`: the game's number.
        "ppsspp/saves": SaveUnit(entries: .folders, common: .prefix(9)),
        "rpcs3/saves": SaveUnit(entries: .folders, common: .prefix(9)),
        // The folder above is that of the kind of title.
        "cemu/saves": SaveUnit(entries: .folders, common: .prefix(8), depths: 1...1),
    ]
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
