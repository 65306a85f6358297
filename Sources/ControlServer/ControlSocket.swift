import Glibc
import LinuxPlatform
import Vocabulary

/// The control socket in the runtime folder. Its file is removed at the end if this server created it.
final class ControlSocket: ControlListener {
    let path: String
    private let folder: Folder
    private let name: FileName
    /// True if this server created the file.
    private let isOwn: Bool
    private let descriptor: OwnedDescriptor

    /// Takes a socket that the service manager opened and keeps.
    init(_ descriptor: consuming OwnedDescriptor, at path: String) throws {
        self.path = path
        let (parent, name) = try Self.parts(of: path)
        self.name = name
        folder = try Folder(at: parent)
        isOwn = false
        self.descriptor = descriptor
    }

    /// Creates the socket. It replaces one of a program that ended without removing it.
    init(at path: String) throws {
        guard path.utf8.count <= UnixSocket.maximumPathByteCount else { throw ControlServerError.pathTooLong(path) }
        self.path = path
        let (parent, name) = try Self.parts(of: path)
        self.name = name
        folder = try Folder(at: parent)
        isOwn = true
        if try UnixSocket.canConnect(to: path) { throw ControlServerError.taken(path) }
        if (try? folder.facts(of: name)) != nil { try folder.remove(name) }
        descriptor = try UnixSocket.listen(at: path)
    }

    private static func parts(of path: String) throws -> (folder: String, name: FileName) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        return ("/" + parts.dropLast().joined(separator: "/"), try FileName(String(parts.last ?? "")))
    }

    deinit {
        // If the file can't be removed, the next program finds that no server responds.
        if isOwn { try? folder.remove(name) }
    }

    /// The number of the descriptor for the library. This socket closes the descriptor.
    var number: CInt { descriptor.number }
}
