import LinuxPlatform
public import Vocabulary

/// A failure to load or store this machine's identity.
public struct IdentityError: ExplainedError {
    /// The kind of failure, as a stable word.
    public let code: ErrorCode
    /// The description of the failure, with the path.
    public let message: String
    /// The advice to the user.
    public let nextStep: String
    /// The error of the kernel, or nil.
    public let cause: (any Error)?

    private init(_ code: ErrorCode, _ message: String, nextStep: String, cause: SystemError? = nil) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }

    static func missing(_ path: String) -> IdentityError {
        IdentityError(
            "identity.missing",
            "there is no identity in \(path)",
            nextStep: "start huddled once: it creates an identity"
        )
    }

    static func damaged(_ path: String) -> IdentityError {
        IdentityError(
            "identity.damaged",
            "\(path) does not hold a key and its certificate",
            nextStep: "restore it from a backup, or remove it to start as a new machine, which must be paired again"
        )
    }

    static func changing(_ path: String) -> IdentityError {
        IdentityError(
            "identity.changing",
            "\(path) was changed while it was read",
            nextStep: "try again"
        )
    }

    static func exposed(_ path: String, isFolder: Bool) -> IdentityError {
        IdentityError(
            "identity.exposed",
            "other users of this machine may read the key: \(path) is not private",
            nextStep: "run `chmod \(isFolder ? "700" : "600") \(quoted(path))`"
        )
    }

    static func foreign(_ path: String, owner: UInt32) -> IdentityError {
        IdentityError(
            "identity.foreign",
            "\(path) belongs to the user \(owner) and not to you",
            nextStep: "run huddle as that user, or `sudo chown -R \"$USER\" \(quoted(path))`"
        )
    }

    static func unreadable(_ path: String, _ cause: SystemError) -> IdentityError {
        IdentityError(
            "identity.unreadable",
            "\(path) can't be read",
            nextStep: "make sure that it is your file in your folder",
            cause: cause
        )
    }

    static func noFolder(_ path: String, _ cause: SystemError) -> IdentityError {
        IdentityError(
            "identity.no-folder",
            "the folder \(path) can't be used",
            nextStep: "make sure that you may write there, or choose another folder",
            cause: cause
        )
    }

    static func notKept(_ path: String, _ cause: SystemError) -> IdentityError {
        IdentityError(
            "identity.not-kept",
            "the new identity can't be written to \(path)",
            nextStep: "free space there, make sure that you may write there, and start again",
            cause: cause
        )
    }

    /// Quotes a path as one word for a shell.
    private static func quoted(_ path: String) -> String {
        "'" + String(path.flatMap { $0 == "'" ? "'\\''" : String($0) }) + "'"
    }
}
