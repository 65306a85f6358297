import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Who plays, here or elsewhere, from one start of the program to the next: until a lease runs out, it counts.
extension KeptSet {
    /// Goes on with who played when the program ended.
    func recall(_ kept: KeptClaim?) async {
        guard let kept else { return }
        let actions = lease.recall(kept.claim, after: kept.silence(at: .now), at: .now)
        toldHolder = lease.claimant
        // What has run out meanwhile is not kept any longer.
        keptHolder = lastHeld ?? (kept.claim, .now)
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
        guard !isAtRest else { return }
        comebackTimer = Engine.schedule(at: .now + keeper.patience.comeback) { [weak self] in
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
    func keepHolder() {
        guard !isHolderBeingKept, isHolderNews else { return }
        isHolderBeingKept = true
        keeper.crew.add {
            while self.isHolderNews, self.keeper.sets[self.id] === self {
                let holder = self.lastHeld
                self.keptHolder = holder
                let ago = holder.map { ContinuousClock.now - $0.heard } ?? .zero
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
