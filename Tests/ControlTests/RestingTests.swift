import LinuxPlatform
import Household
import SaveService
import Session
import TestSupport
import Testing

@testable import Control

@Engine
@Suite("Release of memory after work", .timeLimit(.minutes(4)))
struct RestingTests {
    /// Waits until a daemon is idle after its start, makes it work, and waits until it is idle again.
    private func restsAgain(after work: (AskedHousehold) async throws -> Void) async throws {
        let asked = try await AskedHousehold()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await asked.saves.run() }
            _ = try await asked.rests.wait { $0 == 1 }
            try await work(asked)
            _ = try await asked.rests.wait { $0 == 2 }
            group.cancelAll()
        }
    }

    @Test("A daemon releases memory after work for peers")
    func afterNews() async throws {
        try await restsAgain { $0.household.tell(DaemonLine(.noDesktop(NoDesktopEvent()), "somebody came in")) }
    }

    @Test("A daemon releases memory after a local request")
    func afterQuestion() async throws {
        try await restsAgain { asked in
            let status = try await asked.ask("POST", "/v1/messages", "no").status
            #expect(status == 400)
        }
    }

    @Test("A daemon counts as working during a request, and as idle after it")
    func followed() async throws {
        let (asked, worked) = (try await AskedHousehold(), Probe(0))
        asked.household.whenWorked { worked.count() }
        let seen = Probe<[Int]>([])
        let counting: ControlRoute.Handler = { _ in
            .follow { tell in
                for number in 1...2 {
                    seen.record(worked.value)
                    try await tell(DaemonLine.trouble("\(number)"))
                }
            }
        }
        let endpoints = [Endpoint.Method.get, .post].map { Endpoint($0, "/v1/counted", "counts") }
        let routes = endpoints.map { ControlRoute($0, counting) }
        let control = Control(asked.household, as: AskedHousehold.facts, adding: routes)
        for endpoint in endpoints {
            let response = await control.answer(endpoint.request())
            guard case .stream(let next) = response.body else { return #expect(Bool(false)) }
            while try await next() != nil {}
        }
        // A request that only reads is no work. An action counts at its start, with each line, and at its end.
        #expect(seen.value == [0, 0, 1, 2])
        #expect(worked.value == 4)
    }
}
