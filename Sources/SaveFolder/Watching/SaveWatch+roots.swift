import LinuxPlatform
import SaveRules

extension SaveWatch {
    /// Watches a set from the beginning, wherever it is now.
    func rearm(_ set: SaveSetID) { look(at: set) { $0.isArming = true } }

    /// Looks at the root beside the loop before anything on the loop touches that disk: one that gives no answer must not hold up the other sets. What is to be done
    /// there is done once it has given one.
    ///
    /// - Parameter anew: whether what a look says that is under way is out of date
    func look(at set: SaveSetID, anew: Bool = false, for add: (inout RootErrand) -> Void) {
        guard var errand = sets[set]?.errand else { return }
        add(&errand)
        sets[set]?.errand = errand
        if sets[set]?.rootLook == .done { return look(at: set) }
        if anew { sets[set]?.rootLook = .wantedAgain }
    }

    private func look(at set: SaveSetID) {
        guard let folder = sets[set]?.folder else { return }
        sets[set]?.rootLook = .underWay
        loop.ask("saves") { [lookAtRoot] in
            lookAtRoot(folder.place.root)
        } then: { [weak self] root in
            await self?.saw(root, of: set, folder)
        }
    }

    private func saw(_ now: MountedFolder?, of set: SaveSetID, _ folder: SaveFolder) {
        guard let watched = sets[set], watched.folder === folder else { return }
        let (errand, isOutdated) = (watched.errand, watched.rootLook == .wantedAgain)
        // The disk has answered, which is all that a set needs to be watched that is not yet: mounts that come and go all the time must not keep it from that. One that
        // is may lie bare now.
        guard !isOutdated || errand.isArming && !errand.isUnmounted && watched.isThere != true else {
            return look(at: set)
        }
        sets[set]?.rootLook = .done
        sets[set]?.errand = RootErrand()
        if isOutdated {
            arm(set)
            return look(at: set) { $0.isComparing = errand.isComparing }
        }
        let isElsewhere = watched.isThere == true && watched.root.map { $0.identity != now?.identity } ?? false
        if errand.isUnmounted {
            sets[set]?.bareDevice = now.flatMap { watched.isBare($0) ? $0.identity.device : nil }
        } else if errand.isComparing, isElsewhere, let now, now.identity.device != watched.root?.identity.device,
            watched.isBare(now)
        {
            sets[set]?.bareDevice = now.identity.device
        }
        // Also what is not there may have to be waited for in another folder.
        if errand.isArming || errand.isComparing && (isElsewhere || watched.isThere == false) { return arm(set) }
        guard !errand.newFolders.isEmpty else { return }
        for path in errand.newFolders { watchNew(path, set, folder.place) }
        // What came into them before they were watched may have been read already, or not.
        changed([set])
    }
}
