/// A folder of one game with all the places of one base in which the game saves.
///
/// The definition of the game decides, and not the places that exist: a machine on which the game has made only one of
/// them comes to the same folder.
package struct FolderOfPlaces: Sendable, Hashable {
    let base: PlaceBase
    let path: String
    /// The path without symbolic links.
    let real: String
    /// The names of the files and folders in it that hold the saves; nil if patterns alone can tell them.
    let names: [String]?
    let lines: SaveLines

    /// As many names as a shared game may have.
    private static let mostNames = 256

    /// The common folders of the places of a game, at most one for each base.
    static func all(
        of places: [GamePlace],
        in roots: PlaceRoots,
        _ resolver: inout PlaceResolver
    ) -> [FolderOfPlaces] {
        PlaceBase.allCases.compactMap { base in
            FolderOfPlaces(of: places.filter { $0.base == base }, in: roots, &resolver)
        }
    }

    /// - Returns: nil if the places have no folder in common that is one of the game alone
    private init?(of places: [GamePlace], in roots: PlaceRoots, _ resolver: inout PlaceResolver) {
        let tails = Self.separate(places.map(\.tail), ignoringCase: roots.ignoresCase)
        guard tails.count > 1, let first = places.first else { return nil }
        let folderCount = places.map(\.folderCount).min() ?? 0
        let shared = tails[0].indices.first { depth in
            !tails.allSatisfy { depth < $0.count - 1 && Self.same($0[depth], tails[0][depth], roots.ignoresCase) }
        }
        // A place that is too broad can't be made: neither the base itself nor a folder of many games.
        guard let place = first.prefix(min(shared ?? 0, folderCount)), let folder = resolver.folder(place, in: roots)
        else { return nil }
        let rests = tails.map { Array($0.dropFirst(place.tail.count)) }
        let patterns = rests.map { rest in
            rest.map { if case .hole = $0.form { "*" } else { $0.text } }.joined(separator: "/")
        }
        guard let lines = SaveLines(patterns, roots.kind) else { return nil }
        let heads = rests.compactMap(\.first)
        let names = Set(heads.map { resolver.name(of: $0, in: folder.path, ignoringCase: roots.ignoresCase) })
        let areNames = heads.allSatisfy(\.isFixed) && names.count <= Self.mostNames
        (base, path, real) = (place.base, folder.path, folder.real)
        (self.names, self.lines) = (areNames ? names.sorted() : nil, lines)
    }

    /// The tails without those within another one, each once.
    private static func separate(_ tails: [[PlaceComponent]], ignoringCase: Bool) -> [[PlaceComponent]] {
        tails.enumerated().filter { number, tail in
            !tails.enumerated().contains { other, outer in
                other != number && (outer.count < tail.count || outer.count == tail.count && other < number)
                    && zip(outer, tail).allSatisfy { same($0, $1, ignoringCase) }
            }
        }.map(\.element)
    }

    private static func same(_ one: PlaceComponent, _ other: PlaceComponent, _ ignoringCase: Bool) -> Bool {
        ignoringCase ? one.text.lowercased() == other.text.lowercased() : one == other
    }

    /// True if a place is in the folder.
    func holds(_ place: FoundPlace) -> Bool {
        // A folder that does not exist yet has no path without links.
        place.place.base == base && ("\(place.path)/".hasPrefix("\(path)/") || "\(place.real)/".hasPrefix("\(real)/"))
    }
}
