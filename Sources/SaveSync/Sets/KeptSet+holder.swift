import Session
import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// Who plays, here or elsewhere, from one start of the program to the next: until a lease runs out, it counts.
extension KeptSet {
    /// Goes on with who played when the program ended.
    func recall(_ kept: KeptClaim?) async {
        guard let kept else { return }
        let actions = lease.recall(kept.claim, after: kept.silence(at: .now), at: .current)
        if lease.claimant == nil, kept.claim.peer != keeper.node.id { cutOffPlayer = kept.claim.peer }
        toldHolder = lease.claimant
        // What has run out meanwhile is not kept any longer.
        keptHolder = lastHeld ?? (kept.claim, .current)
        // However long ago that was: a game may outlive its lease, and what others hear of it.
        if kept.claim.peer == keeper.node.id { awaitGame() }
        if let toldHolder {
            // Where the ledger can't say, its id is said.
            holderName = (try? await keeper.ledger.peer(toldHolder))?.name?.description
        }
        // Nobody has begun to play just now.
        perform(actions.filter { $0 != .granted })
    }

    /// A game ran here when the program ended, and may run still: whoever has begun it says so soon, or it is found. Until then nothing is put
    /// under it, and the others go on hearing of it.
    func awaitGame() {
        guard isAlive else { return }
        comebackTimer = Engine.schedule(at: .current + keeper.patience.comeback) { [weak self] in
            guard let self else { return }
            self.keeper.crew.add {
                await self.lookForProgram()
                self.comebackTimer = nil
                guard !self.isGameRunning else { return }
                // Meanwhile somebody else may play, or somebody here may wait for the lease.
                if self.lease.state == .held { self.release() } else { self.perform([]) }
            }
        }
    }

    /// Whether a game ran here has been said.
    func awaitGameNoMore() {
        comebackTimer?.cancel()
        comebackTimer = nil
    }

    private var lastHeld: (claim: LeaseClaim, heard: ContinuousClock.Instant)? { lease.lastHeld ?? lease.ownHeld }

    /// Has who plays outlive the program. However often a peer says so, it is written once a second at most.
    ///
    /// Of a machine that was cut off while it played, what it said last stays until it says more.
    func keepHolder() {
        guard !isHolderBeingKept, isHolderNews, cutOffPlayer == nil else { return }
        isHolderBeingKept = true
        keeper.crew.add {
            while self.isHolderNews, self.life != .left {
                let holder = self.lastHeld
                self.keptHolder = holder
                let ago = holder.map { ContinuousClock.Instant.current - $0.heard } ?? .zero
                // A disk that takes nothing more is told of by what matters more; the next word of whoever plays is tried again.
                try? await self.keeper.ledger.keep(
                    holder?.claim,
                    of: self.id,
                    heardAt: .now + -ago.components.seconds
                )
            }
            self.isHolderBeingKept = false
        }
    }

    /// Whether the ledger knows another holder, or has not heard of this one for a while.
    private var isHolderNews: Bool {
        guard let holder = lastHeld, let kept = keptHolder else {
            return (lastHeld == nil) != (keptHolder == nil)
        }
        return holder.claim.peer != kept.claim.peer || holder.claim.term != kept.claim.term
            || holder.heard - kept.heard >= .seconds(1)
    }
}
