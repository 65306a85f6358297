import Digests
import Household
import LinuxPlatform
import Vocabulary

/// Blocks that a device has sent, and files that are made of them: on this machine's disk, until a version has them.
@Engine final class FetchedBlocks {
    private let folder: String
    private var places: [SHA256Digest: Place] = [:]
    private var file: StagedFile?
    private var byteCount: UInt64 = 0
    private var fileCount = 0

    private struct Place {
        let offset: UInt64
        let count: Int
    }

    /// - Parameter folder: a path that nothing else uses
    init(in folder: String) { self.folder = folder }

    func has(_ digest: SHA256Digest) -> Bool { places[digest] != nil }

    /// Keeps a block.
    func keep(_ bytes: [UInt8], _ digest: SHA256Digest) async throws {
        let offset = byteCount
        byteCount += UInt64(bytes.count)
        if file == nil {
            let made = try await create("blocks")
            file = file ?? made
        }
        try await file?.write(bytes, at: offset)
        places[digest] = Place(offset: offset, count: bytes.count)
    }

    /// The bytes of a block; nil if it is not here.
    func bytes(of digest: SHA256Digest) async throws -> [UInt8]? {
        guard let place = places[digest], let file else { return nil }
        return try await file.read(place.count, at: place.offset)
    }

    /// A new file for the contents of one file of a version.
    func newFile() async throws -> StagedFile {
        fileCount += 1
        return try await create("\(fileCount)")
    }

    /// Removes everything.
    func remove() async {
        guard file != nil || fileCount > 0 else { return }
        _ = try? await runBlocking("syncthing") { [folder] in
            let parts = folder.split(separator: "/")
            let parent = try Folder(at: "/" + parts.dropLast().joined(separator: "/"))
            try parent.removeEntry(try FileName(String(parts.last ?? "")), .folder)
        }
    }

    private func create(_ name: String) async throws -> StagedFile {
        try await runBlocking("syncthing") { [folder] in
            try FolderPath.make(folder, mode: .privateFolder)
            let name = try FileName(name)
            return StagedFile("\(folder)/\(name)", folder, try Folder(at: folder).openOrCreate(name))
        }
    }
}

/// A file on this machine's disk that no version has yet.
final class StagedFile: Sendable {
    let path: String
    private let folder: String
    private let descriptor: OwnedDescriptor

    fileprivate init(_ path: String, _ folder: String, _ descriptor: consuming OwnedDescriptor) {
        (self.path, self.folder) = (path, folder)
        self.descriptor = descriptor
    }

    func write(_ bytes: [UInt8], at offset: UInt64) async throws {
        try await runBlocking("syncthing") { [self] in
            try bytes.withUnsafeBytes { try descriptor.write($0, at: offset) }
            let free = try FileSystem(of: Folder(at: folder)).free
            guard free.bytes > free.reserve else { throw SyncthingError.diskFull }
        }
    }

    fileprivate func read(_ count: Int, at offset: UInt64) async throws -> [UInt8] {
        try await runBlocking("syncthing") { [self] in
            var bytes = [UInt8](repeating: 0, count: count)
            let got = try bytes.withUnsafeMutableBytes { try descriptor.read(into: $0, at: offset) }
            return Array(bytes.prefix(got))
        }
    }
}
