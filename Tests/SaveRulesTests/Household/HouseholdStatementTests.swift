import SaveProperties
import SaveRules
import TestSupport
import Testing
import Vocabulary

@Suite("A statement about a machine of the household", .timeLimit(.minutes(5)))
struct HouseholdStatementTests {
    private static func name(_ text: String) -> InstanceName {
        guard let name = try? InstanceName(text) else { preconditionFailure("“\(text)” is a name") }
        return name
    }

    static let paired = HouseholdStatement(
        about: Sample.peer(2),
        named: name("Deck"),
        number: 7,
        .paired(after: [.init(by: Sample.peer(5), number: 3), .init(by: Sample.peer(4), number: 9)]),
        sealedBy: Sample.seal(1)
    )
    static let removed = HouseholdStatement(
        about: Sample.peer(2),
        named: name("Deck"),
        number: HouseholdStatement.greatestNumber,
        .removed,
        sealedBy: Sample.seal(1)
    )

    private func fault(_ bytes: [UInt8]) -> SaveFormatError.Fault? {
        do throws(SaveFormatError) {
            _ = try HouseholdMessage(decoding: bytes, hashedBy: Sample.hash)
            return nil
        } catch { return error.fault }
    }

    @Test("a statement is read as it was written, with its removals in order")
    func roundTrip() throws {
        for statement in [Self.paired, Self.removed] {
            let read = try HouseholdStatement(decoding: statement.encoded, hashedBy: Sample.hash)
            #expect(read == statement && read.voucher == Sample.peer(1) && read.encoded == statement.encoded)
        }
        guard case .paired(let removals) = Self.paired.claim else { return }
        #expect(removals.map(\.voucher) == [Sample.peer(4), Sample.peer(5)])
    }

    @Test("a statement is read the same way by all machines: no other bytes give it, and none end the program")
    func strict() throws {
        let bytes = try #require(HouseholdMessage.messages(for: [Self.paired, Self.removed]).first).encoded
        #expect(fault(bytes) == nil && HouseholdMessage.isKind(of: bytes))
        for count in bytes.indices { #expect(fault(Array(bytes.prefix(count))) != nil) }
        #expect(fault(bytes + [0]) == .bytesAfterTheEnd)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20_000 {
            var changed = bytes
            changed[Int.random(in: changed.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            guard let read = try? HouseholdMessage(decoding: changed, hashedBy: Sample.hash) else { continue }
            #expect(read.encoded == changed)
        }
    }

    @Test("a statement is refused if it is about its own machine, has a number out of bounds, or removals out of order")
    func forms() {
        func message(_ change: (inout [UInt8]) -> Void) -> [UInt8] {
            var statement = Self.paired.encoded
            change(&statement)
            return [11, 1] + statement
        }
        #expect(fault(message { _ in }) == nil)
        #expect(fault(message { $0[0] = 3 }) == .badStatement)
        #expect(fault(message { $0.replaceSubrange(1..<9, with: [UInt8](repeating: 0, count: 8)) }) == .badStatement)
        #expect(fault(message { $0[1] = 0x7F }) == .badStatement)
        #expect(fault(message { $0.replaceSubrange(41..<73, with: Sample.peer(1).bytes) }) == .badStatement)
        // The two removals begin after the name and their count.
        let removals = 73 + 2 + 4 + 1
        #expect(fault(message { $0[removals] = 9 }) == .badStatement)
        #expect(fault(message { $0[0] = 2 }) == .badStatement, "a removal names no others")
        #expect(fault([11, 0]) == .badStatement)
        #expect(fault([11, 65]) == .badStatement)
        #expect(fault([12, 1]) == .unknownMessage(12))
    }

    @Test("a statement has room in a message together with 63 others, however long all of them are")
    func room() throws {
        let removals = (0..<80).map { HouseholdStatement.Removal(by: Sample.peer($0 + 20), number: 1) }
        let long = HouseholdStatement(
            about: Sample.peer(2),
            named: Self.name(String(repeating: "n", count: 63)),
            number: 1,
            .paired(after: removals),
            sealedBy: Sample.seal(1)
        )
        let messages = HouseholdMessage.messages(for: [HouseholdStatement](repeating: long, count: 130))
        #expect(messages.map(\.statements.count) == [64, 64, 2])
        #expect(messages.allSatisfy { $0.encoded.count <= SaveMessage.maximumByteCount })
    }

    @Test("a statement counts against an allowance that grows back with time")
    func allowance() {
        let start = ContinuousClock.Instant.now
        var allowance = StatementAllowance(at: start)
        let all = StatementAllowance.most
        #expect(allowance.take(all, at: start) == true)
        #expect(allowance.take(1, at: start) == false)
        #expect(allowance.take(4, at: start + .seconds(1)) == true)
        #expect(allowance.take(1, at: start + .seconds(1)) == false)
        #expect(allowance.take(all, at: start + .seconds(86_400)) == true)
        #expect(allowance.take(1, at: start) == false, "a clock that goes back gives nothing")
    }
}
