import CLinux
import Glibc

/// Tells when one of several paths may have come into being, changed or gone, without looking again and again.
///
/// It watches the nearest folder above each path that exists. What woke it may be a neighbour of the path, so the caller
/// looks for itself. Made for one wait; the next one needs a new watch, for the folders may be others by then.
public final class ArrivalWatch: Sendable {
    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    /// Whatever happens from now on is noticed.
    public init(for paths: [String], on loop: EventLoop) throws(SystemError) {
        let number = try retrying("inotify_init1") { inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        self.loop = loop
        for folder in Set(paths.map(Self.nearestFolder)) {
            // A folder that vanished meanwhile is no fault: its parent's turn comes with the next watch.
            _ = inotify_add_watch(number, folder, UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_DELETE_SELF))
        }
    }

    /// Suspends until something has happened or the time is up; answers which. Cancelling the task ends it early.
    public func happened(within limit: Duration) async -> Bool {
        let resumption = Resumption<Bool>()
        let timer = loop.schedule(after: limit) { @Sendable in resumption.resume(with: .success(false)) }
        let bits = Readiness.readable.rawValue | EPOLLONESHOT.rawValue
        // What can't be watched for is waited for.
        let watch = try? loop.watch(descriptor.number, epollBits: bits) { @Sendable _ in
            resumption.resume(with: .success(true))
        }
        defer {
            timer.cancel()
            watch?.cancel()
        }
        return (try? await resumption.valueUnlessCancelled()) ?? false
    }

    private static func nearestFolder(above path: String) -> String {
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/"), slash != folder.startIndex {
            folder = folder[..<slash]
            if access(String(folder), F_OK) == 0 { return String(folder) }
        }
        return "/"
    }
}
