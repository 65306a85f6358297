/// The folder to share for a game, and the part of it that belongs to the game.
package struct SharedPlace: Sendable, Hashable {
    package let path: String
    /// The names of the files and folders in it that are the game; nil if all of it is, but for the ignored files.
    package let names: [String]?
    /// The patterns of files that are not synced.
    package let ignoring: [String]
    /// The patterns of all other files in the folder, for a machine that joins a game of the whole folder.
    package let keeping: [String]
    /// The path without symbolic links.
    package let real: String

    fileprivate init(_ folder: FolderOfPlaces) {
        (path, real, names) = (folder.path, folder.real, folder.names)
        (ignoring, keeping) = (names == nil ? folder.lines.all : folder.lines.inner, folder.lines.all)
    }

    fileprivate init?(_ place: FoundPlace) {
        guard let lines = place.ignoring else { return nil }
        (path, real, names, ignoring, keeping) = (place.path, place.real, nil, lines, lines)
    }
}

extension FoundGame {
    /// The reason why a game can't be shared by its name.
    package enum ShareObstacle: String, Error, CustomStringConvertible {
        case tooLarge = "too-large"
        /// No folder of saves is known.
        case noFolder = "no-folder"
        /// Several folders have no folder in common that is one of the game alone.
        case apart
        /// The saves are at any depth.
        case anyDepth = "any-depth"

        package var description: String {
            switch self {
            case .tooLarge: "its folder is too large"
            case .noFolder: "no folder of its saves is known"
            case .apart: "it saves in several folders that have no folder of the game in common"
            case .anyDepth: "patterns can't tell its saves from other files of their folder"
            }
        }
    }

    /// The folder to share; nil if there is a ``shareObstacle``.
    package var sharedPlace: SharedPlace? { try? shared().get() }

    /// The reason why there is no folder to share.
    package var shareObstacle: ShareObstacle? { if case .failure(let obstacle) = shared() { obstacle } else { nil } }

    /// The folder to share. If the game has no saves yet, it is the folder in which the game will save: a machine that
    /// joins needs it before the first save.
    private func shared() -> Result<SharedPlace, ShareObstacle> {
        guard !notes.contains(.tooLarge) else { return .failure(.tooLarge) }
        let saves = places.filter { $0.content == .saves }
        let full = saves.filter { $0.standing == .used && $0.tally.files > 0 }
        // The folder that the game itself writes to comes before Steam's copy of it.
        let own = full.filter { $0.place.base != .steamUserdata }
        let empty = saves.filter { $0.standing == .used && $0.place.base != .steamUserdata }
        let expected = saves.filter { $0.standing == .expected }
        // A game that saves in the user's folders on Linux often has a build for Windows that saves in its own folder.
        let unused = [empty, expected].flatMap { [$0.filter { $0.place.base != .installDir }, $0] }
        guard let wanted = ([own, full] + unused).first(where: { !$0.isEmpty }) else { return .failure(.noFolder) }
        if let folder = foldersOfPlaces.first(where: { wanted.allSatisfy($0.holds) }) {
            return .success(SharedPlace(folder))
        }
        guard wanted.count == 1 else { return .failure(.apart) }
        return SharedPlace(wanted[0]).map { .success($0) } ?? .failure(.anyDepth)
    }
}
