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
            ControlRoute(.status) { _ in .lines([try await status()]) },
            ControlRoute(.settings) { _ in
                .lines(facts.settings.lines)
            },
            ControlRoute(.events) { _ in events() },
            ControlRoute(.peers) { _ in .lines(try await peers()) },
            ControlRoute(.identity) { _ in
                .lines([identity(named: node.configuration.name)])
            },
            ControlRoute(.invitations) { call in
                .lines(try await invitations(call))
            },
            ControlRoute(.inbox) { _ in try await inbox() },
            ControlRoute(.log) { call in
                .lines(try await log(call))
            },
            ControlRoute(.policies) { _ in .lines(try await policies()) },
            ControlRoute(.metrics) { _ in
                .text(try await Metrics(of: household).text, type: Metrics.type)
            },
        ]
    }
}
