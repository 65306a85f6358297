import Glibc
package import LinuxPlatform
public import Vocabulary

extension Identity {
    /// The name of the identity's file.
    public static let fileName: FileName = {
        guard let name = try? FileName("identity.pem") else { preconditionFailure("the name is a file's") }
        return name
    }()

    /// The greatest size of the file: several times that of a key and a certificate.
    private static let sizeLimit = 16 << 10

    /// Loads the identity from a folder, or creates one if there is none. Two programs that start at once get the same
    /// identity. The call blocks on the disk.
    ///
    /// - Parameter path: the folder, which is created if it does not exist
    public static func loadOrCreate(in path: String) throws(IdentityError) -> Identity {
        try loadOrCreate(in: path, calls: .kernel)
    }

    /// Loads the identity from a folder. The call blocks on the disk.
    public static func load(in path: String) throws(IdentityError) -> Identity {
        guard let known = try read(in: try openFolder(path), path, .kernel) else { throw .missing(path) }
        return known
    }

    package static func loadOrCreate(in path: String, calls: FileCalls) throws(IdentityError) -> Identity {
        try makeFolders(path)
        let folder = try openFolder(path)
        if let known = try read(in: folder, path, calls) { return known }
        let new = ephemeral()
        if try new.write(into: folder, path, calls) { return new }
        // Another program was quicker: its identity counts.
        guard let known = try read(in: folder, path, calls) else { throw .missing(path) }
        return known
    }

    /// Stores this identity in a folder, unless the folder has one. The call blocks on the disk.
    ///
    /// - Parameter path: the folder, which is created if it does not exist
    /// - Returns: true if the folder holds this identity now
    public func keep(in path: String) throws(IdentityError) -> Bool {
        try Self.makeFolders(path)
        let folder = try Self.openFolder(path)
        if try write(into: folder, path, .kernel) { return true }
        return try Self.read(in: folder, path, .kernel)?.peerID == peerID
    }

    /// Returns true if there was no identity before.
    private func write(
        into folder: borrowing Folder,
        _ path: String,
        _ calls: FileCalls
    ) throws(IdentityError) -> Bool {
        var text = text
        defer { Self.forget(&text) }
        do throws(SystemError) {
            try AtomicFile(Self.fileName, mode: .privateFile, calls: calls)
                .write(text, in: folder, overwriting: .forbidden)
            return true
        } catch {
            guard error.number == EEXIST else { throw .notKept(path, error) }
            return false
        }
    }

    /// Reads the identity; nil if there is no file.
    private static func read(
        in folder: borrowing Folder,
        _ folderPath: String,
        _ calls: FileCalls
    ) throws(IdentityError) -> Identity? {
        let path = "\(folderPath)/\(fileName)"
        guard var found = try contents(in: folder, path, calls) else { return nil }
        defer { forget(&found.text) }
        try require(found.ownership, path, isFolder: false)
        guard let identity = reading(found.text) else { throw .damaged(path) }
        return identity
    }

    private static func contents(
        in folder: borrowing Folder,
        _ path: String,
        _ calls: FileCalls
    ) throws(IdentityError) -> (text: [UInt8], ownership: Ownership)? {
        do throws(SystemError) {
            let ownership = try folder.open(fileName).ownership()
            return (try AtomicFile(fileName, calls: calls).read(in: folder, limit: sizeLimit), ownership)
        } catch {
            switch error.number {
            case ENOENT: return nil
            case EBUSY: throw .changing(path)
            case EFBIG: throw .damaged(path)
            default: throw .unreadable(path, error)
            }
        }
    }

    private static func openFolder(_ path: String) throws(IdentityError) -> Folder {
        let folder = try explaining(path) { () throws(SystemError) in try Folder(at: path) }
        let ownership = try explaining(path) { () throws(SystemError) in try folder.ownership() }
        try require(ownership, path, isFolder: true)
        return folder
    }

    private static func explaining<Value: ~Copyable>(
        _ path: String,
        _ call: () throws(SystemError) -> Value
    ) throws(IdentityError) -> Value {
        do throws(SystemError) {
            return try call()
        } catch {
            throw error.number == ENOENT ? .missing(path) : .noFolder(path, error)
        }
    }

    private static func require(_ ownership: Ownership, _ path: String, isFolder: Bool) throws(IdentityError) {
        guard ownership.isOurs else { throw .foreign(path, owner: ownership.owner) }
        guard ownership.isPrivate else { throw .exposed(path, isFolder: isFolder) }
    }

    /// Creates the folder and its parents with access for their owner alone.
    private static func makeFolders(_ path: String) throws(IdentityError) {
        var place = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            place += part
            if mkdir(place, FileMode.privateFolder.rawValue) != 0, errno != EEXIST, access(place, F_OK) != 0 {
                throw .noFolder(place, SystemError("mkdir"))
            }
            place += "/"
        }
    }

    /// Overwrites the secret, so that it does not stay in memory that is used again.
    private static func forget(_ text: inout [UInt8]) {
        text.withUnsafeMutableBytes { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}
