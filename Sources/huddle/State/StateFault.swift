import SecureArchive
import Vocabulary

/// What is wrong with a save, with the name of its file.
struct StateFault: ExplainedError {
    let file: StateFile
    let error: ArchiveError

    var code: ErrorCode { error.code }

    var message: String {
        guard error.kind != .unknown else {
            return "\(file.shown): of a kind that Huddle can't read; nothing is said about whether it is sound"
        }
        return "\(file.shown): \(Self.words(for: error.kind)): \(error.message)"
    }

    var nextStep: String {
        if error.kind == .unknown {
            return
                "Huddle reads property lists, JSON, XML and some databases of scores, and keeps any file in step all the same"
        }
        if error.kind == .tooLarge {
            return "Huddle looks into no save this large or deep, and keeps it in step all the same"
        }
        guard error.kind == .notAllowed else { return error.nextStep }
        // Only a class can be let in; features of a format can't.
        guard error.detail.hasPrefix("class ") else { return "have the program that wrote it write it without that" }
        return "if you know the program that wrote it, --allow lets a class in; --raw only looks"
    }

    /// What kind of fault it is, before it is said which.
    static func words(for kind: ArchiveError.Kind) -> String {
        switch kind {
        case .damaged: "damaged"
        case .unknown: "of an unknown kind"
        case .notAllowed: "not allowed"
        case .tooLarge: "too large"
        case .inexpressible: "can't be said"
        }
    }

    /// The stable word for programs.
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
