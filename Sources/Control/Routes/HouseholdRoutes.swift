import LinuxPlatform
import Household
import Ledger
import Session
import SessionRules
import Vocabulary

/// The routes of each household.
@Engine
struct HouseholdRoutes {
    let household: Household
    let facts: ProgramFacts

    var node: Node { household.node }
    var ledger: Ledger { household.node.ledger }

    init(_ household: Household, _ facts: ProgramFacts) {
        self.household = household
        self.facts = facts
    }

    var table: [ControlRoute] { looking + deciding + keeping + calling + StreamRoutes(household).table }

    private var looking: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/status", "state of the daemon") { _ in .lines([try await status()]) },
            ControlRoute("GET", "/v1/settings", "settings of the daemon with their sources") { _ in
                .lines(facts.settings.line)
            },
            ControlRoute("GET", "/v1/events", "present state and later events") { _ in events() },
            ControlRoute("GET", "/v1/peers", "paired and visible machines") { _ in .lines(try await peers()) },
            ControlRoute("GET", "/v1/identity", "name and ID of this machine") { _ in
                .lines([identity(named: node.configuration.name)])
            },
            ControlRoute("GET", "/v1/invitations", "waiting invitations") { call in
                .lines(try await invitations(call))
            },
            ControlRoute("GET", "/v1/inbox", "entries of the inbox") { _ in try await inbox() },
            ControlRoute("GET", "/v1/log", "log of invitations, pairings and transfers") { call in
                .lines(try await log(call))
            },
            ControlRoute("GET", "/v1/policy", "policies") { _ in .lines(try await policies()) },
            ControlRoute("GET", "/metrics", "metrics for Prometheus") { _ in
                .text(try await Metrics(of: household).text, type: Metrics.type)
            },
        ]
    }
}
