import Glibc
package import Ledger
import LinuxPlatform
import Vocabulary

/// The lock of the one program that runs with this identity. Two of them would share one name and one ID, and files
/// would reach one or the other by chance. It names its holder and the holder's socket.
package final class HouseholdPresence: Sendable {
    /// The daemon that holds the lock.
    package struct Holder: Hashable, Sendable, CustomStringConvertible {
        package let process: Int32
        package let since: WallTime
        /// The path of its socket.
        package let socket: String

        package init(process: Int32 = getpid(), since: WallTime = .now, socket: String) {
            self.process = process
            self.since = since
            self.socket = socket
        }

        /// True if that program still runs. A killed one leaves its entry behind.
        package var runs: Bool { kill(process, 0) == 0 || errno == EPERM }

        /// Fit to print.
        package var description: String { "huddled, process \(process), since \(TimeText.local(since))" }
    }

    private static let fileName = known("present.lock")
    private static let noteLimit = 8192

    /// The holder as it describes itself.
    package let holder: Holder
    private let file: LockedFile

    package init(in folder: String, as holder: Holder) throws {
        do {
            let place = try Folder(at: folder)
            guard let file = try place.openOrCreate(Self.fileName).lockedForWriting() else {
                throw HouseholdError.alreadyPresent(Self.holder(in: folder))
            }
            self.file = file
            self.holder = holder
            try Self.write(holder.note, to: self.file.descriptor)
        } catch let error as SystemError {
            throw HouseholdError.unwritable(folder, error)
        }
    }

    deinit {
        // A later reader finds no entry. If this fails, no program answers at the socket.
        try? Self.write([], to: file.descriptor)
    }

    /// The program of the entry. It may have been killed since.
    package static func holder(in folder: String) -> Holder? {
        guard let place = try? Folder(at: folder),
            let bytes = try? AtomicFile(fileName).read(in: place, limit: noteLimit)
        else { return nil }
        return Holder(note: bytes)
    }

    private static func write(_ bytes: [UInt8], to file: borrowing OwnedDescriptor) throws {
        let number = file.number
        _ = try retrying("ftruncate") { ftruncate(number, 0) }
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
    }

    private static func known(_ text: String) -> FileName {
        guard let name = try? FileName(text) else { preconditionFailure("it obeys the rules of a name") }
        return name
    }
}

extension HouseholdPresence.Holder {
    /// The entry, with one line for each fact.
    var note: [UInt8] {
        let lines = ["\(process)", "\(since)", socket]
        return Array(lines.map { "\($0)\n" }.joined().utf8)
    }

    init?(note: [UInt8]) {
        let lines = String(decoding: note, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, let process = Int32(lines[0]), let since = Int64(lines[1]), lines[2].hasPrefix("/")
        else {
            return nil
        }
        self.init(process: process, since: WallTime(secondsSince1970: since), socket: String(lines[2]))
    }
}
