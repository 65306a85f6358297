import CLinux
import Glibc
public import Vocabulary

/// Tells when one of several files of a folder was touched or closed by somebody who had it open for writing, without
/// looking again and again. Made for one reader.
///
/// The kernel's queue only wakes the reader; what there is to see, the reader looks at itself. So nothing piles up while the
/// reader is busy, and nothing is missed when the queue overflows. The files need not exist yet.
public final class FileWatch: Sendable {
    private let descriptor: OwnedDescriptor
    private let names: Set<FileName>
    private let loop: EventLoop

    /// Whatever happens from now on is noticed.
    ///
    /// - Parameters:
    ///   - names: the files
    ///   - folder: the path of the folder they are in
    public init(of names: Set<FileName>, in folder: String, on loop: EventLoop) throws(SystemError) {
        let number = try retrying("inotify_init1") { inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        self.names = names
        self.loop = loop
        // Not each write: it comes before what the writer does is complete, and a large one is thousands.
        let events = UInt32(IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR)
        try retrying("inotify_add_watch", on: folder) { inotify_add_watch(number, folder, events) }
    }

    /// Suspends until one of the files has been touched, written and closed, or replaced since the last time.
    public nonisolated(nonsending) func changed() async throws {
        while try !hasChanged() {
            try await loop.waitUntil(.readable, descriptor.number)
        }
    }

    /// Takes everything out of the queue.
    private func hasChanged() throws(SystemError) -> Bool {
        var hasChanged = false
        // An event has at most a name of 255 bytes and its zero.
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = try retryingUnlessBlocked("read") { read(descriptor.number, &buffer, buffer.count) }
            guard let count, count > 0 else { return hasChanged }
            if concernsUs(buffer[..<count]) { hasChanged = true }
        }
    }

    private func concernsUs(_ events: ArraySlice<UInt8>) -> Bool {
        var rest = events
        let headLength = MemoryLayout<inotify_event>.size
        while rest.count >= headLength {
            let head = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(headLength).prefix(Int(head.len)).prefix { $0 != 0 }
            // The folder has been taken away, or events were lost: the reader has to look either way.
            if head.mask & UInt32(IN_Q_OVERFLOW | IN_IGNORED) != 0 { return true }
            if let name = try? FileName(bytes: name), names.contains(name) { return true }
            rest = rest.dropFirst(headLength + Int(head.len))
        }
        return false
    }
}
