import Glibc
import LinuxPlatform

/// A full pipe without a reader, like a terminal that Ctrl-S holds.
struct FullPipe: ~Copyable {
    /// The end for writing. A write to it waits for ever.
    var input: CInt { writing.number }
    private let reading: OwnedDescriptor
    private let writing: OwnedDescriptor

    init() throws {
        var ends: [CInt] = [-1, -1]
        try retrying("pipe") { pipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = OwnedDescriptor(takingOwnershipOf: ends[0])
        writing = OwnedDescriptor(takingOwnershipOf: ends[1])
        let flags = fcntl(ends[1], F_GETFL)
        _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
        while write(ends[1], "filled to the brim", 1) == 1 {}
        _ = fcntl(ends[1], F_SETFL, flags)
    }
}
