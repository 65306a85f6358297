import LinuxPlatform
import SaveRules
import Vocabulary

/// The entry of a game that an event of a watched folder is about.
struct HeardEvent {
    let path: SavePath
    let isFolder: Bool

    /// Nil if it is about no entry of the game.
    ///
    /// - Parameter folder: the watched folder; nil for the root of the game
    init?(_ event: Inotify.Event, in folder: SavePath?, of place: SetPlace) {
        guard let name = try? FileName(bytes: event.name),
            let path = folder.map({ try? $0.appending(name) }) ?? SavePath(name)
        else { return nil }
        (self.path, isFolder) = (path, event.events.contains(.isFolder))
        if folder == nil, StagingName.matches(name) { return nil }
        guard place.holds(path, named: name, isFolder: isFolder) else { return nil }
    }
}

extension HeardChanges {
    /// Notes an event of a watched folder.
    ///
    /// - Returns: the entry; nil if the event is about no entry of the game
    func note(_ event: Inotify.Event, in folder: SavePath?, of place: SetPlace) -> HeardEvent? {
        guard let about = HeardEvent(event, in: folder, of: place) else {
            if isUnfit(event, in: folder, of: place) { note(nil) }
            return nil
        }
        note(about.isFolder ? nil : about.path)
        return about
    }

    /// True if the event is about an entry that no version can have. A scan of everything counts it.
    private func isUnfit(_ event: Inotify.Event, in folder: SavePath?, of place: SetPlace) -> Bool {
        guard let name = try? FileName(bytes: event.name) else { return folder != nil || place.extent == .everything }
        return folder.map { (try? $0.appending(name)) == nil } ?? false
    }
}
