import Glibc
import LinuxPlatform
import Synchronization
public import Vocabulary

/// A file or folder to send, as one stream of bytes for any number of receivers.
///
/// Each receiver has its own ``ResourceReader``, on any thread. Readers close to each other share one read and one
/// digest; a reader that falls behind reads for itself.
public final class ResourceSource: Sendable {
    /// The offered name.
    public let name: FileName
    /// File or folder.
    public let kind: ResourceKind
    /// Length of the stream in bytes.
    public let totalBytes: UInt64
    /// Number of its files, folders and links: 1 for a file; the folder itself does not count.
    public let entryCount: Int
    /// Total size of its files in bytes.
    public let contentBytes: UInt64
    /// Entries of a folder that are not sent.
    public let leftOut: LeftOutEntries
    /// Identifies the source and its state.
    public let identity: ResourceIdentity
    /// Mode and modification time of a file.
    public let stamp: ResourceStamp?

    /// Number of blocks of the stream, and the maximum number of digests that a receiver may report.
    public var blockCount: Int { stream.plan.blockCount }

    let stream: SharedStream

    /// Opens a file or folder. A symbolic link at the path is followed; those within a folder are sent as links.
    ///
    /// - Parameters:
    ///   - path: path of the file or folder
    ///   - name: name for receivers; by default the last name of the path
    ///   - unsendable: treatment of folder entries that can't be sent
    public init(
        at path: String,
        as name: FileName? = nil,
        unsendable: UnsendableEntries = .refused
    ) throws(ResourceError) {
        let facts = try explaining(path) { () throws(SystemError) in try FileFacts(at: path) }
        self.name = if let name { name } else { try Self.lastName(of: path) }
        switch facts.kind {
        case .file:
            let origin = try FileOrigin(at: path)
            guard UInt64(origin.facts.size) <= BlockPlan.largestTotal else { throw .tooLarge(path) }
            (kind, totalBytes, entryCount) = (.file, UInt64(origin.facts.size), 1)
            (contentBytes, leftOut) = (totalBytes, LeftOutEntries())
            (identity, stamp) = (origin.identity, ResourceStamp(origin.facts))
            stream = SharedStream(origin, BlockPlan(total: totalBytes))
        case .folder:
            let origin = try FolderOrigin(at: path, unsendable)
            (kind, totalBytes, entryCount) = (.folder, origin.manifest.total, origin.manifest.entryCount)
            (contentBytes, leftOut) = (origin.manifest.contentBytes, origin.manifest.leftOut)
            (identity, stamp) = (origin.manifest.identity, nil)
            stream = SharedStream(origin, BlockPlan(total: totalBytes))
        case .symbolicLink, .other:
            throw .unsupportedSource(path)
        }
    }

    /// Creates a reader for one more receiver.
    public func reader() -> ResourceReader {
        ResourceReader(stream)
    }

    private static func lastName(of path: String) throws(ResourceError) -> FileName {
        func name(_ path: String) throws(FileName.Refusal) -> FileName {
            try FileName(path.split(separator: "/").last.map(String.init) ?? "")
        }
        do {
            return try name(path)
        } catch .leadsElsewhere, .empty {
            // A path such as `.`: use the real name.
            guard let real = realpath(path, nil) else { throw ResourceError(SystemError("realpath"), at: path) }
            defer { free(real) }
            do {
                return try name(String(cString: real))
            } catch {
                throw .badName(path, error)
            }
        } catch {
            throw .badName(path, error)
        }
    }
}
