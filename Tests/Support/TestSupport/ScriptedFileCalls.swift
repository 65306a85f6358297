import Glibc
package import LinuxPlatform
import Synchronization

/// The file calls of the kernel for code that writes files. The real calls are made, except those that the script
/// refuses.
///
/// ```swift
/// let script = ScriptedFileCalls()
/// script.refuse(.write, at: 3, with: ENOSPC)
/// try AtomicFile(name, calls: script.calls).write(bytes, in: folder, overwriting: .allowed)
/// ```
public final class ScriptedFileCalls: Sendable {
    /// A call that can be scripted.
    public enum Call: String, Codable, Sendable, CaseIterable {
        /// The temporary file is made.
        case create
        /// The file is locked.
        case lock
        /// The mode of the file is set.
        case changeMode
        /// Bytes are written.
        case write
        /// Bytes are read.
        case read
        /// The file is flushed.
        case sync
        /// The file gets its final name.
        case rename
        /// The folder is flushed.
        case syncFolder
        /// A file is removed.
        case remove
    }

    private struct State {
        var refusals: [Call: [Int: CInt]] = [:]
        var counts: [Call: Int] = [:]
        var made: [Call] = []
        var writeLimit = Int.max
        var death: Call?
    }

    private let state = Mutex(State())
    private let beforeReading: Mutex<(@Sendable () -> Void)?> = Mutex(nil)

    /// A script that refuses no call yet.
    public init() {}

    /// Refuses the `number`-th call of a kind, counted from 1.
    public func refuse(_ call: Call, at number: Int = 1, with error: CInt) {
        state.withLock { $0.refusals[call, default: [:]][number] = error }
    }

    /// Writes and reads at most this number of bytes at once.
    public func limitEachTransfer(to count: Int) {
        state.withLock { $0.writeLimit = count }
    }

    /// Kills the process before the first call of this kind, for the body of an exit test.
    public func killProcess(before call: Call) {
        state.withLock { $0.death = call }
    }

    /// Runs a closure before each read, which may change the file.
    public func beforeEachRead(_ action: @escaping @Sendable () -> Void) {
        beforeReading.withLock { $0 = action }
    }

    /// The calls that were attempted, in order.
    public var made: [Call] { state.withLock { $0.made } }

    /// The calls to hand to the code under test.
    package var calls: FileCalls {
        var calls = FileCalls.kernel
        let real = FileCalls.kernel
        calls.create = { folder, name, mode in self.answer(.create) { real.create(folder, name, mode) } }
        calls.lock = { file in self.answer(.lock) { real.lock(file) } }
        calls.changeMode = { file, mode in self.answer(.changeMode) { real.changeMode(file, mode) } }
        calls.write = { file, bytes in
            self.answer(.write) { real.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(self.transferLimit))) }
        }
        calls.read = { file, room in
            self.beforeReading.withLock { $0 }?()
            return self.answer(.read) {
                real.read(file, UnsafeMutableRawBufferPointer(rebasing: room.prefix(self.transferLimit)))
            }
        }
        calls.sync = { file in self.answer(.sync) { real.sync(file) } }
        calls.rename = { folder, from, to, how in self.answer(.rename) { real.rename(folder, from, to, how) } }
        calls.syncFolder = { folder in self.answer(.syncFolder) { real.syncFolder(folder) } }
        calls.remove = { folder, name in self.answer(.remove) { real.remove(folder, name) } }
        return calls
    }

    private var transferLimit: Int { state.withLock { $0.writeLimit } }

    private func answer<Result: FixedWidthInteger>(_ call: Call, _ make: () -> Result) -> Result {
        let error: CInt? = state.withLock { state in
            state.made.append(call)
            state.counts[call, default: 0] += 1
            if state.death == call { kill(getpid(), SIGKILL) }
            return state.refusals[call]?[state.counts[call, default: 0]]
        }
        guard let error else { return make() }
        errno = error
        return -1
    }
}
