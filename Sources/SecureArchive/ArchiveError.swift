public import Vocabulary

/// The reason why an archive was not read or could not be written.
public struct ArchiveError: ExplainedError, Hashable {
    /// The kinds of reason. Callers react to each in another way.
    public enum Kind: Sendable, Hashable {
        /// The bytes break the rules of the format.
        case damaged
        /// The bytes begin like no format that is read here, so they may be sound or not.
        case unknown
        /// The archive is sound, but has something that the caller did not allow: a class, a field, a feature of the
        /// format.
        case notAllowed
        /// The archive exceeds ``ArchiveLimits``.
        case tooLarge
        /// The format to write has no word for a value.
        case inexpressible
    }

    /// The kind of reason.
    public let kind: Kind
    /// The place in the archive, such as `$objects[7].NS.objects[2]`; empty for the archive as a whole. Fit to print.
    public let path: String
    /// The fault at that place. Fit to print.
    public let detail: String
    /// The byte at which the reader found the fault, if that helps.
    public let offset: Int?

    /// - Parameters:
    ///   - path: fit to print; the caller sees to that
    ///   - detail: fit to print; the caller sees to that
    public init(_ kind: Kind, _ detail: String, at path: String = "", offset: Int? = nil) {
        self.kind = kind
        self.path = path
        self.detail = detail
        self.offset = offset
    }

    /// `archive.` and the kind.
    public var code: ErrorCode {
        switch kind {
        case .damaged: ErrorCode(.damaged, "archive.damaged")
        case .unknown: ErrorCode(.unreadable, "archive.unknown-format")
        case .notAllowed: ErrorCode(.notAllowed, "archive.not-allowed")
        case .tooLarge: ErrorCode(.tooLarge, "archive.too-large")
        case .inexpressible: ErrorCode(.inexpressible, "archive.inexpressible")
        }
    }

    /// The place and the fault.
    public var message: String {
        let place = offset.map { " (byte \($0))" } ?? ""
        return path.isEmpty ? detail + place : "\(path): \(detail)\(place)"
    }

    /// The step that a person can take.
    public var nextStep: String {
        switch kind {
        case .damaged: "ask for the file again, or restore an older version of it"
        case .unknown: "ask the program that wrote it; docs/reference/game-state.md lists the formats"
        case .notAllowed: "allow it only if you know the program that wrote it"
        case .tooLarge: "raise the limit only if you know the program that wrote it"
        case .inexpressible: "choose a format that has a word for it, or remove the value"
        }
    }
}
