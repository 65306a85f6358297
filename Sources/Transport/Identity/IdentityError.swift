import LinuxPlatform
public import Vocabulary

/// Why this machine's identity can't be had.
public struct IdentityError: ExplainedError {
    /// What is wrong, as a stable word.
    public let code: ErrorCode
    /// What is wrong, with the path.
    public let message: String
    /// What to type.
    public let nextStep: String
    /// What the kernel said, where it did.
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
            nextStep: "start huddle once, which makes one"
        )
    }

    static func damaged(_ path: String) -> IdentityError {
        IdentityError(
            "identity.damaged",
            "\(path) does not hold a key and its certificate",
            nextStep:
                "put it back from a backup; or remove it to begin as a new machine, which others will have to accept anew"
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
            "others on this machine may get at the key: \(path) is not private",
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
            nextStep: "see to it that it is a file of yours in a folder of yours",
            cause: cause
        )
    }

    static func noFolder(_ path: String, _ cause: SystemError) -> IdentityError {
        IdentityError(
            "identity.no-folder",
            "the folder \(path) can't be used",
            nextStep: "see to it that you may write there, or choose another folder",
            cause: cause
        )
    }

    static func notKept(_ path: String, _ cause: SystemError) -> IdentityError {
        IdentityError(
            "identity.not-kept",
            "the new identity can't be written to \(path)",
            nextStep: "make room there, or see to it that you may write there, and start again",
            cause: cause
        )
    }

    /// As a shell takes it for one word.
    private static func quoted(_ path: String) -> String {
        "'" + String(path.flatMap { $0 == "'" ? "'\\''" : String($0) }) + "'"
    }
}
