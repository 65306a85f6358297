import LinuxPlatform
import SaveRules

extension SaveWatch {
    /// Sets up the watches of a set again.
    func rearm(_ set: SaveSetID) {
        sets[set]?.folder.heard.deafen()
        look(at: set) { $0.isArming = true }
    }

    /// Checks the root on another thread before the loop uses that disk: a disk that does not answer must not delay the
    /// other games. The errand is done after the answer.
    ///
    /// - Parameter isOutOfDate: true if the result of a running check is out of date
    func look(at set: SaveSetID, isOutOfDate: Bool = false, for add: (inout RootErrand) -> Void) {
        guard var errand = sets[set]?.errand else { return }
        add(&errand)
        sets[set]?.errand = errand
        if sets[set]?.rootLook == .done { return look(at: set) }
        if isOutOfDate { sets[set]?.rootLook = .wantedAgain }
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
        // The disk has answered, which is enough to watch a game that has no watch yet: frequent mounts must not
        // prevent that. A watched folder may be on an uncovered mount point now.
        guard !isOutdated || errand.isArming && !errand.isUnmounted && watched.place.isThere != true else {
            return look(at: set)
        }
        sets[set]?.rootLook = .done
        sets[set]?.errand = RootErrand()
        if isOutdated {
            arm(set)
            return look(at: set) { $0.isComparing = errand.isComparing }
        }
        let isElsewhere =
            watched.place.isThere == true && watched.place.root.map { $0.identity != now?.identity } ?? false
        if errand.isUnmounted {
            sets[set]?.place.bareDevice = now.flatMap { watched.place.isBare($0) ? $0.identity.device : nil }
        } else if errand.isComparing, isElsewhere, let now, now.identity.device != watched.place.root?.identity.device,
            watched.place.isBare(now)
        {
            sets[set]?.place.bareDevice = now.identity.device
        }
        // A missing root may need a watch on another folder.
        if errand.isArming || errand.isComparing && (isElsewhere || watched.place.isThere == false) { return arm(set) }
        guard !errand.newFolders.isEmpty else { return }
        for path in errand.newFolders { watchNew(path, set, folder.place) }
        if mounts != nil { sets[set]?.listenIfWhole() }
        // Changes before the watch may have been read already, or not.
        changed([set])
    }
}
