import Ledger
import Vocabulary

/// The machines in the last reading of the store. A comparison shows which machines another program has removed: the
/// store itself keeps no trace of them.
struct KnownMachines {
    private var arePaired: [PeerID: Bool] = [:]
    private var begun = 0
    private var taken = 0

    /// Returns the number of a reading that begins now.
    mutating func beginReading() -> Int {
        begun += 1
        return begun
    }

    /// Takes the result of a reading.
    ///
    /// - Returns: the machines that are forgotten or no longer paired since the last reading; nil if a later reading
    ///   has been taken. An early reading that arrives late may miss a machine that was paired meanwhile, and that
    ///   machine is not forgotten
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
