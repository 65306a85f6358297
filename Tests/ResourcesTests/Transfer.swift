import Glibc
import LinuxPlatform
import TestSupport
import Vocabulary

@testable import Resources

/// A complete transfer from a source to a sink in one process.
enum Transfer {
    static let sender: PeerID = {
        guard let id = PeerID(bytes: Array(repeating: 7, count: 32)) else { preconditionFailure("an ID has 32 bytes") }
        return id
    }()

    /// - Returns: the resource's final name, and the offset of its first byte
    @discardableResult
    static func whole(
        _ source: ResourceSource,
        into path: String,
        step: Int = 1 << 20
    ) throws -> (name: String, start: UInt64) {
        let reader = source.reader()
        let sink = try ResourceSink(for: source.offer, from: sender, into: path)
        let start = try reader.begin(after: sink.held())
        try sink.start(at: start)
        try pump(reader, into: sink, step: step)
        return (try sink.finish(expecting: reader.finish()).text, start)
    }

    /// Moves bytes until the end or until so many have moved.
    static func pump(_ reader: ResourceReader, into sink: ResourceSink, step: Int = 1 << 20, limit: Int = .max) throws {
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: step, alignment: 16)
        defer { room.deallocate() }
        var left = limit
        while left > 0 {
            let count = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(min(step, left))))
            guard count > 0 else { return }
            try sink.write(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
            left -= count
        }
    }

    /// Starts a transfer and releases it after a number of bytes.
    static func cut(_ source: ResourceSource, into path: String, after bytes: Int, step: Int = 1 << 20) throws {
        let reader = source.reader()
        let sink = try ResourceSink(for: source.offer, from: sender, into: path)
        try sink.start(at: reader.begin(after: sink.held()))
        try pump(reader, into: sink, step: step, limit: bytes)
    }
}
