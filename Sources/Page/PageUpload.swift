import Glibc
import Household
import LinuxPlatform
import Vocabulary

/// A file that a browser uploads for another machine. It has a folder of its own, and both are removed at its release.
final class PageUpload: Sendable {
    private let parent: String
    private let folder: FileName
    private let name: FileName
    private let descriptor: OwnedDescriptor

    private init(_ parent: String, _ folder: FileName, _ name: FileName, _ descriptor: consuming OwnedDescriptor) {
        (self.parent, self.folder, self.name) = (parent, folder, name)
        self.descriptor = descriptor
    }

    // If a browser disconnects while the file is sent to the machine, the request ends without another call.
    deinit {
        Task { [parent, folder] in await Self.remove(folder, in: parent) }
    }

    /// The absolute path of the file.
    var path: String { "\(parent)/\(folder.text)/\(name.text)" }

    /// Creates the folder and the empty file.
    ///
    /// - Parameters:
    ///   - name: the file's name, as the receiver sees it
    ///   - parent: the daemon's folder for uploads, which is created if it is missing
    static func make(_ name: FileName, in parent: String) async throws -> PageUpload {
        let folder = try FileName(PageSecret.random().text)
        return try await runBlocking("page") {
            try FolderPath.make(parent, mode: .privateFolder)
            let file = try Folder(at: parent).createFolder(folder).create(name)
            return PageUpload(parent, folder, name, file)
        }
    }

    /// Writes the uploaded bytes until their end. Fails before the disk is full.
    func take(_ next: @escaping @Sendable () async throws -> [UInt8]?) async throws {
        var offset: UInt64 = 0
        while let bytes = try await next() {
            let place = offset
            let free = try await runBlocking("page") { [self] in
                try bytes.withUnsafeBytes { try descriptor.write($0, at: place) }
                return try FileSystem(of: Folder(at: parent)).free
            }
            guard free.bytes > free.reserve else { throw SystemError("write", ENOSPC, on: path) }
            offset += UInt64(bytes.count)
        }
    }

    /// Removes the file and its folder.
    private static func remove(_ folder: FileName, in parent: String) async {
        // If this fails, or the daemon crashes before it, `removeAll` removes the file when the page is next served.
        _ = try? await runBlocking("page") { try Folder(at: parent).removeEntry(folder, .folder) }
    }

    /// Removes the files that a daemon left when it was killed.
    static func removeAll(in parent: String) async {
        _ = try? await runBlocking("page") {
            let place = try Folder(at: parent)
            for entry in try place.entries(limit: 10_000) {
                if let name = entry.name { try place.removeEntry(name, entry.kind) }
            }
        }
    }
}
