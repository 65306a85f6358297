import Glibc
package import LinuxPlatform
package import Vocabulary

/// The folder for files that other machines send.
package struct InboxFolder: Sendable {
    /// The absolute path, so that it is valid from any working folder.
    package let path: String
    /// The reason why the inbox takes no files, as found when the program began.
    package let refusal: HouseholdError?
    private let reserved: [ReservedPlace]

    /// Makes the folder if it is missing, unless it is a reserved place. Waits for the disk.
    package init(_ typed: String, besides reserved: [ReservedPlace] = []) throws {
        self.reserved = reserved.map(\.resolved)
        refusal = Self.refusal(of: typed, self.reserved)
        guard refusal == nil else {
            path = typed
            return
        }
        do throws(SystemError) {
            try FolderPath.make(typed, mode: .program)
        } catch {
            throw Self.refusal(typed, error)
        }
        guard let resolved = realpath(typed, nil) else { throw Self.refusal(typed, SystemError("realpath")) }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    /// Makes the folder again if it was removed since. Waits for the disk. Other obstacles show when a file is written.
    ///
    /// - Throws: if the path is a reserved place by now, such as after a change of a symbolic link
    func prepare() throws(HouseholdError) {
        if let refusal = Self.refusal(of: path, reserved) { throw refusal }
        try? FolderPath.make(path, mode: .program)
    }

    /// The code of an inbox that is a reserved place.
    static let reservedCode: ErrorCode = ErrorCode(.folderReserved, "inbox.reserved")

    /// The path of an entry of that name.
    package func path(of name: FileName) -> String { path == "/" ? "/\(name.text)" : "\(path)/\(name.text)" }

    private static func refusal(of path: String, _ reserved: [ReservedPlace]) -> HouseholdError? {
        ReservedPlace.conflict(at: path, with: reserved).map { conflict in
            HouseholdError(
                reservedCode,
                "“\(PrintableText(path, limit: 4096))” can't be the inbox: \(conflict.reason)",
                nextStep:
                    "name a folder of its own, such as ~/Downloads/huddle: with --into, or as `inbox` in the "
                    + "configuration"
            )
        }
    }

    private static func refusal(_ path: String, _ error: SystemError) -> HouseholdError {
        HouseholdError(
            ErrorCode(.file, "command.no-inbox-folder"),
            "the folder “\(PrintableText(path, limit: 4096))” can't be used: \(error)",
            nextStep: "make it yourself, or name another with --into"
        )
    }
}
