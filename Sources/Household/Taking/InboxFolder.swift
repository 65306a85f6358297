import Glibc
import LinuxPlatform
package import Vocabulary

/// The folder that takes what others send.
package struct InboxFolder: Sendable {
    /// Its whole path, so that it can be found again from anywhere.
    package let path: String

    /// Makes it where there is none.
    package init(_ typed: String) throws {
        do throws(SystemError) {
            try FolderPath.make(typed, mode: .program)
        } catch {
            throw Self.refusal(typed, error)
        }
        guard let resolved = realpath(typed, nil) else { throw Self.refusal(typed, SystemError("realpath")) }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    /// Makes it anew where somebody has removed it since. Waits for the disk; what speaks against it is found out by whoever puts something there.
    func makeAgain() {
        try? FolderPath.make(path, mode: .program)
    }

    /// Where something of that name lies.
    package func path(of name: FileName) -> String { path == "/" ? "/\(name.text)" : "\(path)/\(name.text)" }

    private static func refusal(_ path: String, _ error: SystemError) -> HouseholdError {
        HouseholdError(
            "command.no-inbox-folder",
            "the folder “\(PrintableText(path, limit: 4096))” can't be used (\(error))",
            nextStep: "make it yourself, or name another with --into"
        )
    }
}
