import Glibc
import History
import LinuxPlatform
import Synchronization
import Vocabulary

/// The faults of the disk under a machine's history.
final class SimulatedDisk: Sendable {
    private struct Write {
        let path: String
        let offset: UInt64
        let count: Int
    }

    private struct State {
        var isFull = false
        /// The bytes that were written and not flushed: a power cut may leave any part of them out.
        var unflushed: [Write] = []
    }

    private let state = Mutex(State())

    func fill(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    var isFull: Bool { state.withLock { $0.isFull } }

    private func requireRoom() throws(SystemError) {
        if isFull { throw SystemError("write", ENOSPC) }
    }

    /// The history's calls, by way of this disk.
    var calls: StoreCalls {
        var calls = StoreCalls.kernel
        calls.create = { [self] (folder, name) throws(SystemError) in
            try requireRoom()
            return try StoreCalls.kernel.create(folder, name)
        }
        calls.write = { [self] (file, bytes, offset) throws(SystemError) in
            try requireRoom()
            let write = Write(path: Self.path(of: file), offset: offset, count: bytes.count)
            state.withLock { $0.unflushed.append(write) }
            try StoreCalls.kernel.write(file, bytes, offset)
        }
        calls.sync = { [self] (file) throws(SystemError) in
            let path = Self.path(of: file)
            try StoreCalls.kernel.sync(file)
            state.withLock { state in state.unflushed.removeAll { $0.path == path } }
        }
        return calls
    }

    private static func path(of file: borrowing OwnedDescriptor) -> String {
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(file.number)", &room, room.count)
        return String(decoding: room.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// In a copy of the disk, leaves out some of what was not flushed, and parts of the rest.
    func tear(_ copy: String, of original: String, _ dice: inout Dice) {
        let unflushed = state.withLock { state in
            defer { state.unflushed = [] }
            return state.unflushed
        }
        for write in unflushed where write.path.hasPrefix(original + "/") {
            // The kernel writes pages in any order.
            guard dice.chance(1, of: 2) else { continue }
            let file = open(copy + write.path.dropFirst(original.count), O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            let lost = dice.number(in: 1...max(1, write.count))
            let zeros = [UInt8](repeating: 0, count: lost)
            _ = pwrite(file, zeros, lost, off_t(write.offset) + off_t(write.count - lost))
        }
    }
}
