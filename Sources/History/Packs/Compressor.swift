import CZstd
import Digests

/// Compresses pieces. One thread uses it at a time. It may pass between threads because it alone owns the context and
/// the buffer.
final class Compressor: @unchecked Sendable {
    /// The level by measurement, see `docs/internals/decisions`: higher levels take twice as long and save a few
    /// hundredths.
    static let level: CInt = 1

    private let context: OpaquePointer
    private var room: UnsafeMutableRawBufferPointer

    init() {
        // The program can't go on without memory.
        guard let context = ZSTD_createCCtx() else { preconditionFailure("no memory to compress with") }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
        room = .allocate(byteCount: ZSTD_compressBound(256 << 10), alignment: 16)
    }

    deinit {
        ZSTD_freeCCtx(context)
        room.deallocate()
    }

    /// Compresses bytes; the result is valid until the next call. Returns nil if there are fewer than 64 bytes, or if
    /// less than a sixteenth would be saved.
    func compressed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard bytes.count >= 64 else { return nil }
        let bound = ZSTD_compressBound(bytes.count)
        if room.count < bound {
            room.deallocate()
            room = .allocate(byteCount: bound, alignment: 16)
        }
        let count = ZSTD_compress2(context, room.baseAddress, room.count, bytes.baseAddress, bytes.count)
        guard ZSTD_isError(count) == 0, count <= bytes.count - bytes.count / 16 else { return nil }
        return UnsafeRawBufferPointer(rebasing: room[..<count])
    }
}

/// Restores bytes that a ``Compressor`` compressed. One thread uses it at a time. It may pass between threads because
/// it alone owns the context.
final class Decompressor: @unchecked Sendable {
    private let context: OpaquePointer

    init() {
        guard let context = ZSTD_createDCtx() else { preconditionFailure("no memory to decompress with") }
        self.context = context
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    /// Decompresses a frame to exactly `count` bytes; nil if the frame is damaged or holds another number.
    func decompressed(_ bytes: UnsafeRawBufferPointer, to count: Int) -> [UInt8]? {
        var isWhole = false
        // because zstd fills the bytes, and only all of them count
        let plain = [UInt8](unsafeUninitializedCapacity: count) { room, filled in
            let answer = ZSTD_decompressDCtx(context, room.baseAddress, count, bytes.baseAddress, bytes.count)
            isWhole = ZSTD_isError(answer) == 0 && answer == count
            filled = isWhole ? count : 0
        }
        return isWhole ? plain : nil
    }
}
