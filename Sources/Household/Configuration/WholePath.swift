import Glibc

/// Absolute paths for another program, whose working folder is different.
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
