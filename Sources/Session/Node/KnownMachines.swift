import Ledger
import Vocabulary

/// Whom the ledger knew when it was last read. So the daemon notices a machine that another program forgets: the ledger itself keeps no trace.
struct KnownMachines {
    /// Whether the key of each is paired.
    private var arePaired: [PeerID: Bool] = [:]
    private var begun = 0
    private var taken = 0

    /// A reading begins. Answers its number.
    mutating func beginReading() -> Int {
        begun += 1
        return begun
    }

    /// Takes what a reading has found.
    ///
    /// - Returns: who is forgotten since, or no longer paired; nil if a later reading has been taken. An early one that arrives late may not have
    ///   a machine that has been paired meanwhile, and that is not forgotten.
    mutating func take(_ peers: [KnownPeer], from reading: Int) -> Set<PeerID>? {
        guard reading > taken else { return nil }
        let found = Dictionary(peers.map { ($0.id, $0.isPinned) }, uniquingKeysWith: { $0 || $1 })
        let forgotten = arePaired.filter { peer, wasPaired in
            guard let isPaired = found[peer] else { return true }
            return wasPaired && !isPaired
        }
        (taken, arePaired) = (reading, found)
        return Set(forgotten.keys)
    }
}
