import Control
import FoundationEssentials
import Household
import LinuxPlatform
import TestSupport
import Testing
import Vocabulary

@Suite("Three machines of a household with daemons", .timeLimit(.minutes(5)))
struct VouchingTests {
    let desk = Machine("Desk")
    let deck = Machine("Deck")
    let box = Machine("Box")

    private func ask(_ machine: Machine, _ words: String...) async throws -> String {
        let answer = try await machine.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    private func wait(for event: String, in events: ResponseEvents, _ place: SourceLocation = #_sourceLocation)
        async throws
    {
        while let line = try await events.next() {
            if line.name == event { return }
        }
        Issue.record("“\(event)” was not told", sourceLocation: place)
    }

    private func machines(of machine: Machine) async throws -> [String: MachineInfo] {
        let lines = try await machine.control().events(Endpoint.peers.request())
        var all: [String: MachineInfo] = [:]
        while let line = try await lines.next() {
            if let info = line.machine { all[info.machine.name?.text ?? ""] = info }
        }
        return all
    }

    @Test(
        "the three machines are all paired after two codes, show the voucher, and decide about a machine that one of them removes"
    )
    func household() async throws {
        let daemons = [
            try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck),
            try await RunningDaemon.start(on: box),
        ]
        try await desk.meets(deck, at: daemons[0])
        let (atDesk, atBox) = (try await desk.events(), try await box.events())
        try await deck.meets(box, at: daemons[1])
        try await wait(for: "vouched", in: atDesk)
        try await wait(for: "vouched", in: atBox)

        let (here, there) = (try await machines(of: desk), try await machines(of: box))
        let (shown, other) = (try #require(here["Box"]), try #require(there["Desk"]))
        for machine in [shown, other] {
            #expect(machine.isPaired && machine.policy == .accept && machine.pairedAt != nil)
            #expect(machine.voucher == here["Deck"]?.machine.id.description, "\(machine)")
        }
        #expect(here["Deck"]?.voucher == nil)
        #expect(try await ask(desk, "peers").contains("as Deck vouches for it"))
        #expect(try await ask(desk, "peers", "--json").contains("\"voucher\""))
        #expect(try await ask(desk, "log").contains("vouched"))

        _ = try await ask(deck, "forget", "Box")
        try await wait(for: "removed-elsewhere", in: atDesk)
        #expect(try await ask(desk).contains("Deck removed Box → huddle keep Box, or huddle forget Box"))
        #expect(try await ask(desk, "keep", "Box").contains("Kept Box"))
        #expect(try await !ask(desk).contains("removed Box"))
        let again = try await desk.huddle("keep", "Box")
        #expect(again.status == .exited(4) && again.standardError.text.contains("no machine has removed Box"))
        for daemon in daemons { try await daemon.stop() }
    }
}
