import LinuxPlatform

/// Resolves places on this machine: finds the folders below each base of a game, in their actual case of letters.
///
/// It caches the listings of folders, because searches in a prefix ignore case and would list the same folders often.
struct PlaceResolver {
    /// A folder, or a single file, that a place leads to.
    struct Match: Sendable, Hashable {
        /// The place, cut to the folder if that is a valid place by itself.
        let place: GamePlace
        let kind: PlaceKind
        let path: String
        /// The path without symbolic links.
        let real: String
        /// The patterns of the saves relative to the folder; empty for all files.
        let patterns: [[PlaceComponent]]
        let exists: Bool
    }

    private static let mostMatches = 16

    private let surroundings: GameSurroundings
    private var listings: [String: [String: String]] = [:]

    init(_ surroundings: GameSurroundings) {
        self.surroundings = surroundings
    }

    /// The existing folders and files that a place matches.
    mutating func matches(of place: GamePlace, in roots: PlaceRoots) -> [Match] {
        var matches: [Match] = []
        for root in roots.folders[place.base] ?? [] where LocalFiles.isFolder(root) {
            descend(place, 0, root, roots, &matches)
        }
        return matches
    }

    private mutating func descend(
        _ place: GamePlace,
        _ depth: Int,
        _ path: String,
        _ roots: PlaceRoots,
        _ matches: inout [Match]
    ) {
        guard matches.count < Self.mostMatches else { return }
        guard depth < place.folderCount else { return note(place, depth, path, roots, &matches) }
        for name in names(like: place.tail[depth], in: path, ignoringCase: roots.ignoresCase) {
            let next = "\(path)/\(name)"
            switch LocalFiles.kind(next) {
            case .folder: descend(place, depth + 1, next, roots, &matches)
            case .file where depth == place.tail.count - 1: noteFile(place, depth, path, name, roots, &matches)
            default: break
            }
        }
    }

    private func note(_ place: GamePlace, _ depth: Int, _ path: String, _ roots: PlaceRoots, _ matches: inout [Match]) {
        let patterns = depth == place.tail.count ? [] : [Array(place.tail[depth...])]
        guard let real = LocalFiles.real(path) else { return }
        if surroundings.isTooBroad(real) {
            // One pattern for names right there, such as in a home, looks at a listing alone.
            guard patterns.first?.count == 1, patterns[0][0].form == .pattern else { return }
        }
        let folder = place.prefix(depth) ?? place
        matches.append(Match(place: folder, kind: roots.kind, path: path, real: real, patterns: patterns, exists: true))
    }

    private func noteFile(
        _ place: GamePlace,
        _ depth: Int,
        _ folder: String,
        _ name: String,
        _ roots: PlaceRoots,
        _ matches: inout [Match]
    ) {
        guard let real = LocalFiles.real(folder), let component = try? PlaceComponent(name), component.isFixed else {
            return
        }
        let prefix = place.prefix(depth) ?? place
        matches.append(
            Match(place: prefix, kind: roots.kind, path: folder, real: real, patterns: [[component]], exists: true)
        )
    }

    private mutating func names(like component: PlaceComponent, in path: String, ignoringCase: Bool) -> [String] {
        if component.isFixed {
            if LocalFiles.kind("\(path)/\(component.text)") != nil { return [component.text] }
            guard ignoringCase else { return [] }
            return listing(path)[component.text.lowercased()].map { [$0] } ?? []
        }
        let names = listing(path).values.filter { component.matches($0, ignoringCase: ignoringCase) }
        return Array(names.sorted().prefix(Self.mostMatches))
    }

    /// The names in a folder, by their lowercase form.
    private mutating func listing(_ path: String) -> [String: String] {
        if let known = listings[path] { return known }
        let names = LocalFiles.entries(path).map { ($0.name.lowercased(), $0.name) }
        let listing = Dictionary(names, uniquingKeysWith: { first, _ in first })
        if listings.count > 5000 { listings = [:] }
        listings[path] = listing
        return listing
    }

    /// The folder of a place, which need not exist; nil if there are several, or if it is one of many games.
    mutating func folder(_ place: GamePlace, in roots: PlaceRoots) -> Match? {
        let found = matches(of: place, in: roots).filter(\.patterns.isEmpty)
        guard Set(found.map(\.real)).count < 2, let folder = found.first ?? expected(place, in: roots),
            !surroundings.isTooBroad(LocalFiles.real(folder.path) ?? folder.path)
        else { return nil }
        return folder
    }

    /// The name in a folder, in its actual case of letters.
    mutating func name(of component: PlaceComponent, in path: String, ignoringCase: Bool) -> String {
        names(like: component, in: path, ignoringCase: ignoringCase).first ?? component.text
    }

    /// The folder in which the game will save; nil if it can't be known before the first save.
    mutating func expected(_ place: GamePlace, in roots: PlaceRoots) -> Match? {
        let folders = roots.folders[place.base] ?? []
        // The first game to be started makes the folders of a home; those of a prefix its maker makes.
        guard let root = folders.first(where: LocalFiles.isFolder) ?? (roots.kind == .native ? folders.first : nil),
            place.tail[..<place.folderCount].allSatisfy(\.isFixed), let folder = place.prefix(place.folderCount)
        else { return nil }
        var path = root
        for component in folder.tail {
            path += "/" + (names(like: component, in: path, ignoringCase: roots.ignoresCase).first ?? component.text)
        }
        let patterns = place.folderCount == place.tail.count ? [] : [Array(place.tail[place.folderCount...])]
        return Match(place: folder, kind: roots.kind, path: path, real: path, patterns: patterns, exists: false)
    }
}
