import SaveRules
@testable import SaveSync
import Testing

@Suite("The known pieces of a game")
struct SetPiecesTests {
    private static func piece(_ number: Int) -> PieceID { PieceID(words: (UInt64(number), 0, 0, 0)) }

    @Test(
        "an arrived piece is known until it is in a complete version, and pieces of versions until they are searched again"
    )
    func kinds() {
        var pieces = SetPieces(came: [Self.piece(0)])
        pieces.takes(Self.piece(1))
        pieces.holds([PieceReference(Self.piece(2), length: 9)])
        #expect((0...3).map { pieces.has(Self.piece($0)) } == [true, true, true, false])
        pieces.forgetArrivals()
        #expect((0...3).map { pieces.has(Self.piece($0)) } == [false, false, true, false])
        pieces.forgetVersions()
        #expect(!pieces.has(Self.piece(2)))
    }

    @Test("names without end take no memory without end")
    func endless() {
        var pieces = SetPieces()
        for number in 0...SetPieces.most { pieces.takes(Self.piece(number)) }
        #expect(!pieces.has(Self.piece(0)) && pieces.has(Self.piece(SetPieces.most)))
    }
}
