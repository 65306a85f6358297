import LinuxPlatform
import SaveRules
import SaveSync
import Vocabulary

/// Prints events, states and effects of the daemons' games for a reader. They are not part of the hash.
extension Trace {
    @Engine
    func printSteps(of machines: [SimulatedMachine]) {
        let names = Dictionary(uniqueKeysWithValues: machines.map { ($0.id, $0.name) })
        StepTrace.observe = { [weak self] event, state, effects in
            var words =
                "\(Self.words(of: event)) → \(Self.words(of: state)) → \(effects.map { "\($0)".prefix(120) }.joined(separator: ", "))"
            for (id, name) in names { words = words.replacing("\(id)", with: name) }
            self?.print(names[state.heads.own] ?? "?", words)
        }
    }

    /// A short form, because all versions of a game would fill pages.
    private static func words(of event: SaveSetEvent) -> String {
        switch event {
        case .versions(.stored(_, let actions)): "versions stored, \(actions)"
        case .versions(.notStored(_, let made)): "versions not stored: \(made.map(\.short))"
        default: String("\(event)".prefix(160))
        }
    }

    private static func words(of state: SaveSetMachine) -> String {
        let heads = state.heads.heads.map(\.short).joined(separator: " ")
        return
            "newest [\(heads)] shown \(state.heads.applied?.short ?? "nothing") lock \(state.play.lease.state) \(state.life)"
    }
}
