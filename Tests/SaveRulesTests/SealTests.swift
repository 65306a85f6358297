import SaveProperties
import SaveRules
import Synchronization
import Testing
import Vocabulary

@Suite("The seal of a snapshot", .timeLimit(.minutes(5)))
struct SealTests {
    /// A version that includes saves of two machines, signed by the second.
    private static func honest() throws -> Snapshot {
        var draft = Sample.draft(.restored, version: [1: 3, 2: 1])
        draft.parents = [Sample.id(8)]
        (draft.time, draft.note) = (77, try Label("kept"))
        return try Snapshot(draft, sealedBy: Sample.seal(2))
    }

    private func fault(of bytes: [UInt8]) -> SaveRefusal.Fault? {
        var check = SaveProperties.check
        do throws(SaveRefusal) {
            _ = try Snapshot(decoding: bytes, checkedBy: &check)
            return nil
        } catch { return error.fault }
    }

    @Test("a seal names its author, and is taken as it is")
    func taken() throws {
        let honest = try Self.honest()
        #expect(fault(of: honest.encoded) == nil)
        var check = SaveProperties.check
        let taken = try Snapshot(decoding: honest.encoded, checkedBy: &check)
        #expect(taken.author == Sample.peer(2) && taken.signedVersion == honest.signedVersion)
    }

    @Test("a seal covers every byte: no change of any is taken")
    func everyByte() throws {
        let bytes = try Self.honest().encoded
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << bit
                #expect(fault(of: changed) != nil, "byte \(place), bit \(bit)")
            }
        }
    }

    @Test("a seal belongs to no other machine, whichever machine made it")
    func otherKey() throws {
        let rogue = VersionSeal(of: Sample.seal(1).key, hashedBy: Sample.hash) { _ in Sample.signature }
        let forged = try Snapshot(Sample.draft(), sealedBy: rogue)
        #expect(forged.author == Sample.peer(1) && fault(of: forged.encoded) == .forgedAuthor)
    }

    @Test("a seal does not vouch for a counter that another machine has not signed, or has signed in another set")
    func counters() throws {
        let rogue = VersionSeal(of: Sample.seal(1).key, hashedBy: Sample.hash) { _ in Sample.signature }
        let forged = try SignedVersion().bumped(by: rogue, in: Sample.celeste, beyond: 9)
        let moved = Sample.signed([1: 9], in: SaveSetID(high: 5, low: 5))
        let stretched = Sample.signed([1: 9])
        for version in [forged, moved, stretched] {
            var draft = Sample.draft()
            draft.version = try version.bumped(by: Sample.seal(2), in: Sample.celeste)
            var bytes = try Snapshot(draft, sealedBy: Sample.seal(2)).encoded
            if version == stretched {
                // The counter of the first machine, after 57 bytes of other fields, two of a count, and a key.
                bytes[57 + 2 + 32 + 7] += 1
                bytes = try resealed(bytes)
            }
            #expect(fault(of: bytes) == .forgedCounter)
        }
    }

    /// The same snapshot, signed again by the second machine.
    private func resealed(_ bytes: [UInt8]) throws -> [UInt8] {
        let body = Array(bytes.dropLast(Signature.byteCount))
        let signed = Sample.seal(2).key.bytes + Array("huddle snapshot 1".utf8) + body
        return body + SaveProperties.mixed(signed) + SaveProperties.mixed([1] + signed)
    }

    @Test("a seal is checked once for each repeated counter")
    func once() throws {
        let count = Mutex(0)
        var check = SealCheck(hashedBy: Sample.hash) { _, _, _ in
            count.withLock { $0 += 1 }
            return true
        }
        for _ in 0..<3 { _ = try Snapshot(decoding: Self.honest().encoded, checkedBy: &check) }
        #expect(count.withLock { $0 } == 5)
        check.forget()
        _ = try Snapshot(decoding: Self.honest().encoded, checkedBy: &check)
        #expect(count.withLock { $0 } == 8)
    }
}

@Suite("A machine that lost its state", .timeLimit(.minutes(5)))
struct LostStateTests {
    private var (deck, desk) = (HeadsPlay(1), HeadsPlay(2))

    /// The deck has saved three times, and the desk has all three versions.
    private mutating func begin() throws -> [Snapshot] {
        let made = ["one", "two", "three"].map { deck.captures($0) }
        try desk.receives(made[2], from: deck)
        return made
    }

    @Test(
        "a machine that lost its state takes back the versions that it has signed, and its numbers go on behind the highest"
    )
    mutating func takesBack() throws {
        let made = try begin()
        deck = HeadsPlay(1)
        let recollection = deck.heads.recollection(of: made)
        #expect(recollection?.count == 3 && recollection?.usesNumbersTwice == false)
        try deck.receives(made[2], from: desk)
        #expect(deck.heads.heads == [made[2].id] && deck.heads.usedCounter == 3)
        deck.applies(made[2])
        let next = deck.captures("four")
        #expect(next.version == Sample.version([1: 4]) && next.parents == [made[2].id])
    }

    @Test("a machine that has used a number twice is noticed, and both versions stay, on every machine")
    mutating func twice() throws {
        let first = deck.captures("one")
        try desk.receives(first, from: deck)
        let backup = deck
        let (second, third) = (deck.captures("two"), deck.captures("three"))
        try desk.receives(third, from: deck)
        deck = backup
        let other = deck.captures("another two")
        #expect(other.version == second.version && other.id != second.id)
        let recollection = deck.heads.recollection(of: [second, third])
        #expect(recollection?.count == 2 && recollection?.usesNumbersTwice == true)
        try deck.receives(third, from: desk)
        try desk.receives(other, from: deck)
        let both = [third.id, other.id].sorted()
        for side in [deck, desk] { #expect(side.heads.heads == both && side.heads.held.isSuperset(of: both)) }
        // The user's choice follows both, with a number that was not used before.
        let end = try deck.resolves(.snapshot(other.id))
        try desk.receives(end, from: deck)
        #expect(desk.heads.heads == [end.id] && end.version == Sample.version([1: 4]))
        #expect(desk.heads.recollection(of: [other]) == nil)
    }

    @Test(
        "a machine that lost its key, too, is a new machine: it takes part, and the old one's versions stay the old one's"
    )
    mutating func lostKey() throws {
        let made = try begin()
        var new = HeadsPlay(3)
        #expect(new.heads.recollection(of: made) == nil)
        try new.receives(made[2], from: desk)
        new.applies(made[2])
        #expect(new.captures("four").version == Sample.version([1: 3, 3: 1]))
    }
}
