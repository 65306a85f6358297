import LinuxPlatform
import Household
import Ledger
import Session
import SessionRules
import Vocabulary

/// The routes that every household has.
@Engine
struct HouseholdRoutes {
    let household: Household
    let facts: ProgramFacts
    let streams = StreamDesk()

    var node: Node { household.node }
    var ledger: Ledger { household.node.ledger }

    init(_ household: Household, _ facts: ProgramFacts) {
        self.household = household
        self.facts = facts
    }

    var table: [ControlRoute] { looking + deciding + calling + streaming }

    private var looking: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/status", "who runs, and how it is") { _ in .lines([try await status()]) },
            ControlRoute("GET", "/v1/settings", "what holds for the daemon, and where each of it comes from") { _ in
                .lines(facts.settings.news)
            },
            ControlRoute("GET", "/v1/events", "what happens from now on, and what waits") { _ in events() },
            ControlRoute("GET", "/v1/peers", "who is known and who is there") { _ in .lines(try await peers()) },
            ControlRoute("GET", "/v1/identity", "who this machine is to others") { _ in
                .lines([identity(named: node.configuration.name)])
            },
            ControlRoute("GET", "/v1/invitations", "who waits to be let in") { call in
                .lines(try await invitations(call))
            },
            ControlRoute("GET", "/v1/inbox", "what has arrived") { _ in try await inbox() },
            ControlRoute("GET", "/v1/log", "who asked, who was let in, what was sent") { call in
                .lines(try await log(call))
            },
            ControlRoute("GET", "/v1/policy", "who comes in how") { _ in .lines(try await policies()) },
            ControlRoute("GET", "/metrics", "numbers for Prometheus") { _ in
                .text(try await Metrics(of: household).text, type: Metrics.type)
            },
        ]
    }
}
