import Glibc
import LinuxPlatform
import TestSupport

/// The home of a test, with the folders and files that launchers and games make there.
public final class GameTree: Sendable {
    private let folder: TemporaryFolder
    /// The path of the home without symbolic links.
    public let home: String
    /// The folder in which memory cards are mounted.
    public let mounts: String

    /// Makes an empty home.
    public init() {
        folder = TemporaryFolder.inMemory()
        home = folder.path(of: "home/deck")
        mounts = folder.path(of: "media")
        makeFolder(home)
        makeFolder(mounts)
    }

    /// The environment of a program in this home.
    public var environment: [String: String] { ["HOME": home] }

    /// A path in the home; unchanged if it is absolute.
    public func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(home)/\(name)" }

    /// Makes a folder and its parents.
    public func makeFolder(_ name: String) {
        var made = ""
        for part in path(name).split(separator: "/") {
            made += "/\(part)"
            mkdir(made, 0o755)
        }
    }

    /// Makes a file and its parents.
    ///
    /// - Parameter seconds: the time of its last save, in seconds since 1970
    public func put(_ bytes: [UInt8], at name: String, saved seconds: Int? = nil) {
        let path = path(name)
        if let slash = path.lastIndex(of: "/") { makeFolder(String(path[..<slash])) }
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        precondition(file >= 0, "no file at \(path): \(SystemError("open"))")
        defer { close(file) }
        precondition(write(file, bytes, bytes.count) == bytes.count, "\(path) could not be written")
        if let seconds {
            futimens(file, [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)])
        }
    }

    /// Makes a file of a text.
    public func put(_ text: String = "a save", at name: String, saved seconds: Int? = nil) {
        put(Array(text.utf8), at: name, saved: seconds)
    }

    /// Makes a symbolic link and its parents.
    public func link(_ name: String, to target: String) {
        let path = path(name)
        if let slash = path.lastIndex(of: "/") { makeFolder(String(path[..<slash])) }
        precondition(symlink(target, path) == 0, "no link at \(path): \(SystemError("symlink"))")
    }
}
