import Household
import LinuxPlatform
import SaveRules
import SaveSync
import Session
import Vocabulary

/// The machines of the household that vouch for each other, in the household and in its events.
extension SaveService {
    /// Connects the statements of the household. Call it before the household runs.
    func joinVouching() {
        household.vouching = Vouching { [weak engine] in
            let removed = engine?.household.removed ?? []
            return Dictionary(removed.map { ($0.subject, $0.vouchers) }) { first, _ in first }
        } keep: { [weak engine] peer in
            try await engine?.household.keep(peer) ?? false
        }
        engine.household.whenChanged = { [weak self] change in
            guard let self else { return }
            household.node.tasks.add { self.household.tell(await GameEventWording(self.household).line(change)) }
        }
    }
}
