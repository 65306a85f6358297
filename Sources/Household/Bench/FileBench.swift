import LinuxPlatform
import Resources
import Session
import Vocabulary

/// The speed of storing a received file in a folder, compared with only writing the same bytes. No data of either
/// remains: neither ever has a name for long, and leftovers of a crash are removed like any other incomplete file.
struct FileBench {
    struct Outcome: Sendable {
        /// Bytes a second of a received file: checked, written, flushed.
        let taken: Double
        /// Bytes a second that are only written and flushed.
        let plain: Double
        let byteCount: UInt64
    }

    /// The free space below which a disk is not measured.
    private static let leastFree: UInt64 = 2 << 30
    private static let piece = 4 << 20
    private static let most: UInt64 = 128 << 20

    private let path: String

    init(in path: String) { self.path = path }

    /// Measures both; returns nil if there is too little room.
    func run() throws -> Outcome? {
        let folder = try Folder(at: path)
        guard try FileSystem(of: folder).free.bytes >= Self.leastFree else { return nil }
        let count = try byteCount(in: folder)
        var (taken, plain) = (0.0, 0.0)
        // Both are measured in turn, and the best of each counts: other work of the disk affects both alike.
        for _ in 0..<2 {
            let file = try nameless(in: folder)
            plain = max(plain, try rate(of: count) { try write(count, to: file) })
            let source = try ResourceSource(at: "/proc/self/fd/\(file.number)", as: try FileName("bench"))
            taken = max(taken, try rate(of: count) { try take(source) })
            withExtendedLifetime(file) {}
        }
        // Received bytes were also written, so plain writing is at least as fast.
        return Outcome(taken: taken, plain: max(plain, taken), byteCount: count)
    }

    /// The number of bytes that this disk stores in about half a second.
    private func byteCount(in folder: borrowing Folder) throws -> UInt64 {
        let first = UInt64(2 * Self.piece)
        let file = try nameless(in: folder)
        let rate = try rate(of: first) { try write(first, to: file) }
        return min(max(UInt64(rate / 2) / UInt64(Self.piece) * UInt64(Self.piece), first), Self.most)
    }

    private func rate(of count: UInt64, _ work: () throws -> Void) rethrows -> Double {
        let begun = ContinuousClock.now
        try work()
        return Double(count) / max((ContinuousClock.now - begun) / .seconds(1), 0.000_001)
    }

    private func nameless(in folder: borrowing Folder) throws -> OwnedDescriptor {
        let name = try FileName(".huddle-bench-\(UInt64.random(in: .min ... .max))")
        let file = try folder.create(name)
        try folder.remove(name)
        return file
    }

    private func write(_ count: UInt64, to file: borrowing OwnedDescriptor) throws {
        // Random bytes, because disks and file systems that compress or omit zeros must not look faster than they are.
        var words = [UInt64](repeating: 0, count: Self.piece / 8)
        var state = UInt64.random(in: .min ... .max) | 1
        for place in words.indices {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            words[place] = state
        }
        var writer = SparseWriter(size: count)
        while writer.position < count {
            words[0] &+= 1
            try words.withUnsafeBytes { try writer.write($0, to: file) }
        }
        try file.sync()
    }

    /// Stores the bytes like a file from a peer, up to the moment at which it would get its name.
    private func take(_ source: ResourceSource) throws {
        guard let sender = PeerID(bytes: [UInt8](repeating: 0, count: 32)) else { return }
        let sink = try ResourceSink(for: source.offer, from: sender, into: path)
        let (reader, scratch) = (source.reader(), Scratch())
        try sink.start(at: try reader.begin(after: try sink.held()))
        while case let count = try reader.read(into: scratch.room), count > 0 {
            try sink.write(UnsafeRawBufferPointer(rebasing: scratch.room[..<count]))
        }
        let digest = try reader.finish()
        do {
            _ = try sink.finish(expecting: digest) { false }
        } catch let error where error.code == "resource.not-wanted" {
            try sink.abandon(keepingPartial: false)
        }
    }
}
