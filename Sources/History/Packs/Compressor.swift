import CZstd
import Digests

/// Makes pieces smaller where that pays. It is one thread's at a time, and may pass from one to another because what it holds is its own.
final class Compressor: @unchecked Sendable {
    /// By measuring, see `docs/internals/decisions`: higher levels take twice as long for a few hundredths.
    static let level: CInt = 1

    private let context: OpaquePointer
    private var room: UnsafeMutableRawBufferPointer

    init() {
        // Out of memory is not ours to handle.
        guard let context = ZSTD_createCCtx() else { preconditionFailure("no memory to compress with") }
        self.context = context
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
        room = .allocate(byteCount: ZSTD_compressBound(256 << 10), alignment: 16)
    }

    deinit {
        ZSTD_freeCCtx(context)
        room.deallocate()
    }

    /// The bytes compressed, valid until the next call; nil where less than a sixteenth would be saved, or nothing worth a look.
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

/// Brings back what a ``Compressor`` made smaller. It is one thread's at a time, and may pass from one to another because what it holds
/// is its own.
final class Decompressor: @unchecked Sendable {
    private let context: OpaquePointer

    init() {
        guard let context = ZSTD_createDCtx() else { preconditionFailure("no memory to decompress with") }
        self.context = context
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    /// Exactly so many bytes; nil where the frame is damaged or holds another number.
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
