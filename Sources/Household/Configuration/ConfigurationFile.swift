import LinuxPlatform
import Vocabulary

/// The file of the daemon's settings.
package struct ConfigurationFile: Sendable {
    private let path: String

    package init(at path: String) {
        self.path = path
    }

    package func bytes() throws -> [UInt8] {
        let parts = path.split(separator: "/")
        let parent = (path.hasPrefix("/") ? "/" : "./") + parts.dropLast().joined(separator: "/")
        let name = try FileName(String(parts.last ?? ""))
        return try AtomicFile(name).read(in: Folder(at: parent), limit: DaemonConfiguration.fileLimit)
    }
}
