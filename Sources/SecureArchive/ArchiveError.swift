public import Vocabulary

/// Why an archive was not read or could not be written.
public struct ArchiveError: ExplainedError, Hashable {
    /// The kinds of reason, each with consequences of its own.
    public enum Kind: Sendable, Hashable {
        /// The bytes are not what the format demands, or mean nothing.
        case damaged
        /// They begin like no format that is read here: whether they are sound, nobody can say.
        case unknown
        /// It is sound, but says something that its reader was not told to accept: a class, a field, a format's feature.
        case notAllowed
        /// It goes beyond ``ArchiveLimits``.
        case tooLarge
        /// A value can't be said in the format it was to be written in.
        case inexpressible
    }

    /// What kind of reason it is.
    public let kind: Kind
    /// Where in the archive, such as `$objects[7].NS.objects[2]`; empty for the archive as a whole. Fit to print.
    public let path: String
    /// What is wrong there. Fit to print.
    public let detail: String
    /// The byte at which it was found, where that helps.
    public let offset: Int?

    /// - Parameters:
    ///   - path: made fit to print by whoever made it
    ///   - detail: made fit to print likewise
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

    /// Where and what.
    public var message: String {
        let place = offset.map { " (byte \($0))" } ?? ""
        return path.isEmpty ? detail + place : "\(path): \(detail)\(place)"
    }

    /// What a person can do about this kind of reason.
    public var nextStep: String {
        switch kind {
        case .damaged: "ask for the file again, or restore an older version of it"
        case .unknown: "the program that wrote it can say; what is read here is listed in docs/reference/game-state.md"
        case .notAllowed: "allow it only if you know the program that wrote it"
        case .tooLarge: "raise the limit only if you know the program that wrote it"
        case .inexpressible: "choose a format that can say it, or leave it out yourself"
        }
    }
}
