public import Vocabulary

/// Why a file or folder could not be sent or stored.
public struct ResourceError: ExplainedError {
    /// What went wrong, as a stable word.
    public let code: ErrorCode
    /// What happened, with the path that it happened to.
    public let message: String
    /// What can be done about it.
    public let nextStep: String
    /// What the kernel or the reader of packs said.
    public let cause: (any Error)?

    init(_ code: ErrorCode, _ message: String, cause: (any Error)? = nil, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }

    /// Whether the two have the same code.
    static func ~= (pattern: ErrorCode, error: ResourceError) -> Bool { error.code == pattern }
}

// MARK: The source

extension ResourceError {
    /// The code of what was changed while it was sent: nothing that has come of it will ever fit.
    public static let sourceChanged: ErrorCode = ErrorCode(.file, "resource.source-changed")

    static func changed(_ path: String) -> ResourceError {
        ResourceError(
            sourceChanged,
            "\(quoted(path)) changed while it was being sent",
            nextStep: "wait until nothing writes to it any more, then send it again"
        )
    }

    static func unsupported(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.unsupported-entry"),
            "\(quoted(path)) is neither a file nor a folder nor a symbolic link",
            nextStep: "move it elsewhere, or send the folder without what can't be sent (--leave-out)"
        )
    }

    static func unsupportedSource(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.unsupported-entry"),
            "\(quoted(path)) is neither a file nor a folder",
            nextStep: "send a file or a folder"
        )
    }

    static func unknownSize(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.unknown-size"),
            "\(quoted(path)) says that it is empty and holds something all the same, as files in /proc do",
            nextStep: "send a copy: cp FILE COPY; or what it holds as a stream: huddle pipe PEER < FILE"
        )
    }

    static func badName(_ path: String, _ cause: FileName.Refusal) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.bad-name"),
            "the name of \(quoted(path)) can't be sent",
            cause: cause,
            nextStep: "rename it; in a folder it can be left out (--leave-out)"
        )
    }

    static func linkLeadsOut(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.link-leads-out"),
            "the symbolic link \(quoted(path)) may lead out of the folder that is being sent",
            nextStep:
                "replace it by what it leads to or by a plain relative link, or leave such things out (--leave-out)"
        )
    }

    static func tooDeep(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.too-deep"),
            "\(quoted(path)) lies more than \(PackLimits.depth) folders deep",
            nextStep: "pack the folder into an archive and send that"
        )
    }

    static func tooManyEntries() -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.too-many-entries"),
            "the folder has more than \(PackLimits.entries) entries",
            nextStep: "pack the folder into an archive and send that, or send its parts"
        )
    }

    static func tooLarge(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.too-large"),
            "\(quoted(path)) has more than \(ByteCount(BlockPlan.largestTotal))",
            nextStep: "send it in parts"
        )
    }
}

// MARK: The sink

extension ResourceError {
    static func busy(_ name: FileName) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.busy"),
            "\(quoted(name.text)) is already being received from this peer",
            nextStep: "wait for that transfer or cancel it"
        )
    }

    static func noSpace(missing: UInt64, _ folder: String) -> ResourceError {
        ResourceError(
            ErrorCode(.noSpace, "resource.no-space"),
            "\(ByteCount(missing).rounded) are missing on the file system of \(quoted(folder))",
            nextStep: "make room there or choose another folder, then try again"
        )
    }

    /// What the other side hears instead, if the message says more than concerns it.
    package var remark: String? { code == "resource.no-space" ? "there is not enough room for it" : nil }

    static func noEntries(_ folder: String) -> ResourceError {
        ResourceError(
            ErrorCode(.noSpace, "resource.no-space"),
            "the file system of \(quoted(folder)) has no room for so many files",
            nextStep: "remove files there or choose another folder, then try again"
        )
    }

    static func damaged() -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.damaged"),
            "what arrived is not what was sent",
            nextStep: "try again: only the damaged part travels anew; if it comes back, check the memory and the disks"
        )
    }

    static func notWanted(_ name: FileName) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.not-wanted"),
            "\(quoted(name.text)) was cancelled before it had its name",
            nextStep: "have it sent again if it is wanted"
        )
    }

    static func incomplete(missing: UInt64) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.incomplete"),
            "the resource ended \(missing) bytes early",
            nextStep: "try again: it goes on where it stopped"
        )
    }

    static func moreThanAnnounced() -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.more-than-announced"),
            "more bytes came than were announced",
            nextStep: "have the sender update huddle"
        )
    }

    static func badPack(_ defect: PackDefect) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.bad-pack"),
            "the folder did not come in the form that it must have",
            cause: defect,
            nextStep: "have the sender update huddle"
        )
    }

    static func badOffset(_ offset: UInt64) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.bad-offset"),
            "the sender wants to go on at byte \(offset), which was not offered",
            nextStep: "have the sender update huddle"
        )
    }

    static func noFreeName(_ name: FileName) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.no-free-name"),
            "\(quoted(name.text)) and all names like it are taken",
            nextStep: "clear the folder that receives"
        )
    }
}

extension ResourceError {
    static func quoted(_ path: String) -> String { "“\(PrintableText(path))”" }
}
