import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Stored bytes of a file that a patch overwrites or cuts off, to restore them.
enum FileRepair {
    private static let headByteCount = 24

    /// Writes and flushes the identity of the file, its size, and the bytes of each place.
    static func keep(
        _ patch: FilePatch,
        of file: borrowing OwnedDescriptor,
        as name: FileName,
        in folder: borrowing Folder
    ) throws {
        let ranges = patch.overwritten
        var head: [UInt8] = []
        head.append(number: try file.facts().inode)
        head.append(number: patch.oldSize)
        head.append(number: UInt64(ranges.count))
        for range in ranges {
            head.append(number: range.lowerBound)
            head.append(number: range.upperBound)
        }
        let kept = try folder.create(name)
        try head.lent { bytes throws(SystemError) in try kept.write(bytes, at: 0) }
        var place = UInt64(head.count)
        for range in ranges {
            try copy(from: file, at: range.lowerBound, count: range.upperBound - range.lowerBound, to: kept, at: place)
            place += range.upperBound - range.lowerBound
        }
        try kept.sync()
    }

    /// Restores the bytes of a file, and flushes it. Repeating it is harmless.
    ///
    /// - Returns: false if the path has another file now
    static func repair(
        _ file: borrowing OwnedDescriptor,
        from name: FileName,
        in folder: borrowing Folder
    ) throws(SystemError) -> Bool {
        let kept = try folder.open(name)
        let head = try bytes(of: kept, at: 0, count: headByteCount)
        guard try file.facts().inode == head.number(UInt64.self, at: 0) else { return false }
        let count = Int(head.number(UInt64.self, at: 16))
        let table = try bytes(of: kept, at: UInt64(headByteCount), count: count * 16)
        var place = UInt64(headByteCount + table.count)
        for index in 0..<count {
            let start = table.number(UInt64.self, at: index * 16)
            let length = table.number(UInt64.self, at: index * 16 + 8) - start
            try copy(from: kept, at: place, count: length, to: file, at: start)
            place += length
        }
        try file.truncate(to: head.number(UInt64.self, at: 8))
        try file.sync()
        return true
    }

    /// Copies a range of one file to a position in another.
    static func copy(
        from source: borrowing OwnedDescriptor,
        at start: UInt64,
        count: UInt64,
        to target: borrowing OwnedDescriptor,
        at place: UInt64
    ) throws(SystemError) {
        let scratch = Scratch()
        var done: UInt64 = 0
        while done < count {
            let room = scratch.prefix(count - done)
            let read = try source.read(into: room, at: start + done)
            guard read == room.count else { throw SystemError("pread", EIO) }
            try target.write(UnsafeRawBufferPointer(room), at: place + done)
            done += UInt64(read)
        }
    }

    private static func bytes(
        of file: borrowing OwnedDescriptor,
        at place: UInt64,
        count: Int
    ) throws(SystemError) -> [UInt8] {
        let scratch = Scratch(byteCount: max(count, 1))
        let room = scratch.prefix(UInt64(count))
        guard try file.read(into: room, at: place) == count else { throw SystemError("pread", EIO) }
        return Array(room)
    }
}
