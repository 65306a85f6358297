public import Vocabulary

/// One file, folder or symbolic link of a tar archive (POSIX.1-2001, “pax”).
public struct TarEntry: Hashable, Sendable {
    /// The kinds that a save can have.
    public enum Kind: Hashable, Sendable {
        case file
        case folder
        /// A symbolic link with its target.
        case link(to: String)
    }

    /// The path as it is written, not checked.
    public let path: String
    /// Its kind.
    public let kind: Kind
    /// The permissions, without further bits.
    public let mode: FileMode
    /// When it was changed.
    public let modified: FileTime
    /// Bytes of a file; 0 for the others.
    public let size: UInt64

    /// - Parameters:
    ///   - path: the path with one slash between each two names
    ///   - kind: its kind
    ///   - mode: the permissions
    ///   - modified: when it was changed
    ///   - size: bytes of a file
    public init(_ path: String, _ kind: Kind, mode: FileMode, modified: FileTime, size: UInt64 = 0) {
        (self.path, self.kind, self.modified, self.size) = (path, kind, modified, size)
        self.mode = FileMode(rawValue: mode.rawValue & 0o777)
    }
}

/// A reason why a tar archive is not read.
public struct TarFault: ExplainedError, Hashable {
    /// The fault, as a stable word.
    public let code: ErrorCode
    /// The fault in words.
    public let message: String
    /// The next step.
    public let nextStep: String

    init(_ code: ErrorCode, _ message: String, nextStep: String = "copy the file once more from where it was exported")
    {
        (self.code, self.message, self.nextStep) = (code, message, nextStep)
    }

    static let truncated = TarFault("tar.truncated", "the archive ends in the middle")
    static let damaged = TarFault("tar.damaged", "the archive is damaged")
    static let noTar = TarFault(
        "tar.none",
        "this is no tar archive",
        nextStep: "unpack a compressed one first, as with `gunzip FILE` or `zstd -d FILE`"
    )

    static func unusual(_ what: String) -> TarFault {
        TarFault(
            "tar.unusual",
            "the archive has \(what), which no save can have",
            nextStep: "make it again with files, folders and symbolic links alone"
        )
    }
}

extension TarFault {
    /// An archive that came over a connection which ended too early.
    public static let cutOff = TarFault("tar.cut-off", "the daemon sent no whole archive", nextStep: "try again")
}
