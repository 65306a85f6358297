import Glibc
package import LinuxPlatform
package import Vocabulary

/// The folder that takes what others send.
package struct InboxFolder: Sendable {
    /// Its whole path, so that it can be found again from anywhere.
    package let path: String
    /// Why nothing is taken into it, as it was found when the program began.
    package let refusal: HouseholdError?
    private let reserved: [ReservedPlace]

    /// Makes it where there is none, unless it is a reserved place. Waits for the disk.
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

    /// Makes it again if it was removed since. Waits for the disk; other obstacles show when something is put
    /// there.
    ///
    /// - Throws: where it is a reserved place by now, such as after a link was turned
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
                    "name a folder of its own, such as ~/Downloads/huddle: with --into, or as `inbox` in the configuration"
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
