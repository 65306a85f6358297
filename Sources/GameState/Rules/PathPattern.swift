import SecureArchive

/// The paths of a rule: a path in which `*` is any key, `[*]` any element, and `**` any number of steps.
public struct PathPattern: Hashable, Sendable, CustomStringConvertible {
    let pieces: [PathReader.Piece]

    /// Parses a pattern as users type it, such as `people[*].height`. `.` is the root.
    public init(parsing text: String) throws(StateError) {
        var reader = PathReader(text)
        pieces = try reader.read(allowing: .wildcards).pieces
        for case .step(let step) in pieces where step.countsFromEnd {
            throw StateError(.badPath, "a pattern counts from the beginning: “[*]” is any element")
        }
    }

    /// The pattern as users type it.
    public var description: String {
        let text = pieces.reduce(into: "") { text, piece in
            switch piece {
            case .step(let step): step.write(to: &text)
            case .anyIndex: text += "[*]"
            case .anyKey: text += text.isEmpty ? "*" : ".*"
            case .anyDepth: text += text.isEmpty ? "**" : ".**"
            }
        }
        return text.isEmpty ? "." : text
    }

    /// True if a path matches.
    public func matches(_ path: StatePath) -> Bool {
        var progress = PatternProgress([self])
        for step in path.steps { progress = progress.after(step) }
        return progress.matched == 0
    }

    /// Returns all matching paths of a tree, in the tree's order, up to the limit.
    public func paths(in root: GameState, limit: Int = 1000) -> [StatePath] {
        var found: [StatePath] = []
        visit(root) { path, _ in
            if found.count < limit { found.append(path) }
            return found.count < limit
        }
        return found
    }

    /// Visits each matching place in the tree's order, as long as the visitor returns true.
    func visit(_ root: GameState, _ visitor: (StatePath, ArchiveValue) -> Bool) {
        _ = Self.visit(root.root, .root, PatternProgress([self]), visitor)
    }

    private static func visit(
        _ value: ArchiveValue,
        _ path: StatePath,
        _ progress: PatternProgress,
        _ visitor: (StatePath, ArchiveValue) -> Bool
    ) -> Bool {
        if progress.matched != nil, !visitor(path, value) { return false }
        guard progress.canStillMatch else { return true }
        return value.children.allSatisfy { step, child in
            visit(child, path.appending(step), progress.after(step), visitor)
        }
    }
}

extension StatePath.Step {
    fileprivate var countsFromEnd: Bool {
        switch self {
        case .end: true
        case .index(let index): index < 0
        case .key: false
        }
    }
}

/// The progress of a walk down a tree in each of several patterns.
struct PatternProgress {
    /// The progress in one pattern: its number, and the count of its matched pieces.
    struct Place: Hashable {
        let pattern: Int
        let behind: Int
    }

    private let patterns: [PathPattern]
    private var places: Set<Place> = []

    /// The progress at the root.
    init(_ patterns: [PathPattern]) {
        self.patterns = patterns
        for number in patterns.indices { stand(at: Place(pattern: number, behind: 0)) }
    }

    /// The number of the last pattern that matches this place.
    var matched: Int? {
        places.filter { $0.behind == patterns[$0.pattern].pieces.count }.map(\.pattern).max()
    }

    /// True if a pattern can match further down.
    var canStillMatch: Bool {
        places.contains { $0.behind < patterns[$0.pattern].pieces.count }
    }

    /// Returns the progress one step further down.
    func after(_ step: StatePath.Step) -> PatternProgress {
        var further = self
        further.places = []
        for place in places {
            let pieces = patterns[place.pattern].pieces
            guard place.behind < pieces.count else { continue }
            switch (pieces[place.behind], step) {
            case (.anyDepth, _): further.stand(at: place)
            case (.anyKey, .key), (.anyIndex, .index): further.stand(at: place.next)
            case (.step(step), _): further.stand(at: place.next)
            default: break
            }
        }
        return further
    }

    /// Notes a place. `**` may also match no step, so the place after it counts, too.
    private mutating func stand(at place: Place) {
        places.insert(place)
        let pieces = patterns[place.pattern].pieces
        if place.behind < pieces.count, pieces[place.behind] == .anyDepth { stand(at: place.next) }
    }
}

extension PatternProgress.Place {
    fileprivate var next: Self { Self(pattern: pattern, behind: behind + 1) }
}
