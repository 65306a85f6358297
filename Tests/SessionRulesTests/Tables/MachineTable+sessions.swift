import SessionRules
import Vocabulary
import Workbench

extension MachineTable {
    init(_ page: String, state: @escaping (Machine) -> String) {
        self.init(page, isViolation: { $0 is ProtocolViolation }, words: Self.words, state: state)
    }

    /// The name of an action, with the reason it carries.
    private static func words(_ action: Any) -> String? {
        guard let child = Mirror(reflecting: action).children.first, let label = child.label else { return nil }
        switch child.value {
        case let reason as PartingReason: return "\(label) \(reason.word)"
        case let reason as PartingReason?: return "\(label) \(reason?.word ?? "yes")"
        case let outcome as TransferOutcome: return "\(label) \(words(outcome) ?? "\(outcome)")"
        case let pins as Bool where label == "join": return pins ? "join and pin" : "join"
        case let join where label == "join":
            return Mirror(reflecting: join).children.contains { $0.value as? Bool == true } ? "join and pin" : "join"
        case _: return label
        }
    }
}
