import CLinux
import Glibc

/// The kernel's queue of what happened to folders and files ([inotify(7)](https://man7.org/linux/man-pages/man7/inotify.7.html)).
///
/// It is for one reader. Each call may be made on any thread, but only by one at a time.
public final class Inotify: Sendable {
    /// How many things a user may watch at once; nil where the kernel doesn't say.
    public static var mostWatches: Int? {
        Int(ProcessFiles.text("/proc/sys/fs/inotify/max_user_watches").prefix { $0.isNumber })
    }

    /// What may happen, as the kernel counts it.
    public struct Events: OptionSet, Hashable, Sendable {
        /// The kernel's bits.
        public let rawValue: UInt32

        /// Makes a set of the kernel's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        init<Value: BinaryInteger>(_ value: Value) { self.init(rawValue: UInt32(value)) }

        /// The mode, the times, the owner or the number of names of something changed.
        public static let attributes = Events(IN_ATTRIB)
        /// Something was written to. A program that writes much makes many of these.
        public static let written = Events(IN_MODIFY)
        /// Something that was open for writing was closed, or the last writable mapping of it went.
        public static let closedAfterWriting = Events(IN_CLOSE_WRITE)
        /// Something was opened.
        public static let opened = Events(IN_OPEN)
        /// Something was made in the folder.
        public static let created = Events(IN_CREATE)
        /// Something in the folder was removed.
        public static let removed = Events(IN_DELETE)
        /// Something came into the folder by renaming.
        public static let movedIn = Events(IN_MOVED_TO)
        /// Something left the folder by renaming.
        public static let movedOut = Events(IN_MOVED_FROM)
        /// What is watched was removed itself.
        public static let selfRemoved = Events(IN_DELETE_SELF)
        /// What is watched was renamed itself.
        public static let selfMoved = Events(IN_MOVE_SELF)
        /// The event is about a folder.
        public static let isFolder = Events(IN_ISDIR)
        /// More happened than the queue held; what it was is lost.
        public static let overflow = Events(IN_Q_OVERFLOW)
        /// The watch has ended, by itself or by wish.
        public static let watchEnded = Events(IN_IGNORED)
        /// The file system of what is watched was taken away.
        public static let unmounted = Events(IN_UNMOUNT)
    }

    /// What a watch is to look at, beyond its events.
    public struct Manner: OptionSet, Sendable {
        /// The kernel's bits.
        public let rawValue: UInt32

        /// Makes a set of the kernel's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        init<Value: BinaryInteger>(_ value: Value) { self.init(rawValue: UInt32(value)) }

        /// Anything but a folder is refused with `ENOTDIR`.
        public static let onlyFolders = Manner(IN_ONLYDIR)
        /// A symbolic link is watched itself, not what it leads to.
        public static let notFollowing = Manner(IN_DONT_FOLLOW)
        /// What was removed and is still open somewhere is not heard of any more.
        public static let notUnlinked = Manner(IN_EXCL_UNLINK)
        /// The events join those that the same file is watched for already.
        public static let adding = Manner(IN_MASK_ADD)
    }

    /// One of the things that are watched.
    public struct Watch: Hashable, Sendable {
        let number: CInt
    }

    /// Something that happened.
    public struct Event: Sendable {
        /// To which of the things that are watched; nil for ``Events/overflow``.
        public let watch: Watch?
        /// What it was.
        public let events: Events
        /// The name in the folder, as the file system holds it; empty where it is the folder itself.
        public let name: [UInt8]
    }

    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    /// An empty queue.
    ///
    /// - Parameter loop: what wakes the reader
    public init(on loop: EventLoop) throws(SystemError) {
        let number = try retrying("inotify_init1") { inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        self.loop = loop
    }

    /// Watches what stands at a path; whatever happens to it from now on comes into the queue. The same thing gets the same watch,
    /// whatever path it is reached by.
    public func add(_ path: String, for events: Events, _ manner: Manner = []) throws(SystemError) -> Watch {
        let bits = events.rawValue | manner.rawValue
        return Watch(
            number: try retrying("inotify_add_watch", on: path) { inotify_add_watch(descriptor.number, path, bits) }
        )
    }

    /// Watches a folder that is open, wherever it is now.
    public func add(_ folder: borrowing Folder, for events: Events, _ manner: Manner = []) throws(SystemError) -> Watch
    {
        try add("/proc/self/fd/\(folder.descriptor.number)", for: events, manner)
    }

    /// Watches a file that is open, under whatever name somebody uses it.
    public func add(_ file: borrowing OwnedDescriptor, for events: Events) throws(SystemError) -> Watch {
        try add("/proc/self/fd/\(file.number)", for: events)
    }

    /// Ends a watch. One that has ended by itself is no fault.
    public func remove(_ watch: Watch) {
        _ = inotify_rm_watch(descriptor.number, watch.number)
    }

    /// Suspends until there is something in the queue.
    public nonisolated(nonsending) func wait() async throws {
        try await loop.waitUntil(.readable, descriptor.number)
    }

    /// Takes everything out of the queue, without waiting.
    public func takeAll() throws(SystemError) -> [Event] {
        var taken: [Event] = []
        // An event has at most a name of 255 bytes and its zero.
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = try retryingUnlessBlocked("read") { read(descriptor.number, &buffer, buffer.count) }
            guard let count, count > 0 else { return taken }
            Self.parse(buffer[..<count]) { taken.append($0) }
        }
    }

    private static func parse(_ bytes: ArraySlice<UInt8>, _ body: (Event) -> Void) {
        var rest = bytes
        let headLength = MemoryLayout<inotify_event>.size
        while rest.count >= headLength {
            let head = rest.withUnsafeBytes { $0.loadUnaligned(as: inotify_event.self) }
            let name = rest.dropFirst(headLength).prefix(Int(head.len)).prefix { $0 != 0 }
            let watch = head.wd >= 0 ? Watch(number: head.wd) : nil
            body(Event(watch: watch, events: Events(rawValue: head.mask), name: Array(name)))
            rest = rest.dropFirst(headLength + Int(head.len))
        }
    }
}
