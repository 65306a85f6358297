/// Reports when one of several paths may have appeared, changed or disappeared, without polling.
///
/// It watches the nearest folder above each path that exists, for the one name there that leads to the path. The caller
/// checks the path itself. It serves one wait. The next one needs a new watch, because the folders may be others by
/// then.
public final class ArrivalWatch: Sendable {
    private static let events: Inotify.Events = [
        .created, .closedAfterWriting, .movedIn, .movedOut, .removed, .selfRemoved,
    ]
    private static let always: Inotify.Events = [.selfRemoved, .watchEnded, .unmounted, .overflow]

    private let queue: Inotify
    private let names: [Inotify.Watch: Set<[UInt8]>]
    private let loop: EventLoop

    /// Creates a watch that reports every event from now on.
    ///
    /// - Parameter paths: the paths; one that ends with a slash means all names in the folder
    public init(for paths: [String], on loop: EventLoop) throws(SystemError) {
        (queue, self.loop) = (try Inotify(on: loop), loop)
        var names: [Inotify.Watch: Set<[UInt8]>] = [:]
        for path in paths {
            let (folder, name) = Self.nearestFolder(above: path)
            // A folder that vanished meanwhile is no error: the next watch is on its parent.
            guard let watch = try? queue.add(folder, for: Self.events, .onlyFolders) else { continue }
            names[watch, default: []].insert(Array(name.utf8))
        }
        self.names = names
    }

    /// Suspends until something has happened or the time is up; returns true for an event. Cancelling the task ends it
    /// early.
    public func happened(within limit: Duration) async -> Bool {
        let answer: Bool? = try? await loop.withDeadline(limit, "inotify") { await self.happened() }
        return answer ?? false
    }

    /// Suspends until something has happened; returns false if the task is cancelled, or if the watch fails.
    public func happened() async -> Bool {
        while (try? await queue.wait()) != nil, let events = try? queue.takeAll() {
            if events.contains(where: isSign) { return true }
        }
        return false
    }

    private func isSign(_ event: Inotify.Event) -> Bool {
        guard event.events.isDisjoint(with: Self.always), let wanted = event.watch.flatMap({ names[$0] }) else {
            return true
        }
        return wanted.contains([]) || wanted.contains(event.name)
    }

    /// The nearest folder above a path that exists, and the name in it that leads to the path; an empty name for all.
    private static func nearestFolder(above path: String) -> (folder: String, name: Substring) {
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), slash != rest.startIndex {
            let name = rest[rest.index(after: slash)...]
            rest = rest[..<slash]
            if (try? FileFacts(at: String(rest)))?.kind == .folder { return (String(rest), name) }
        }
        return ("/", rest.drop { $0 == "/" })
    }
}
