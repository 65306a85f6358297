import Glibc
import LinuxPlatform
import Synchronization
public import Vocabulary

/// A file or folder that is offered, as one stream of bytes for any number of receivers.
///
/// Each receiver has a ``ResourceReader`` of its own, on whatever thread. While they stay together the source is read and
/// digested once for all of them; one that falls behind reads for itself.
public final class ResourceSource: Sendable {
    /// What it is called.
    public let name: FileName
    /// What it is.
    public let kind: ResourceKind
    /// How many bytes its stream has.
    public let totalBytes: UInt64
    /// How many files, folders and links it consists of: 1 for a file; the folder itself does not count.
    public let entryCount: Int
    /// How many bytes its files hold together, as a person would count them.
    public let contentBytes: UInt64
    /// What of a folder is not sent.
    public let leftOut: LeftOutEntries
    /// Which source it is, in which state.
    public let identity: ResourceIdentity
    /// Mode and time of change of a file.
    public let stamp: ResourceStamp?

    /// How many blocks its stream has, so as many digests a receiver may say that it holds.
    public var blockCount: Int { stream.plan.blockCount }

    let stream: SharedStream

    /// Opens a file or folder. A symbolic link at the path is followed; those within a folder are sent as links.
    ///
    /// - Parameters:
    ///   - path: where it is
    ///   - name: what receivers shall call it; by default the path's last name
    ///   - unsendable: what becomes of entries of a folder that can't be sent
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

    /// A reader for one more receiver.
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
            // Such as `.`: what it really is called.
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
