import SaveRules
import Testing
import Vocabulary

@Suite("The heads of a set", .timeLimit(.minutes(5)))
struct VersionStateTests {
    private var (deck, desk) = (HeadsPlay(1), HeadsPlay(2))

    /// Gives both machines the same first snapshot.
    private mutating func begin() throws -> Snapshot {
        let first = deck.captures("first")
        try desk.receives(first, from: deck)
        desk.applies(first)
        return first
    }

    @Test("a newer version is applied, an older one is ignored, and the same one changes nothing")
    mutating func newerAndOlder() throws {
        let first = try begin()
        let second = deck.captures("second")
        #expect(deck.actions == [.announce([second.id])] && deck.heads.state == .level)
        try desk.receives(second, from: deck)
        #expect(desk.actions == [.announce([second.id]), .apply(second.id)] && desk.heads.state == .behind)
        try desk.receives(first, from: deck)
        #expect(desk.actions == [])
        desk.applies(second)
        #expect(desk.actions == [] && desk.heads.state == .level && desk.heads.pending == nil)
        try desk.receives(second, from: deck)
        #expect(desk.actions == [])
    }

    @Test("an unchanged folder makes no snapshot, and neither does one that never had a file")
    mutating func nothingNew() throws {
        _ = try begin()
        #expect(deck.heads.capture([Sample.piece("first")], at: 5, sealedBy: deck.seal).snapshot == nil)
        var new = HeadsPlay(3)
        #expect(new.heads.capture([Sample.piece("none")], isEmpty: true, at: 5, sealedBy: new.seal).snapshot == nil)
        #expect(new.heads.state == .empty)
        #expect(deck.heads.capture([Sample.piece("none")], isEmpty: true, at: 5, sealedBy: deck.seal).snapshot != nil)
    }

    @Test("the number of a version that could not be stored is not used again")
    mutating func forgone() throws {
        _ = try begin()
        var lost = deck
        let forgone = lost.captures("second")
        deck.heads.forgo(lost.heads)
        let kept = deck.captures("second, a moment later")
        let own = deck.heads.own
        #expect(kept.version[own] > forgone.version[own] && kept.parents == forgone.parents)
        // If the version still appears in a history, there are two heads, and both are valid.
        try desk.receives(kept, from: deck)
        try desk.receives(forgone, from: lost)
        #expect(Set(desk.heads.heads) == [kept.id, forgone.id])
    }

    @Test("the concurrent saves of two machines are a conflict on both, and the folder stays as it is")
    mutating func conflict() throws {
        _ = try begin()
        let (mine, theirs) = (deck.captures("deck"), desk.captures("desk"))
        let both = [mine.id, theirs.id].sorted()
        try deck.receives(theirs, from: desk)
        try desk.receives(mine, from: deck)
        for side in [deck, desk] {
            #expect(side.heads.heads == both && side.heads.state == .merging)
            #expect(side.actions == [.announce(both), .merge(both[0], both[1])])
        }
        #expect(deck.heads.cannotMerge(mine.id, theirs.id) == [.tellSplit(both)])
        #expect(deck.heads.state == .split && deck.heads.pending == nil && deck.heads.applied == mine.id)
        #expect(deck.heads.protected == [mine.id, theirs.id])
    }

    @Test("a local change that came in between makes a conflict, not an overwrite")
    mutating func inBetween() throws {
        _ = try begin()
        let second = deck.captures("second")
        try desk.receives(second, from: deck)
        let own = desk.captures("meanwhile")
        #expect(desk.heads.heads == [second.id, own.id].sorted() && desk.heads.applied == own.id)
    }

    @Test("a conflict that the user ended on one machine ends on all", arguments: [ConflictChoice.mine, .theirs])
    mutating func resolved(choice: ConflictChoice) throws {
        _ = try begin()
        let (mine, theirs) = (deck.captures("deck"), desk.captures("desk"))
        try deck.receives(theirs, from: desk)
        try desk.receives(mine, from: deck)
        _ = deck.heads.cannotMerge(mine.id, theirs.id)
        let end = try deck.resolves(choice)
        #expect(end.parents == [mine.id, theirs.id].sorted() && end.author == Sample.peer(1))
        if choice == .mine {
            // The folder shows that content already, as another version.
            #expect(deck.actions == [.announce([end.id]), .tellWhole] && deck.heads.state == .level)
        } else {
            #expect(deck.actions == [.announce([end.id]), .tellWhole, .apply(end.id)])
        }
        try desk.receives(end, from: deck)
        #expect(desk.heads.heads == [end.id] && desk.heads.state == (choice == .mine ? .behind : .level))
    }

    @Test("two users who end it differently have a new conflict, and nothing is lost")
    mutating func resolvedTwice() throws {
        _ = try begin()
        let (mine, theirs) = (deck.captures("deck"), desk.captures("desk"))
        try deck.receives(theirs, from: desk)
        try desk.receives(mine, from: deck)
        let (one, other) = (try deck.resolves(.mine), try desk.resolves(.mine))
        try deck.receives(other, from: desk)
        try desk.receives(one, from: deck)
        #expect(deck.heads.heads == [one.id, other.id].sorted() && desk.heads.heads == deck.heads.heads)
        let end = try desk.resolves(.snapshot(mine.id))
        try deck.receives(end, from: desk)
        #expect(deck.heads.heads == [end.id] && deck.heads.held.isSuperset(of: [mine.id, theirs.id, one.id, other.id]))
        #expect(deck.heads.state == .level)
    }

    @Test("merges that two machines make by the same rules at once end in one of the two, and nothing is to be applied")
    mutating func mergedTwice() throws {
        _ = try begin()
        let (mine, theirs) = (deck.captures("deck"), desk.captures("desk"))
        try deck.receives(theirs, from: desk)
        try desk.receives(mine, from: deck)
        let (one, other) = (deck.merges(into: "both"), desk.merges(into: "both"))
        #expect(deck.actions == [.announce([one.id]), .apply(one.id)])
        #expect(one.author == Sample.peer(1) && other.author == Sample.peer(2) && one.version == other.version)
        deck.applies(one)
        desk.applies(other)
        try deck.receives(other, from: desk)
        try desk.receives(one, from: deck)
        let stays = min(one.id, other.id)
        for side in [deck, desk] {
            #expect(side.heads.heads == [stays] && side.heads.applied == stays && side.heads.state == .level)
            #expect(!side.actions.contains { if case .apply = $0 { true } else { false } })
        }
        let made = deck.heads.merged(mine.id, theirs.id, into: [Sample.piece("x")], sealedBy: deck.seal)
        #expect(made.snapshot == nil && made.actions == [])
    }

    @Test("merges by different rules end in one of the two on every machine, without the user and without a clock")
    mutating func mergedDifferently() throws {
        _ = try begin()
        let (mine, theirs) = (deck.captures("deck"), desk.captures("desk"))
        try deck.receives(theirs, from: desk)
        try desk.receives(mine, from: deck)
        let one = deck.merges(into: "by old rules")
        let other = desk.merges(into: "by new rules")
        deck.applies(one)
        desk.applies(other)
        try deck.receives(other, from: desk)
        try desk.receives(one, from: deck)
        #expect(deck.heads.heads == [min(one.id, other.id)] && desk.heads.heads == deck.heads.heads)
        let next = deck.heads.applied == deck.heads.heads[0] ? deck.captures("on") : desk.captures("on")
        if next.author == Sample.peer(1) {
            try desk.receives(next, from: deck)
        } else {
            try deck.receives(next, from: desk)
        }
        #expect(deck.heads.heads == [next.id] && desk.heads.heads == [next.id])
    }

    @Test("merges of three in different orders end in one of them on every machine")
    mutating func mergedInOrders() throws {
        _ = try begin()
        var pad = HeadsPlay(3)
        try pad.receives(deck.heads.graph.snapshots.first ?? deck.captures("-"), from: deck)
        _ = pad.heads.applied(pad.heads.heads[0])
        let (a, b, c) = (deck.captures("a"), desk.captures("b"), pad.captures("c"))
        // The deck merges a with b, then with c. The desk merges b with c, then with a.
        try deck.receives(b, from: desk)
        let ab = deck.merges(into: "ab")
        try desk.receives(c, from: pad)
        let bc = desk.merges(into: "bc")
        try deck.receives(c, from: pad)
        let one = deck.merges(into: "abc")
        try desk.receives(a, from: deck)
        let other = desk.merges(into: "abc")
        #expect(one.id != other.id && one.parents.contains(ab.id) && other.parents.contains(bc.id))
        try deck.receives(other, from: desk)
        try desk.receives(one, from: deck)
        #expect(deck.heads.heads == [min(one.id, other.id)] && desk.heads.heads == deck.heads.heads)
    }

    @Test("in a conflict this machine follows its own side, and only that")
    mutating func ownSide() throws {
        _ = try begin()
        var pad = HeadsPlay(3)
        let mine = deck.captures("deck")
        try pad.receives(mine, from: deck)
        pad.applies(mine)
        let theirs = desk.captures("desk")
        try deck.receives(theirs, from: desk)
        _ = deck.heads.cannotMerge(mine.id, theirs.id)
        let further = pad.captures("further")
        try deck.receives(further, from: pad)
        #expect(deck.heads.heads == [further.id, theirs.id].sorted())
        #expect(deck.actions.contains(.apply(further.id)) && deck.heads.ownSide == further.id)
        #expect(try deck.resolves(.mine).manifest == further.manifest)
    }

    @Test("a user can't choose a version that is not here")
    mutating func choices() throws {
        let first = try begin()
        func reason(_ play: inout HeadsPlay, _ choice: ConflictChoice) -> ChoiceRefusal.Reason? {
            do throws(ChoiceRefusal) {
                _ = try play.heads.resolve(choice, at: 0, sealedBy: play.seal)
                return nil
            } catch { return error.reason }
        }
        #expect(reason(&deck, .mine) == .noConflict)
        var pad = HeadsPlay(3)
        let (a, b, c) = (deck.captures("a"), desk.captures("b"), pad.captures("c"))
        var watcher = HeadsPlay(4)
        try watcher.receives(a, from: deck)
        try watcher.receives(b, from: desk)
        #expect(reason(&watcher, .mine) == .noOwnSide && reason(&watcher, .theirs) == .noOwnSide)
        #expect(reason(&watcher, .snapshot(first.id)) == .notHere)
        watcher.applies(a)
        try watcher.receives(c, from: pad)
        #expect(reason(&watcher, .theirs) == .severalOthers)
        let end = try watcher.resolves(.snapshot(c.id))
        #expect(watcher.heads.heads == [end.id] && end.manifest == c.manifest)
        #expect([a, b, c].allSatisfy { watcher.heads.graph.holds(end.id, $0.id) })
    }

    @Test("a restored version is a new snapshot, and so it can be undone, too")
    mutating func restores() throws {
        let first = try begin()
        let second = deck.captures("second")
        let (snapshots, actions) = try deck.heads.restore(first.id, at: 9, sealedBy: deck.seal)
        let back = try #require(snapshots.first)
        #expect(back.origin == .restored && back.parents == [second.id] && back.manifest == first.manifest)
        #expect(actions == [.announce([back.id]), .apply(back.id)])
        let again = try deck.heads.restore(second.id, at: 9, sealedBy: deck.seal).snapshots
        #expect(again.first?.parents == [back.id] && deck.heads.state == .level)
    }

    @Test("the same save on two machines that never met is no conflict to the user")
    mutating func agreement() throws {
        let one = Sample.manifest(Sample.file("a", "1", at: 5), Sample.folder("f"))
        let other = Sample.manifest(Sample.file("a", "1", mode: 0o600, at: 9), Sample.folder("f", mode: 0o700))
        let both = Sample.manifest(Sample.file("a", "1", at: 9), Sample.folder("f"))
        #expect(Manifest.agreement(of: one, other) == both && Manifest.agreement(of: other, one) == both)
        #expect(Manifest.agreement(of: one, Sample.manifest(Sample.file("a", "2"), Sample.folder("f"))) == nil)
        #expect(Manifest.agreement(of: one, Sample.manifest(Sample.file("a", "1"))) == nil)
        #expect(Manifest.agreement(of: one, Sample.manifest(Sample.file("a", "1"), Sample.file("f", "1"))) == nil)
    }

    @Test("a machine that was put back to an earlier state and used a number twice overwrites nothing")
    mutating func putBack() throws {
        _ = try begin()
        let earlier = deck
        let lost = deck.captures("before the disk was put back")
        try desk.receives(lost, from: deck)
        desk.applies(lost)
        // The deck lost that version, and saves twice under the same numbers.
        deck = earlier
        deck.captures("x")
        let newer = deck.captures("y")
        #expect(lost.version.isWithin(newer.version))
        try desk.receives(newer, from: deck)
        #expect(desk.heads.heads == [lost.id, newer.id].sorted() && desk.heads.applied == lost.id)
        try deck.receives(lost, from: desk)
        #expect(deck.heads.heads == desk.heads.heads)
    }

    @Test("after a start the stored state decides the next step")
    mutating func resumes() throws {
        _ = try begin()
        let second = deck.captures("second")
        try desk.receives(second, from: deck)
        func started(_ play: HeadsPlay) -> VersionState {
            let heads = play.heads
            return VersionState(own: heads.own, graph: heads.graph, held: heads.held, applied: heads.applied)
        }
        var again = started(desk)
        #expect(again.resume() == [.announce([second.id]), .apply(second.id)] && again.usedCounter == 0)
        let own = desk.captures("own")
        let both = [second.id, own.id].sorted()
        again = started(desk)
        #expect(again.resume() == [.announce(both), .merge(both[0], both[1])] && again.usedCounter == 1)
        #expect(again.cannotMerge(both[0], both[1]) == [.tellSplit(both)])
    }

    @Test("a version that has no room for another machine still takes the saves of that machine")
    mutating func fullVersion() throws {
        let parts = Dictionary(uniqueKeysWithValues: (0...64).filter { $0 != 7 }.map { (UInt8($0), UInt64(1)) })
        var draft = Sample.draft()
        draft.version = Sample.signed(parts)
        let full = try Snapshot(draft, sealedBy: Sample.seal(1))
        var play = HeadsPlay(7)
        #expect(throws: SaveRefusal.self) { try play.heads.learn([full]) }
        draft.parents = [Sample.id(77)]
        let deep = try Snapshot(draft, sealedBy: Sample.seal(1))
        try play.heads.learn([deep])
        _ = play.heads.hold(deep.id)
        play.applies(deep)
        let own = play.captures("own")
        #expect(own.parents == [] && play.heads.heads == [deep.id, own.id].sorted())
        #expect(throws: ChoiceRefusal.self) { try play.heads.resolve(.mine, at: 0, sealedBy: play.seal) }
    }
}
