import Ledger
import LinuxPlatform
import Vocabulary

/// The rights of other machines here, as the ledger said last.
@Engine
final class PeerRights {
    private let ledger: Ledger
    private var known: [PeerID: SharerRights] = [:]
    /// The machines that were allowed to sync when that was looked up last.
    private var welcome: Set<PeerID> = []

    init(_ ledger: Ledger) { self.ledger = ledger }

    subscript(peer: PeerID) -> SharerRights? { known[peer] }

    /// Asks the ledger. If it gives no answer nothing is exchanged, and what was known before stays known.
    @discardableResult
    func lookUp(_ peer: PeerID) async -> SharerRights {
        guard let found = try? await ledger.peer(peer).map(SharerRights.init) ?? .unknown else { return .notPermitted }
        known[peer] = found
        return found
    }

    /// True if policy and permissions let a machine sync saves with this one.
    func mayExchange(with peer: PeerID) async -> Bool { await lookUp(peer) == .mayExchange }

    /// A machine is allowed to sync, or is not. Answers whether that has changed since it was said last.
    func note(welcome isWelcome: Bool, _ peer: PeerID) -> Bool {
        isWelcome ? welcome.insert(peer).inserted : welcome.remove(peer) != nil
    }

    /// Machines that a game was offered to and that are blocked or forgotten here. No other machine hears of them.
    var barred: Set<PeerID> { Set(known.filter { $0.value == .blocked || $0.value == .unknown }.keys) }
}
