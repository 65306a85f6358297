import SaveRules
@testable import SaveSync
import Testing
import Vocabulary

@Suite("Requests to a peer", .timeLimit(.minutes(5)))
struct PieceRequestsTests {
    private let set = SaveSetID.random()
    private let epoch = ExchangeEpoch(7)

    private func piece(_ number: UInt64) -> PieceReference {
        PieceReference(PieceID(words: (number, 0, 0, 0)), length: Int(number))
    }

    private func want(_ snapshot: UInt64, _ pieces: [UInt64]) -> PieceRequests.Want {
        PieceRequests.Want(set, epoch, SnapshotID(words: (snapshot, 0, 0, 0)), pieces.map(piece))
    }

    @Test("requests are answered in their order, for each snapshot by itself")
    func order() {
        var requests = PieceRequests()
        for want in [want(1, [5, 6]), want(2, [5])] { requests.add(want) }
        while requests.next(limit: 9) != nil {}
        func answered(_ number: UInt64) -> SnapshotID? {
            requests.answered(piece(number).id, of: set, epoch)?.snapshot
        }
        #expect(answered(5) == SnapshotID(words: (1, 0, 0, 0)))
        #expect(answered(5) == SnapshotID(words: (2, 0, 0, 0)))
        #expect(answered(5) == nil && requests.areOpen)
        #expect(requests.answered(piece(6).id, of: set, ExchangeEpoch(8)) == nil)
        #expect(requests.answered(piece(6).id, of: set, epoch)?.length == 6)
        #expect(!requests.areOpen)
    }

    @Test("a few requests are sent at a time")
    func limit() {
        var requests = PieceRequests()
        for number in 1...5 as ClosedRange<UInt64> { requests.add(want(number, [number])) }
        var asked = 0
        while requests.next(limit: 2) != nil { asked += 1 }
        #expect(asked == 2)
        #expect(requests.answered(piece(1).id, of: set, epoch) != nil)
        #expect(requests.next(limit: 2)?.pieces == [piece(3)] && requests.next(limit: 2) == nil)
    }
}
