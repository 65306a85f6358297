import SaveRules
import Workbench

/// The standing of a machine at the last update, and the last statement about it.
struct HouseholdStory {
    var standing: MachineStanding?
    var hasSaid: Bool?
    var isVouchedFor = false

    mutating func look(_ now: MachineStanding) -> [HouseholdStep] {
        let step = HouseholdStep(from: standing, to: now, hasSaid: hasSaid, isVouchedFor: isVouchedFor)
        standing = now
        return step == .nothing ? [] : [step]
    }

    var state: String { standing.map { "\($0)" } ?? "unknown" }
}

extension MachineTable where Machine == HouseholdStory {
    static func household() -> Self {
        var table = Self("household-step") { $0.state }
        table.row("unknown, nothing said") { HouseholdStory() }
        table.row("unknown, vouched for by others") { HouseholdStory(isVouchedFor: true) }
        table.row("unknown, said: paired") { HouseholdStory(hasSaid: true) }
        table.row("unknown, said: removed") { HouseholdStory(hasSaid: false) }
        table.row("mine, nothing said") { HouseholdStory(standing: .mine) }
        table.row("mine, vouched for by others") { HouseholdStory(standing: .mine, isVouchedFor: true) }
        table.row("mine, said: paired") { HouseholdStory(standing: .mine, hasSaid: true) }
        table.row("guest") { HouseholdStory(standing: .guest) }
        table.row("blocked, said: removed") { HouseholdStory(standing: .blocked, hasSaid: false) }
        table.row("forgotten") { HouseholdStory(standing: .forgotten) }
        table.row("stranger, said: removed") { HouseholdStory(standing: .stranger, hasSaid: false) }
        for standing in MachineStanding.allCases { table.column("\(standing)") { $0.look(standing) } }
        return table
    }
}
