import Glibc
import History
import LinuxPlatform
import Synchronization
import Vocabulary

/// The disk for a machine's history and games, with its faults.
final class SimulatedDisk: Sendable {
    enum Fault {
        case full
        /// Each call fails with a device error.
        case failing
    }

    /// Bytes of a file that a power cut may lose.
    private struct Write {
        var file: String
        let offset: UInt64
        let count: Int
    }

    /// A change of the history's folder that a power cut may undo.
    private enum FolderChange {
        case created(String)
        /// `over` is the place of the old contents of the new name; nil if it had none.
        case renamed(String, to: String, over: String?)
        case removed(String, kept: String)
    }

    /// A future power cut.
    private struct Fuse {
        /// The number of calls until then.
        var calls: Int
        let blows: @Sendable () -> Void
    }

    private struct State {
        var fuse: Fuse?
        /// True from a power cut until the next start.
        var isDead = false
        var faults: [Fault] = []
        /// Writes that are not flushed yet: a power cut may lose any of them.
        var writes: [Write] = []
        /// Changes that are not flushed yet: a power cut may undo the last ones, because a file system keeps their
        /// order.
        var changes: [FolderChange] = []
        /// The folder of the history, and the folder for contents that a power cut may restore.
        var folder = ""
        var undo = ""
        var undoCount = 0
    }

    private let state = Mutex(State())

    /// Lets power fail at one of the next calls.
    func fails(after calls: Int, _ blows: @escaping @Sendable () -> Void) {
        state.withLock { $0.fuse = Fuse(calls: calls, blows: blows) }
    }

    /// True if a power cut has happened at a call.
    var hasLostPower: Bool { state.withLock { $0.isDead } }

    /// Restores power when the machine starts.
    func hasPower() { state.withLock { ($0.fuse, $0.isDead) = (nil, false) } }

    /// Lets power fail, if it is time. Runs before each call and after each change of a folder.
    func requirePower() throws(SystemError) {
        let blows = state.withLock { state -> (@Sendable () -> Void)? in
            guard var fuse = state.fuse else { return nil }
            fuse.calls -= 1
            state.fuse = fuse.calls > 0 ? fuse : nil
            if fuse.calls == 0 { state.isDead = true }
            return fuse.calls == 0 ? fuse.blows : nil
        }
        blows?()
        if hasLostPower { throw SystemError("write", EIO) }
    }

    func begin(_ fault: Fault) { state.withLock { $0.faults.append(fault) } }

    func end(_ fault: Fault) {
        state.withLock { state in
            if let place = state.faults.firstIndex(of: fault) { state.faults.remove(at: place) }
        }
    }

    /// Throws the error that a write would get now.
    func requireWriting() throws(SystemError) {
        try requireReading()
        if state.withLock({ $0.faults.contains(.full) }) { throw SystemError("write", ENOSPC) }
    }

    func requireReading() throws(SystemError) {
        try requirePower()
        if state.withLock({ $0.faults.contains(.failing) }) { throw SystemError("read", EIO) }
    }

    /// The calls of a history that go through this disk.
    /// - Parameter undo: the folder for contents that a power cut may restore
    func calls(in home: String, undo: String) -> StoreCalls {
        state.withLock { ($0.folder, $0.undo, $0.writes, $0.changes) = (home, undo, [], []) }
        mkdir(undo, 0o700)
        var calls = StoreCalls.kernel
        calls.create = { [self] (folder, name) throws(SystemError) in
            try requireWriting()
            let file = try StoreCalls.kernel.create(folder, name)
            note(in: home) { $0.changes.append(.created(name.text)) }
            return file
        }
        calls.rename = { [self] (folder, old, new) throws(SystemError) in
            try requireReading()
            let kept = keep(new.text, in: home)
            try StoreCalls.kernel.rename(folder, old, new)
            note(in: home) { state in
                state.changes.append(.renamed(old.text, to: new.text, over: kept))
                state.writes.removeAll { $0.file == new.text }
                for place in state.writes.indices where state.writes[place].file == old.text {
                    state.writes[place].file = new.text
                }
            }
        }
        calls.remove = { [self] (folder, name) throws(SystemError) in
            try requireReading()
            let kept = keep(name.text, in: home)
            try StoreCalls.kernel.remove(folder, name)
            note(in: home) { state in
                if let kept { state.changes.append(.removed(name.text, kept: kept)) }
                state.writes.removeAll { $0.file == name.text }
            }
        }
        calls.syncFolder = { [self] (folder) throws(SystemError) in
            try requireReading()
            try StoreCalls.kernel.syncFolder(folder)
            note(in: home) { $0.changes = [] }
        }
        calls.write = { [self] (file, bytes, offset) throws(SystemError) in
            try requireWriting()
            let write = Write(file: Self.name(of: file), offset: offset, count: bytes.count)
            note(in: home) { $0.writes.append(write) }
            try StoreCalls.kernel.write(file, bytes, offset)
        }
        calls.sync = { [self] (file) throws(SystemError) in
            // Bytes that fail to be flushed may still be lost later: the kernel does not write them again.
            try requireReading()
            let name = Self.name(of: file)
            try StoreCalls.kernel.sync(file)
            note(in: home) { state in state.writes.removeAll { $0.file == name } }
        }
        return calls
    }

    /// Changes the state, unless a power cut has ended the daemon of that folder.
    private func note(in home: String, _ change: (inout State) -> Void) {
        state.withLock { if $0.folder == home { change(&$0) } }
    }

    /// Keeps the contents of a file, and returns their place; nil if there is no such file.
    private func keep(_ name: String, in home: String) -> String? {
        state.withLock { state in
            guard state.folder == home else { return nil }
            state.undoCount += 1
            let kept = "\(state.undo)/\(state.undoCount)"
            return link("\(state.folder)/\(name)", kept) == 0 ? kept : nil
        }
    }

    private static func name(of file: borrowing OwnedDescriptor) -> String {
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/fd/\(file.number)", &room, room.count)
        let path = String(decoding: room.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Loses some of the unflushed changes in a copy of the history.
    func tear(_ copy: String, _ dice: inout Dice) {
        let (writes, changes) = state.withLock { state in
            defer { (state.writes, state.changes, state.folder) = ([], [], "") }
            return (state.writes, state.changes)
        }
        for write in writes {
            // The kernel writes pages in any order.
            guard dice.chance(1, of: 2) else { continue }
            let file = open("\(copy)/\(write.file)", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            var status = stat()
            // A part that was truncated since must not return as zeros.
            guard fstat(file, &status) == 0, UInt64(status.st_size) >= write.offset + UInt64(write.count) else {
                continue
            }
            let lost = dice.number(in: 1...max(1, write.count))
            let zeros = [UInt8](repeating: 0, count: lost)
            _ = pwrite(file, zeros, lost, off_t(write.offset) + off_t(write.count - lost))
        }
        guard !changes.isEmpty else { return }
        for change in changes.suffix(dice.number(in: 0...changes.count)).reversed() { undo(change, in: copy) }
    }

    private func undo(_ change: FolderChange, in copy: String) {
        switch change {
        case .created(let name): unlink("\(copy)/\(name)")
        case .renamed(let old, let new, let kept):
            rename("\(copy)/\(new)", "\(copy)/\(old)")
            if let kept { link(kept, "\(copy)/\(new)") }
        case .removed(let name, let kept): link(kept, "\(copy)/\(name)")
        }
    }
}
