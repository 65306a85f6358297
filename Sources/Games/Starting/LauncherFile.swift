package import LinuxPlatform
import Vocabulary

/// A file of a launcher's settings that is changed while the launcher is closed.
///
/// A launcher reads its settings when it starts and writes them when it ends, so a change while it runs is lost.
package struct LauncherFile: Hashable, Sendable {
    private static let largest = 64 << 20

    package let path: String

    package init(_ path: String) { self.path = path }

    /// A failure of a change. The settings are unchanged.
    package enum Failure: Error {
        /// The file is cut, nested wrongly or too large.
        case damaged(String)
        /// The settings have a form that is not understood well enough to change them.
        case unusual(String)
        /// The launcher or another program changed the file meanwhile.
        case changedMeanwhile(String)
        case notWritten(String, SystemError)
    }

    func read() throws(Failure) -> [UInt8] {
        guard let bytes = LocalFiles.read(path, limit: Self.largest) else { throw .damaged(path) }
        return bytes
    }

    /// Replaces the content as a whole, and keeps the mode.
    ///
    /// - Parameter backups: the existing folder for the first content that Huddle ever replaced
    /// - Returns: true if anything changed
    func replace(_ old: [UInt8], by new: [UInt8], keepingIn backups: String) throws(Failure) -> Bool {
        guard new != old else { return false }
        guard try read() == old else { throw .changedMeanwhile(path) }
        do throws(SystemError) {
            try keep(old, in: backups)
            // The change follows a link, as the launcher does.
            let real = LocalFiles.real(path) ?? path
            let facts = try FileFacts(at: real)
            try AtomicFile(Self.name(of: real), mode: facts.mode)
                .write(new, in: try Folder(at: real.parentFolder ?? "/"), overwriting: .allowed)
        } catch {
            throw .notWritten(path, error)
        }
        return true
    }

    /// Stores a backup. An existing backup is older, and stays.
    private func keep(_ old: [UInt8], in backups: String) throws(SystemError) {
        let name = Self.name(of: "\(StableDigest.of(path))-\(path.lastName ?? "settings")")
        let folder = try Folder(at: backups)
        guard LocalFiles.kind("\(backups)/\(name.text)") == nil else { return }
        try AtomicFile(name).write(old, in: folder, overwriting: .allowed)
    }

    private static func name(of path: String) -> FileName {
        guard let name = try? FileName(path.lastName ?? path) else {
            preconditionFailure("a path of a file has a name")
        }
        return name
    }
}
