import Ledger
import LinuxPlatform
import Vocabulary

/// The rights of other machines here, as the ledger last returned them.
@Engine
final class PeerRights {
    private let ledger: Ledger
    private var known: [PeerID: SharerRights] = [:]
    /// Runs when the rights of a machine have changed.
    var whenChanged: @Engine (PeerID, SharerRights) -> Void = { _, _ in }
    /// The machines that were allowed to sync at the last look-up.
    private var welcome: Set<PeerID> = []

    init(_ ledger: Ledger) { self.ledger = ledger }

    subscript(peer: PeerID) -> SharerRights? { known[peer] }

    /// Asks the ledger. If it gives no answer, nothing is exchanged, and the known rights stay known.
    @discardableResult
    func lookUp(_ peer: PeerID) async -> SharerRights {
        guard let found = try? await ledger.peer(peer).map(SharerRights.init) ?? .unknown else { return .notPermitted }
        if known.updateValue(found, forKey: peer) != found { whenChanged(peer, found) }
        return found
    }

    /// True if policy and permissions let a machine sync saves with this one.
    func mayExchange(with peer: PeerID) async -> Bool { await lookUp(peer) == .mayExchange }

    /// Notes if a machine is allowed to sync. Returns true if that has changed since the last call.
    func note(welcome isWelcome: Bool, _ peer: PeerID) -> Bool {
        isWelcome ? welcome.insert(peer).inserted : welcome.remove(peer) != nil
    }

    /// Machines that were offered a game and are blocked or forgotten here. No other machine hears of them.
    var barred: Set<PeerID> { Set(known.filter { $0.value == .blocked || $0.value == .unknown }.keys) }
}
