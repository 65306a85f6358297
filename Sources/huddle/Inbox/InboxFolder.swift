import Glibc
import LinuxPlatform
import Vocabulary

/// The folder that takes what others send.
struct InboxFolder: Sendable {
    /// Its whole path, so that it can be found again from anywhere.
    let path: String

    /// Makes it where there is none.
    init(_ typed: String) throws {
        try Self.make(typed)
        guard let resolved = realpath(typed, nil) else { throw Self.refusal(typed, SystemError("realpath")) }
        defer { free(resolved) }
        path = String(cString: resolved)
    }

    /// Where something of that name lies.
    func path(of name: FileName) -> String { path == "/" ? "/\(name.text)" : "\(path)/\(name.text)" }

    private static func make(_ path: String) throws {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
            guard mkdir(made, FileMode.program.rawValue) != 0, errno != EEXIST else { continue }
            let error = SystemError("mkdir", on: made)
            var facts = stat()
            guard stat(made, &facts) == 0 else { throw refusal(path, error) }
        }
    }

    private static func refusal(_ path: String, _ error: SystemError) -> CommandError {
        CommandError(
            "command.no-inbox-folder",
            "the folder “\(PrintableText(path, limit: 4096))” can't be used (\(error))",
            nextStep: "make it yourself, or name another with --into"
        )
    }
}
