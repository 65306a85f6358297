import Household
import SaveService
import Session
import TestSupport
import Testing

@Engine
@Suite("a daemon that has had something to do", .timeLimit(.minutes(4)))
struct RestingTests {
    @Test("gives memory back once it has nothing to do, whatever it was that it did")
    func givesBack() async throws {
        let asked = try await AskedHousehold()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await asked.saves.run() }
            _ = try await asked.rests.wait { $0 == 1 }
            asked.household.tell(SessionNews("joined", nil, "somebody came in"))
            _ = try await asked.rests.wait { $0 == 2 }
            group.cancelAll()
        }
    }
}
