public import Vocabulary

extension Node {
    /// Takes up that the ledger has another paired machine, for which a machine of the household vouches.
    public func hasPaired(_ peer: PeerID) async {
        await updatePairedMachines()
        whenRightsChange(peer)
    }
}
