import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

extension SaveWatch {
    // MARK: Watches

    /// Sets up the watches of a game's folder and of the path to it. Its disk has just answered.
    func arm(_ set: SaveSetID) {
        awaitMounts()
        guard let watched = sets[set] else { return }
        // Between the old watches and the new ones, changes go unheard.
        watched.folder.heard.deafen()
        letGo(of: set, watched.watches)
        sets[set]?.watches = []
        sets[set]?.hasGap = false
        do throws(SaveFolderError) {
            for anchor in PathAnchor.all(of: watched.folder.place.root) { try watch(anchor, set) }
            try watchRoot(set, watched)
            if watched.isUnwatched {
                sets[set]?.isUnwatched = false
                watched.tell(.watched)
            }
            if mounts != nil { sets[set]?.listenIfWhole() }
        } catch {
            // A folder that can't be watched can still be read, now and at each retry.
            if watched.place.isThere != true, watched.seemsThere {
                sets[set]?.place.seem()
                if watched.place.isThere == false { watched.tell(.back) }
            }
            cannotWatch(set, error)
        }
        changed([set])
    }

    private func watchRoot(_ set: SaveSetID, _ watched: WatchedSet) throws(SaveFolderError) {
        guard let root = try OpenFolder.opened(watched.folder.place.root), let mounted = try? root.folder.mounted(),
            mounted.identity.device != watched.place.bareDevice
        else {
            sets[set]?.place.miss()
            if watched.place.isThere != false { watched.tell(.gone) }
            return
        }
        sets[set]?.place.find(mounted)
        if watched.place.isThere == false { watched.tell(.back) }
        try watchTree(root, nil, set, watched.folder.place)
    }

    /// Watches a folder of the game and the folders in it.
    private func watchTree(
        _ folder: OpenFolder,
        _ path: SavePath?,
        _ set: SaveSetID,
        _ place: SetPlace
    ) throws(SaveFolderError) {
        // The watch comes before the listing: a change in between is seen twice, never missed.
        guard try watch(folder, .within(set, path), place.path(of: path)) else { return }
        guard let entries = try? folder.folder.entries(limit: Manifest.maximumEntryCount) else {
            sets[set]?.hasGap = true
            return
        }
        for entry in entries where entry.kind == .folder {
            guard let name = entry.name, let inner = path.map({ try? $0.appending(name) }) ?? SavePath(name),
                place.holds(inner, named: name, isFolder: true)
            else { continue }
            guard let within = folder.opened(name) else {
                sets[set]?.hasGap = true
                continue
            }
            try watchTree(within, inner, set, place)
        }
    }

    /// - Returns: false if the folder disappeared meanwhile
    private func watch(
        _ folder: OpenFolder,
        _ role: WatchRole,
        _ path: @autoclosure () -> String
    ) throws(SaveFolderError) -> Bool {
        do throws(SystemError) {
            let opening: Inotify.Events = sets[role.set]?.tellsOpening == true ? .opened : []
            enter(role, try queue.add(folder.folder, for: .within.union(opening), [.onlyFolders, .adding]))
            return true
        } catch {
            switch error.number {
            case ENOENT, ENOTDIR, ESTALE: return false
            case ENOSPC: throw .tooManyWatches(path(), cause: error)
            default: throw SaveFolderError(error, at: path())
            }
        }
    }

    /// An existing entry is watched itself, so that changes of other entries, as in a busy folder, cause no event.
    private func watch(_ anchor: PathAnchor, _ set: SaveSetID) throws(SaveFolderError) {
        do throws(SystemError) {
            let path = "\(anchor.folder)/\(anchor.name)"
            if anchor.isThere, let watch = try? queue.add(path, for: .onTheWay, [.notFollowing, .adding]) {
                return enter(.way(set), watch)
            }
            let watch = try queue.add(anchor.folder, for: .atTheEnd, [.onlyFolders, .adding])
            enter(.end(set, anchor.name.bytes), watch)
        } catch {
            // A folder that is enterable but not readable can't be watched; a rename in it is found at the next check.
            if error.number == ENOSPC { throw .tooManyWatches(anchor.folder, cause: error) }
        }
    }

    private func enter(_ role: WatchRole, _ watch: Inotify.Watch) {
        roles[watch, default: []].insert(role)
        sets[role.set]?.watches.insert(watch)
    }

    func letGo(of set: SaveSetID, _ watches: Set<Inotify.Watch>, where isMeant: (WatchRole) -> Bool = { _ in true }) {
        for watch in watches {
            guard let before = roles[watch] else { continue }
            let after = before.filter { $0.set != set || !isMeant($0) }
            guard after.count < before.count else { continue }
            if !after.contains(where: { $0.set == set }) { sets[set]?.watches.remove(watch) }
            roles[watch] = after.isEmpty ? nil : after
            if after.isEmpty { queue.remove(watch) }
        }
    }

    // MARK: Events

    func take(_ events: [Inotify.Event]) {
        var (changed, lost, opened) = (Set<SaveSetID>(), Set<SaveSetID>(), Set<SaveSetID>())
        var isOverflown = false
        for event in events {
            guard let watch = event.watch else {
                // The queue overflowed: everything is checked again.
                isOverflown = true
                lost.formUnion(sets.keys)
                continue
            }
            if event.events.contains(.opened) {
                for case .within(let set, let path) in roles[watch] ?? []
                where sets[set]?.isOpening(event, in: path) == true { opened.insert(set) }
                continue
            }
            for role in roles[watch] ?? [] { take(event, role, &changed, &lost) }
            if event.events.contains(.watchEnded) { forget(watch) }
        }
        for set in lost { rearm(set) }
        // A lost folder may be gone, and counts as changed when it is found; all others have changed now.
        changed = isOverflown ? Set(sets.keys) : changed.subtracting(lost)
        let first = changed.filter { sets[$0]?.settling.state == .still }
        self.changed(changed)
        for set in first where sets[set]?.settling.state == .stirring { sets[set]?.tell(.changing) }
        for set in opened { sets[set]?.tell(.opened) }
    }

    private func forget(_ watch: Inotify.Watch) {
        for role in roles.removeValue(forKey: watch) ?? [] { sets[role.set]?.watches.remove(watch) }
    }

    private func take(
        _ event: Inotify.Event,
        _ role: WatchRole,
        _ changed: inout Set<SaveSetID>,
        _ lost: inout Set<SaveSetID>
    ) {
        let isOver = !event.events.isDisjoint(with: [.selfRemoved, .selfMoved, .unmounted])
        switch role {
        case .way(let set):
            if isOver { lost.insert(set) }
        case .end(let set, let name):
            if isOver || event.name == name { lost.insert(set) }
        case .within(let set, nil) where isOver:
            sets[set]?.place.bareDevice = nil
            if event.events.contains(.unmounted) { look(at: set, isOutOfDate: true) { $0.isUnmounted = true } }
            lost.insert(set)
        case .within(let set, let path):
            if concerns(event, set, path) { changed.insert(set) }
        }
    }

    /// True if an entry of the game has changed. New folders are watched, and removed ones no longer.
    private func concerns(_ event: Inotify.Event, _ set: SaveSetID, _ path: SavePath?) -> Bool {
        guard !event.name.isEmpty else {
            sets[set]?.folder.heard.note(nil)
            return event.events.contains(.attributes)
        }
        let about = sets[set].flatMap { $0.folder.heard.note(event, in: path, of: $0.folder.place) }
        guard let about else { return false }
        guard about.isFolder else { return true }
        if !event.events.isDisjoint(with: [.movedOut, .removed]) {
            letGo(of: set, sets[set]?.watches ?? []) { role in
                guard case .within(_, let path?) = role else { return false }
                return path == about.path || path.lies(in: about.path)
            }
        }
        // If two folders change places, the event of the second one ends the watch of the first one at its new path.
        if !event.events.isDisjoint(with: [.movedIn, .movedOut, .created]) {
            // Until the new folder is watched, changes in it go unheard.
            sets[set]?.folder.heard.deafen()
            look(at: set) { $0.newFolders.insert(about.path) }
        }
        return true
    }

    func watchNew(_ path: SavePath, _ set: SaveSetID, _ place: SetPlace) {
        guard let root = OpenFolder(at: place.root), let folder = root.opened(beneath: path.names) else {
            // A folder that is gone again needs no watch.
            if FileFacts.mayBeFolder(at: place.path(of: path)) { sets[set]?.hasGap = true }
            return
        }
        do throws(SaveFolderError) {
            try watchTree(folder, path, set, place)
        } catch {
            cannotWatch(set, error)
        }
    }

    /// Reports the failure once, and retries.
    private func cannotWatch(_ set: SaveSetID, _ error: SaveFolderError) {
        guard let watched = sets[set] else { return }
        if !watched.isUnwatched { watched.tell(.unwatched(error)) }
        sets[set]?.isUnwatched = true
        retry(set, after: max(watched.unrest.pause, .seconds(10)))
    }
}
