import SecureArchive
import Vocabulary

/// The fault of a save, with its file.
struct StateFault: ExplainedError {
    let file: StateFile
    let error: ArchiveError

    var code: ErrorCode { error.code }

    var message: String {
        guard error.kind != .unknown else {
            return "\(file.shown): Huddle can't read this format, so the save was not checked"
        }
        return "\(file.shown): \(Self.words(for: error.kind)): \(error.message)"
    }

    var nextStep: String {
        if error.kind == .unknown {
            return
                "Huddle reads property lists, JSON, XML and some databases of scores, and syncs any file all the same"
        }
        if error.kind == .tooLarge {
            return "Huddle does not read saves this large or deep, and syncs them all the same"
        }
        guard error.kind == .notAllowed else { return error.nextStep }
        // The user can allow a class, but no feature of a format.
        guard error.detail.hasPrefix("class ") else { return "let the program that wrote it write it without that" }
        return "if you know the program that wrote it, allow the class with --allow; --raw only shows the save"
    }

    /// The kind of fault, as the first words of a message.
    static func words(for kind: ArchiveError.Kind) -> String {
        switch kind {
        case .damaged: "damaged"
        case .unknown: "of an unknown kind"
        case .notAllowed: "not allowed"
        case .tooLarge: "too large"
        case .inexpressible: "not possible in this format"
        }
    }

    /// The kind of fault in JSON, which never changes.
    static func word(for kind: ArchiveError.Kind) -> String {
        switch kind {
        case .damaged: "damaged"
        case .unknown: "unknown"
        case .notAllowed: "not-allowed"
        case .tooLarge: "too-large"
        case .inexpressible: "inexpressible"
        }
    }
}
