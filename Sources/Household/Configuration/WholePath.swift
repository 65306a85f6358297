import Glibc

/// Paths as another program understands them, whose working folder is elsewhere.
package enum WholePath {
    package static func of(_ typed: String) -> String {
        let whole = typed.hasPrefix("/") ? typed : "\(workingFolder)/\(typed)"
        let parts = whole.split(separator: "/").filter { $0 != "." }
        // The parent of a link is the parent of its target, which only the system knows.
        if parts.contains(".."), let resolved = realpath(whole, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        return "/" + parts.joined(separator: "/")
    }

    private static var workingFolder: String {
        guard let folder = getcwd(nil, 0) else { return "" }
        defer { free(folder) }
        return String(cString: folder)
    }
}
