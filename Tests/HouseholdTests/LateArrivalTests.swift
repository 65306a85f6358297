import Glibc
import Ledger
import LinuxPlatform
import Session
import SessionRules
import TestSupport
import Testing
import Vocabulary

@testable import Household

@Engine
@Suite("Arrivals while a household ends", .timeLimit(.minutes(10)))
struct LateArrivalTests {
    /// Two paired machines, in a session of the guest.
    private func between(_ work: (_ guest: Session, _ host: Home) async throws -> Void) async throws {
        let (guest, host) = (try await Home("Deck"), try await Home("Desk"))
        guest.run()
        host.run()
        do {
            try await guest.knows(host)
            try await host.knows(guest)
            let session = guest.node.session(SessionConfiguration(name: try Label("chat"), topology: .mesh))
            try await guest.node.invite(.address(try host.address), to: session)
            try await work(session, host)
        } catch {
            Issue.record(error)
        }
        await guest.end()
        await host.end()
    }

    @Test("a file that was in progress, and a message behind it, are in the list")
    func list() async throws {
        try await between { guest, host in
            let source = TemporaryFolder()
            try source.put(String(repeating: "saves", count: 12 << 20), at: "big.dat")
            // On a busy machine, the whole file may be here before the end begins.
            let reader = host.household.events.follow()
            let sending = try await guest.sendResource(at: source.path(of: "big.dat"))[0]
            while sending.progress.done == 0 { try await othersTurn() }
            await host.endHousehold()
            #expect(try await sending.finished().text == "big.dat")
            try await guest.send(Array("and this".utf8))
            try await guest.delivered()
            await host.end()
            let kinds = try await host.node.ledger.inbox.all().map(\.content)
            let path = "\(host.household.folder.path)/big.dat"
            #expect(Set(kinds) == [.file(try FileName("big.dat"), path: path), .message(Array("and this".utf8))])
            #expect(
                reader.rest().map(\.name).filter { ["received", "message"].contains($0) } == ["received", "message"]
            )
        }
    }

    @Test("An incomplete file at the end is reported as incomplete")
    func tooLate() async throws {
        try await between { guest, host in
            let source = TemporaryFolder()
            try source.put("saves", at: "big.dat")
            // The file is larger than the part that arrives before the cancellation, even on a busy machine.
            try #require(truncate(source.path(of: "big.dat"), 16 << 30) == 0)
            let sending = try await guest.sendResource(at: source.path(of: "big.dat"))[0]
            while sending.progress.done == 0 { try await othersTurn() }
            let reader = host.household.events.follow()
            // Both happen at the same time: otherwise, on a busy machine, the whole file could be here before the
            // household has ended.
            async let ending: Void = host.endHousehold()
            await Task.yield()
            sending.cancel()
            await ending
            await host.end()
            let names = reader.rest().compactMap { line in
                if case .notReceived(let event) = line.event { event.name } else { nil }
            }
            #expect(names.contains("big.dat"))
            #expect(try await host.node.ledger.inbox.all().isEmpty)
        }
    }
}
