import Glibc

/// Writes the bytes of one file in order. It leaves holes for runs of zeros, and makes the disk begin early, so that
/// little is left to flush at the end and little memory waits for the disk.
public struct SparseWriter: Sendable {
    /// The size of the pieces in which the writer looks for runs of zeros, in files that have at least one piece.
    public static let holeGrid: UInt64 = 64 << 10
    private static let smallestHole = 4 << 10
    private static let writeBackWindow: UInt64 = 8 << 20
    /// The number of bytes that may be on their way to the disk before the writer waits. If it waited for the latest
    /// window, the disk would run dry between two of them.
    private static let writeBackDepth: UInt64 = 64 << 20

    private let size: UInt64
    /// The number of bytes written so far, holes included.
    public private(set) var position: UInt64
    /// The end of the last byte that was really written.
    private var writtenEnd: UInt64
    private var writeBackEnd: UInt64

    /// - Parameters:
    ///   - size: the final size of the file in bytes
    ///   - position: its size now
    public init(size: UInt64, position: UInt64 = 0) {
        self.size = size
        self.position = position
        writtenEnd = position
        writeBackEnd = position
    }

    /// Writes the next bytes.
    public mutating func write(
        _ bytes: UnsafeRawBufferPointer,
        to file: borrowing OwnedDescriptor
    ) throws(SystemError) {
        guard size >= Self.holeGrid else { return try put(bytes, to: file) }
        var rest = bytes
        while !rest.isEmpty {
            let data = dataPrefixCount(of: rest)
            try put(UnsafeRawBufferPointer(rebasing: rest.prefix(data)), to: file)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(data))
            let hole = holePrefixCount(of: rest)
            position += UInt64(hole)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(hole))
        }
        paceWriteBack(of: file)
    }

    /// Gives the file its size, if it ends with a hole.
    public func finish(_ file: borrowing OwnedDescriptor) throws(SystemError) {
        if position > writtenEnd { try file.truncate(to: position) }
    }

    private mutating func put(
        _ bytes: UnsafeRawBufferPointer,
        to file: borrowing OwnedDescriptor
    ) throws(SystemError) {
        guard !bytes.isEmpty else { return }
        try file.write(bytes, at: position)
        position += UInt64(bytes.count)
        writtenEnd = position
    }

    // MARK: Holes

    /// Limits the bytes to the piece of the grid in which they begin.
    private func pieceCount(at offset: UInt64, of available: Int) -> Int {
        Int(min(Self.holeGrid - offset % Self.holeGrid, UInt64(available)))
    }

    private func dataPrefixCount(of bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        while count < bytes.count {
            let length = pieceCount(at: position + UInt64(count), of: bytes.count - count)
            if Self.isHole(UnsafeRawBufferPointer(rebasing: bytes[count..<(count + length)])) { return count }
            count += length
        }
        return count
    }

    private func holePrefixCount(of bytes: UnsafeRawBufferPointer) -> Int {
        var count = 0
        while count < bytes.count {
            let length = pieceCount(at: position + UInt64(count), of: bytes.count - count)
            guard Self.isHole(UnsafeRawBufferPointer(rebasing: bytes[count..<(count + length)])) else { return count }
            count += length
        }
        return count
    }

    private static func isHole(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= smallestHole, bytes[0] == 0, let start = bytes.baseAddress else { return false }
        // All bytes are equal to their neighbours, and the first is zero.
        return memcmp(start, start + 1, bytes.count - 1) == 0
    }

    // MARK: Pace

    private mutating func paceWriteBack(of file: borrowing OwnedDescriptor) {
        let window = Self.writeBackWindow
        while position - writeBackEnd >= window {
            file.beginWriteBack(from: writeBackEnd, count: window)
            if writeBackEnd >= Self.writeBackDepth {
                file.awaitWriteBack(from: writeBackEnd - Self.writeBackDepth, count: window)
            }
            writeBackEnd += window
        }
    }
}
