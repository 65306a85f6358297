import Household
import LinuxPlatform
import SaveRules
import SecureArchive
import Vocabulary

/// Unpacks a tar archive into a folder of Huddle's own. It checks each entry before it creates it, and never touches
/// the game's folder.
struct ArchiveUnpacking {
    /// The number of unpacked files, and the sum of their bytes.
    struct Tally: Sendable {
        let files: Int
        let bytes: UInt64
    }

    private let file: String
    private let folder: String
    /// The bytes of a disk that an import leaves free for other programs.
    private static let spare: UInt64 = 64 << 20
    private static let chunk = 1 << 20

    /// - Parameters:
    ///   - file: the archive
    ///   - folder: a new folder, in which `files` and `notes` are created
    init(_ file: String, into folder: String) { (self.file, self.folder) = (file, folder) }

    /// Unpacks the archive. Blocks while it reads and writes.
    func run() throws -> Tally {
        let archive = try OwnedDescriptor.openFile(at: file)
        let size = UInt64(clamping: try archive.facts().size)
        for name in ["files", "notes"] { try FolderPath.make("\(folder)/\(name)", mode: .privateFolder) }
        let root = try Folder(at: "\(folder)/files")
        let free = try FileSystem(of: root).free.bytes
        guard free > Self.spare, size < free - Self.spare else { throw CommandError.noRoom(for: size) }
        // An uncompressed archive has at least as many bytes as its files together.
        var contents = ArchiveContents(limit: size)
        var (reader, offset) = (TarReader(), UInt64(0))
        var current: UnpackedFile?
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer { room.deallocate() }
        while true {
            while let event = try reader.next() {
                switch event {
                case .entry(let entry):
                    try current?.finish()
                    current = try make(entry, &contents, in: root)
                case .bytes(let bytes): try current?.write(bytes)
                case .end:
                    try current?.finish()
                    return Tally(files: contents.files, bytes: contents.bytes)
                }
            }
            let count = try archive.read(into: room, at: offset)
            guard count > 0 else {
                try reader.finish()
                throw CommandError.noRoom(for: size)
            }
            offset += UInt64(count)
            reader.append(room.prefix(count))
        }
    }

    /// Creates the folder, link or file of an entry, and its missing folders. Returns the file, whose bytes come next.
    private func make(_ entry: TarEntry, _ contents: inout ArchiveContents, in root: borrowing Folder) throws
        -> UnpackedFile?
    {
        let kind: ArchiveContents.Kind =
            switch entry.kind {
            case .file: .file(entry.size)
            case .folder: .folder
            case .link(let target): .link(to: target)
            }
        guard let checked = try contents.take(entry.path, kind), !checked.isKnownFolder else { return nil }
        for missing in checked.missingFolders { try makeFolder(missing, mode: .program, in: root) }
        let names = checked.path.names
        guard let name = names.last else { return nil }
        switch entry.kind {
        case .folder:
            try makeFolder(checked.path, mode: FileMode(rawValue: entry.mode.rawValue | 0o700), in: root)
            return nil
        case .link(let target):
            try root.openFolder(beneath: Array(names.dropLast())).createSymbolicLink(name, to: target)
            return nil
        case .file:
            let parent = try root.openFolder(beneath: Array(names.dropLast()))
            return UnpackedFile(try parent.create(name), of: entry)
        }
    }

    private func makeFolder(_ path: SavePath, mode: FileMode, in root: borrowing Folder) throws {
        let names = path.names
        guard let name = names.last else { return }
        _ = try root.openFolder(beneath: Array(names.dropLast())).createFolder(name, mode: mode)
    }
}

/// A file that is being unpacked.
private final class UnpackedFile {
    private let descriptor: OwnedDescriptor
    private let entry: TarEntry
    private var written: UInt64 = 0

    init(_ descriptor: consuming OwnedDescriptor, of entry: TarEntry) {
        self.descriptor = descriptor
        self.entry = entry
    }

    func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) {
        do {
            try bytes.withUnsafeBytes { try descriptor.write($0, at: written) }
        } catch let error as SystemError {
            throw error
        } catch {
            preconditionFailure("writing throws nothing else: \(error)")
        }
        written += UInt64(bytes.count)
    }

    func finish() throws(SystemError) {
        try descriptor.setMode(FileMode(rawValue: entry.mode.rawValue | 0o600))
        try descriptor.setModified(entry.modified)
    }
}

extension CommandError {
    fileprivate static func noRoom(for size: UInt64) -> CommandError {
        CommandError(
            ErrorCode(.noSpace, "import.no-room"),
            "nothing was imported: the disk has no room for \(ByteCount(size).rounded)",
            nextStep: "free some space, as with `huddle history --clean`, and try again"
        )
    }
}
