import SaveRules
import Workbench

/// A game with a first snapshot, a version of this machine and one of a peer, for the table's states.
struct HeadsStory {
    var play = HeadsPlay(1)
    private(set) var other = HeadsPlay(2)
    private var count = 0

    static func begun(_ next: (inout HeadsStory) throws -> Void = { _ in }) throws -> HeadsStory {
        var story = HeadsStory()
        let first = story.other.captures("first")
        try story.play.receives(first, from: story.other)
        story.play.applies(first)
        try next(&story)
        return story
    }

    /// A version of another machine arrives, on top of all versions here. If `own` is false, it does not include this
    /// machine's own last save.
    mutating func arrives(knowing own: Bool) throws -> [VersionState.Action] {
        count += 1
        if own {
            for id in play.heads.heads {
                if let head = play.heads.graph[id] { try other.receives(head, from: play) }
            }
            if other.heads.heads.count > 1 { _ = try other.resolves(.snapshot(other.heads.heads[0])) }
            if let head = other.heads.heads.first { _ = other.heads.applied(head) }
        }
        let next = other.captures("other \(count)")
        try play.receives(next, from: other)
        return play.actions
    }

    mutating func arrivesOlder() -> [VersionState.Action] {
        guard let first = play.heads.graph.snapshots.min(by: { $0.version.isWithin($1.version) }) else { return [] }
        return play.heads.hold(first.id)
    }

    mutating func captures() -> [VersionState.Action] {
        count += 1
        play.captures("own \(count)")
        return play.actions
    }

    mutating func cannotMerge() -> [VersionState.Action] {
        let heads = play.heads.heads
        return play.heads.cannotMerge(heads.first ?? Sample.id(1), heads.dropFirst().first ?? Sample.id(2))
    }
}

extension MachineTable where Machine == HeadsStory {
    static func setHeads() -> Self {
        var table = Self("set-heads") { $0.play.heads.state.rawValue }
        table.row("empty") { HeadsStory() }
        table.row("level") { try .begun() }
        table.row("behind") { try .begun { _ = try $0.arrives(knowing: false) } }
        table.row("merging") { try merging() }
        table.row("split") {
            var story = try merging()
            _ = story.cannotMerge()
            return story
        }
        table.column("an older one is here") { $0.arrivesOlder() }
        table.column("a newer one") { try $0.arrives(knowing: true) }
        table.column("one beside it") { story in
            _ = story.captures()
            return try story.arrives(knowing: false)
        }
        table.column("captured") { $0.captures() }
        table.column("applied", traps: ["empty"]) { story in
            story.play.heads.applied(story.play.heads.pending ?? story.play.heads.heads[0])
        }
        table.column("the rules merged") { story in
            guard story.play.heads.heads.count > 1 else { return [] }
            story.play.merges(into: "both")
            return story.play.actions
        }
        table.column("the rules could not") { $0.cannotMerge() }
        table.column("the user chose theirs") { story in
            guard (try? story.play.resolves(.theirs)) != nil else { return [] }
            return story.play.actions
        }
        return table
    }

    private static func merging() throws -> HeadsStory {
        try .begun { story in
            _ = story.captures()
            _ = try story.arrives(knowing: false)
        }
    }
}
