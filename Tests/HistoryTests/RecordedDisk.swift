import Glibc
import History
import LinuxPlatform
import Synchronization
import TestSupport
import Vocabulary

/// Records every change that a history makes to its folder, and can refuse one. From the record,
/// ``image(after:crash:)`` makes the folder as it would be after a crash at any moment.
///
/// The model of the disk: a file's bytes are durable once the file was flushed, and the names in the folder once the
/// folder was flushed. A power cut keeps any part of the rest: any blocks of 512 bytes of a file, and any first few of
/// the changes to names and sizes. A file system's journal keeps the order of those changes.
final class RecordedDisk: Sendable {
    enum Change: Equatable {
        case create(String)
        case write(String, UInt64, [UInt8])
        case truncate(String, UInt64)
        case sync(String)
        case rename(String, String)
        case remove(String)
        case syncFolder
        /// A call returned, and from here on the history promises this.
        case promise(Int)
    }

    enum Crash {
        /// The program was killed; the kernel still has all written bytes.
        case killed
        /// All unflushed changes are lost.
        case powerCut
        /// Some unflushed changes are lost.
        case partly(UInt64)
    }

    private struct State {
        var changes: [Change] = []
        var attempts = 0
        var refused: Int?
        var error: CInt = ENOSPC
    }

    private let state = Mutex(State())

    var changes: [Change] { state.withLock { $0.changes } }
    var attempts: Int { state.withLock { $0.attempts } }

    func promise(_ number: Int) {
        state.withLock { $0.changes.append(.promise(number)) }
    }

    /// Refuses the attempt of this number, counted from 1 over all kinds of change, and allows all later ones.
    func refuse(_ attempt: Int, with error: CInt) {
        state.withLock {
            $0.refused = attempt
            $0.error = error
        }
    }

    var calls: StoreCalls {
        var calls = StoreCalls.kernel
        let real = StoreCalls.kernel
        calls.create = { (folder, name) throws(SystemError) in
            try self.attempt(.create(name.text))
            return try real.create(folder, name)
        }
        calls.write = { (file, bytes, offset) throws(SystemError) in
            let change = Change.write(Self.name(of: file), offset, Array(bytes))
            do throws(SystemError) {
                try self.attempt(change)
            } catch {
                // A full disk writes the part that fits.
                try real.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2)), offset)
                throw error
            }
            try real.write(file, bytes, offset)
        }
        calls.truncate = { (file, size) throws(SystemError) in
            try self.attempt(.truncate(Self.name(of: file), size))
            try real.truncate(file, size)
        }
        calls.sync = { (file) throws(SystemError) in try self.attempt(.sync(Self.name(of: file))) }
        calls.rename = { (folder, old, new) throws(SystemError) in
            try self.attempt(.rename(old.text, new.text))
            try real.rename(folder, old, new)
        }
        calls.remove = { (folder, name) throws(SystemError) in
            // Removing a missing file changes nothing.
            _ = try folder.facts(of: name)
            try self.attempt(.remove(name.text))
            try real.remove(folder, name)
        }
        calls.syncFolder = { _ throws(SystemError) in try self.attempt(.syncFolder) }
        return calls
    }

    private func attempt(_ change: Change) throws(SystemError) {
        let error: CInt? = state.withLock { state in
            state.attempts += 1
            if state.attempts == state.refused { return state.error }
            state.changes.append(change)
            return nil
        }
        if let error { throw SystemError("scripted", error) }
    }

    private static func name(of file: borrowing OwnedDescriptor) -> String {
        var room = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/fd/\(file.number)", &room, room.count)
        let path = String(decoding: room.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return String((path.split(separator: "/").last ?? "").split(separator: " ").first ?? "")
    }

    // MARK: Images

    private struct File {
        var certain: [UInt8] = []
        var uncertain: [Change] = []
    }

    private struct Model {
        var files: [File] = []
        var names: [String: Int] = [:]
        var certainNames: [String: Int] = [:]
        var nameChanges: [(names: [String: Int], Void)] = []
    }

    /// The files of the folder after a crash that follows the first so many changes.
    static func image(of changes: ArraySlice<Change>, _ crash: Crash) -> [String: [UInt8]] {
        var model = Model()
        for change in changes { apply(change, to: &model) }
        var dice = SeededGenerator(seed: 0)
        if case .partly(let seed) = crash { dice = SeededGenerator(seed: seed) }
        let names: [String: Int]
        switch crash {
        case .killed: names = model.names
        case .powerCut: names = model.certainNames
        case .partly:
            let kept = Int.random(in: 0...model.nameChanges.count, using: &dice)
            names = kept == 0 ? model.certainNames : model.nameChanges[kept - 1].names
        }
        return names.mapValues { contents(of: model.files[$0], crash, &dice) }
    }

    private static func apply(_ change: Change, to model: inout Model) {
        switch change {
        case .create(let name):
            model.files.append(File())
            model.names[name] = model.files.count - 1
            model.nameChanges.append((model.names, ()))
        case .write(let name, _, _), .truncate(let name, _):
            if let file = model.names[name] { model.files[file].uncertain.append(change) }
        case .sync(let name):
            guard let file = model.names[name] else { return }
            for change in model.files[file].uncertain { apply(change, to: &model.files[file].certain) }
            model.files[file].uncertain = []
        case .rename(let old, let new):
            model.names[new] = model.names.removeValue(forKey: old)
            model.nameChanges.append((model.names, ()))
        case .remove(let name):
            model.names[name] = nil
            model.nameChanges.append((model.names, ()))
        case .syncFolder:
            model.certainNames = model.names
            model.nameChanges = []
        case .promise: break
        }
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .write(_, let offset, let new):
            let end = Int(offset) + new.count
            if bytes.count < end { bytes += Array(repeating: 0, count: end - bytes.count) }
            bytes.replaceSubrange(Int(offset)..<end, with: new)
        case .truncate(_, let size):
            let size = Int(size)
            bytes =
                size <= bytes.count ? Array(bytes.prefix(size)) : bytes + Array(repeating: 0, count: size - bytes.count)
        default: break
        }
    }

    private static func contents(of file: File, _ crash: Crash, _ dice: inout SeededGenerator) -> [UInt8] {
        var bytes = file.certain
        switch crash {
        case .powerCut: break
        case .killed: for change in file.uncertain { apply(change, to: &bytes) }
        case .partly:
            let kept = Int.random(in: 0...file.uncertain.count, using: &dice)
            for change in file.uncertain.prefix(kept) {
                guard case .write(let name, let offset, let new) = change else {
                    apply(change, to: &bytes)
                    continue
                }
                for start in stride(from: 0, to: new.count, by: 512) where Bool.random(using: &dice) {
                    let block = Array(new[start..<min(start + 512, new.count)])
                    apply(.write(name, offset + UInt64(start), block), to: &bytes)
                }
            }
        }
        return bytes
    }
}
