import SaveRules
@testable import SaveSync
import Testing
import Vocabulary

@Suite("Requests to a peer", .timeLimit(.minutes(5)))
struct WantsTests {
    private let set = SaveSetID.random()
    private let ticket = SaveTicket(7)

    private func piece(_ number: UInt64) -> PieceReference {
        PieceReference(PieceID(words: (number, 0, 0, 0)), length: Int(number))
    }

    private func want(_ snapshot: UInt64, _ pieces: [UInt64]) -> Wants.Want {
        Wants.Want(set, ticket, SnapshotID(words: (snapshot, 0, 0, 0)), pieces.map(piece))
    }

    @Test("requests are answered in their order, for each snapshot by itself")
    func order() {
        var wants = Wants()
        for want in [want(1, [5, 6]), want(2, [5])] { wants.add(want) }
        while wants.next(limit: 9) != nil {}
        func answered(_ number: UInt64) -> SnapshotID? { wants.answered(piece(number).id, of: set, ticket)?.snapshot }
        #expect(answered(5) == SnapshotID(words: (1, 0, 0, 0)))
        #expect(answered(5) == SnapshotID(words: (2, 0, 0, 0)))
        #expect(answered(5) == nil && wants.areOpen)
        #expect(wants.answered(piece(6).id, of: set, SaveTicket(8)) == nil)
        #expect(wants.answered(piece(6).id, of: set, ticket)?.length == 6)
        #expect(!wants.areOpen)
    }

    @Test("a few requests are sent at a time")
    func limit() {
        var wants = Wants()
        for number in 1...5 as ClosedRange<UInt64> { wants.add(want(number, [number])) }
        var asked = 0
        while wants.next(limit: 2) != nil { asked += 1 }
        #expect(asked == 2)
        #expect(wants.answered(piece(1).id, of: set, ticket) != nil)
        #expect(wants.next(limit: 2)?.pieces == [piece(3)] && wants.next(limit: 2) == nil)
    }
}
