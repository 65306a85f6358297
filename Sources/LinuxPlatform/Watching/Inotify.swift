import CLinux
import Glibc

/// The kernel's event queue for folders and files ([inotify(7)](https://man7.org/linux/man-pages/man7/inotify.7.html)).
///
/// It has one reader. A call may be made on any thread, but only one at a time.
public final class Inotify: Sendable {
    /// The number of watches that a user may have; nil if the kernel doesn't say.
    public static var mostWatches: Int? {
        Int(ProcessFiles.text("/proc/sys/fs/inotify/max_user_watches").prefix { $0.isNumber })
    }

    /// Kinds of events, with the kernel's bits.
    public struct Events: OptionSet, Hashable, Sendable {
        /// The kernel's bits.
        public let rawValue: UInt32

        /// Makes a set of the kernel's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        init<Value: BinaryInteger>(_ value: Value) { self.init(rawValue: UInt32(value)) }

        /// The mode, the times, the owner or the link count changed.
        public static let attributes = Events(IN_ATTRIB)
        /// A file was written. A program that writes much makes many of these.
        public static let written = Events(IN_MODIFY)
        /// A file open for writing was closed, or its last writable mapping went.
        public static let closedAfterWriting = Events(IN_CLOSE_WRITE)
        /// A file or folder was opened.
        public static let opened = Events(IN_OPEN)
        /// An entry was created in the folder.
        public static let created = Events(IN_CREATE)
        /// An entry was removed from the folder.
        public static let removed = Events(IN_DELETE)
        /// An entry was moved into the folder.
        public static let movedIn = Events(IN_MOVED_TO)
        /// An entry was moved out of the folder.
        public static let movedOut = Events(IN_MOVED_FROM)
        /// The watched file or folder itself was removed.
        public static let selfRemoved = Events(IN_DELETE_SELF)
        /// The watched file or folder itself was moved.
        public static let selfMoved = Events(IN_MOVE_SELF)
        /// The event is about a folder.
        public static let isFolder = Events(IN_ISDIR)
        /// More events came than the queue holds; those are lost.
        public static let overflow = Events(IN_Q_OVERFLOW)
        /// The watch has ended, by itself or on request.
        public static let watchEnded = Events(IN_IGNORED)
        /// The file system of the watched file or folder was unmounted.
        public static let unmounted = Events(IN_UNMOUNT)
    }

    /// The options of a watch, beyond its events.
    public struct Manner: OptionSet, Sendable {
        /// The kernel's bits.
        public let rawValue: UInt32

        /// Makes a set of the kernel's bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        init<Value: BinaryInteger>(_ value: Value) { self.init(rawValue: UInt32(value)) }

        /// The watch refuses anything but a folder with `ENOTDIR`.
        public static let onlyFolders = Manner(IN_ONLYDIR)
        /// The watch is on a symbolic link itself, not on its target.
        public static let notFollowing = Manner(IN_DONT_FOLLOW)
        /// A removed file that is still open somewhere gives no further events.
        public static let notUnlinked = Manner(IN_EXCL_UNLINK)
        /// The events are added to those of an existing watch of the same file.
        public static let adding = Manner(IN_MASK_ADD)
    }

    /// The identifier of a watch.
    public struct Watch: Hashable, Sendable {
        let number: CInt
    }

    /// One event.
    public struct Event: Sendable {
        /// The watch of the event; nil for ``Events/overflow``.
        public let watch: Watch?
        /// The kinds of the event.
        public let events: Events
        /// The name in the folder, as the file system holds it; empty for the folder itself.
        public let name: [UInt8]
    }

    private let descriptor: OwnedDescriptor
    private let loop: EventLoop

    /// Creates an empty queue.
    ///
    /// - Parameter loop: the loop that wakes the reader
    public init(on loop: EventLoop) throws(SystemError) {
        let number = try retrying("inotify_init1") { inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) }
        descriptor = OwnedDescriptor(takingOwnershipOf: number)
        self.loop = loop
    }

    /// Watches the file or folder at a path; all its events from now on enter the queue. The same file gets the same
    /// watch through any path.
    public func add(_ path: String, for events: Events, _ manner: Manner = []) throws(SystemError) -> Watch {
        let bits = events.rawValue | manner.rawValue
        return Watch(
            number: try retrying("inotify_add_watch", on: path) { inotify_add_watch(descriptor.number, path, bits) }
        )
    }

    /// Watches an open folder, wherever it is now.
    public func add(_ folder: borrowing Folder, for events: Events, _ manner: Manner = []) throws(SystemError) -> Watch
    {
        try add("/proc/self/fd/\(folder.descriptor.number)", for: events, manner)
    }

    /// Watches an open file, whatever name a program uses for it.
    public func add(_ file: borrowing OwnedDescriptor, for events: Events) throws(SystemError) -> Watch {
        try add("/proc/self/fd/\(file.number)", for: events)
    }

    /// Ends a watch. A watch that has already ended is no error.
    public func remove(_ watch: Watch) {
        _ = inotify_rm_watch(descriptor.number, watch.number)
    }

    /// Suspends until the queue has an event.
    public nonisolated(nonsending) func wait() async throws {
        try await loop.waitUntil(.readable, descriptor.number)
    }

    /// Takes all events out of the queue, without waiting.
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
