public import Vocabulary

/// Error of sending or storing a file or folder.
public struct ResourceError: ExplainedError {
    /// Stable code of the error.
    public let code: ErrorCode
    /// The error with the path.
    public let message: String
    /// The recommended action.
    public let nextStep: String
    /// The error of the kernel or of the parser.
    public let cause: (any Error)?

    init(_ code: ErrorCode, _ message: String, cause: (any Error)? = nil, nextStep: String) {
        self.code = code
        self.message = message
        self.nextStep = nextStep
        self.cause = cause
    }

    /// True if the error has this code.
    static func ~= (pattern: ErrorCode, error: ResourceError) -> Bool { error.code == pattern }
}

// MARK: Source

extension ResourceError {
    /// Code for a source that changed during the transfer: no part that arrived can be used again.
    public static let sourceChanged: ErrorCode = ErrorCode(.file, "resource.source-changed")

    static func changed(_ path: String) -> ResourceError {
        ResourceError(
            sourceChanged,
            "\(quoted(path)) changed while it was being sent",
            nextStep: "wait until no program writes to it, then send it again"
        )
    }

    static func unsupported(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.unsupported-entry"),
            "\(quoted(path)) is neither a file nor a folder nor a symbolic link",
            nextStep: "move it elsewhere, or skip such entries (--leave-out)"
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
            "\(quoted(path)) has a size of 0 but is not empty, as files in /proc",
            nextStep: "send a copy: cp FILE COPY; or its content as a stream: huddle pipe PEER < FILE"
        )
    }

    static func badName(_ path: String, _ cause: FileName.Refusal) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.bad-name"),
            "the name of \(quoted(path)) can't be sent",
            cause: cause,
            nextStep: "rename it, or skip it in a folder (--leave-out)"
        )
    }

    static func linkLeadsOut(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.link-leads-out"),
            "the symbolic link \(quoted(path)) may lead out of the sent folder",
            nextStep:
                "replace it by its target or a plain relative link, or skip such entries (--leave-out)"
        )
    }

    static func tooDeep(_ path: String) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.too-deep"),
            "\(quoted(path)) is more than \(PackLimits.depth) folders deep",
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

// MARK: Sink

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

    /// A shorter message for the sender, if the message has details that don't concern it.
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
            "the received data differs from the sent data",
            nextStep: "try again: only the damaged part is sent again; if it recurs, check the memory and the disks"
        )
    }

    static func notWanted(_ name: FileName) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.not-wanted"),
            "\(quoted(name.text)) was cancelled before it was complete",
            nextStep: "ask for it to be sent again if you want it"
        )
    }

    static func incomplete(missing: UInt64) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.incomplete"),
            "the resource ended \(missing) bytes early",
            nextStep: "try again: it resumes where it stopped"
        )
    }

    static func moreThanAnnounced() -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.more-than-announced"),
            "more bytes arrived than announced",
            nextStep: "have the sender update huddle"
        )
    }

    static func badPack(_ defect: PackDefect) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.bad-pack"),
            "the received folder is not in the required format",
            cause: defect,
            nextStep: "have the sender update huddle"
        )
    }

    static func badOffset(_ offset: UInt64) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.bad-offset"),
            "the sender wants to resume at byte \(offset), which was not offered",
            nextStep: "have the sender update huddle"
        )
    }

    static func noFreeName(_ name: FileName) -> ResourceError {
        ResourceError(
            ErrorCode(.file, "resource.no-free-name"),
            "\(quoted(name.text)) and all its numbered names are taken",
            nextStep: "remove files from the receiving folder"
        )
    }
}

extension ResourceError {
    static func quoted(_ path: String) -> String { "“\(PrintableText(path))”" }
}
