import LinuxPlatform
import Resources
import Vocabulary

/// A source and a sink in one process, with the bytes of a frame between them.
enum ResourceCopy {
    static func copy(_ path: String, into folder: String) throws {
        guard let sender = PeerID(bytes: Array(repeating: 1, count: 32)) else { preconditionFailure("32 bytes") }
        let source = try ResourceSource(at: path)
        let reader = source.reader()
        let sink = try ResourceSink(for: source.offer, from: sender, into: folder)
        try sink.start(at: reader.begin(after: sink.held()))
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
        defer { room.deallocate() }
        while case let count = try reader.read(into: room), count > 0 {
            try sink.write(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
        }
        _ = try sink.finish(expecting: reader.finish())
    }
}
