import Glibc
import LinuxPlatform
import Vocabulary

/// The socket in the runtime folder that control requests come to, and its removal at the end.
final class ControlSocket: ControlListener {
    let path: String
    private let folder: Folder
    private let name: FileName
    /// Whether it is ours to remove.
    private let isOwn: Bool
    private let descriptor: OwnedDescriptor

    /// One that was opened for us, and goes on when we end.
    init(_ descriptor: consuming OwnedDescriptor, at path: String) throws {
        self.path = path
        let (parent, name) = try Self.parts(of: path)
        self.name = name
        folder = try Folder(at: parent)
        isOwn = false
        self.descriptor = descriptor
    }

    /// Takes the place of a socket that a program left behind which ended without removing it.
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
        // Where it can't be removed, the next program finds that nobody answers.
        if isOwn { try? folder.remove(name) }
    }

    /// For the library that accepts connections; it stays this socket's to close.
    var number: CInt { descriptor.number }
}
