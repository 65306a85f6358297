import Glibc
import LinuxPlatform
import TestSupport
import Vocabulary

@testable import Resources

/// A whole way from a source to a sink within one process.
enum Transfer {
    static let sender: PeerID = {
        guard let id = PeerID(bytes: Array(repeating: 7, count: 32)) else { preconditionFailure("32 bytes are an id") }
        return id
    }()

    /// - Returns: the name that the resource got, and where the transfer started
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

    /// Begins a transfer and lets it go after so many bytes.
    static func cut(_ source: ResourceSource, into path: String, after bytes: Int, step: Int = 1 << 20) throws {
        let reader = source.reader()
        let sink = try ResourceSink(for: source.offer, from: sender, into: path)
        try sink.start(at: reader.begin(after: sink.held()))
        try pump(reader, into: sink, step: step, limit: bytes)
    }
}
