import Glibc
package import LinuxPlatform
package import Vocabulary

/// Folders by their whole path.
package enum FolderPath {
    /// Makes the missing folders of a path.
    package static func make(_ path: String, mode: FileMode) throws(SystemError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            guard mkdir(made, mode.rawValue) != 0, errno != EEXIST else { continue }
            let error = SystemError("mkdir", on: made)
            var facts = stat()
            guard stat(made, &facts) == 0 else { throw error }
        }
    }

    /// The whole content of a file of at most `limit` bytes.
    package static func bytes(of path: String, limit: Int) throws(SystemError) -> [UInt8] {
        let parts = path.split(separator: "/")
        guard let last = parts.last, let name = try? FileName(String(last)) else {
            throw SystemError("open", EINVAL, on: path)
        }
        let folder = try Folder(at: "/" + parts.dropLast().joined(separator: "/"))
        return try AtomicFile(name).read(in: folder, limit: limit)
    }
}
