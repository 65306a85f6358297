import Glibc

/// The real place of a path, whatever links and mounts are on the way, with each folder above it. A part that does not
/// exist yet counts by its name.
package struct ResolvedPath: Sendable {
    /// The path without any symbolic link.
    package let text: String
    /// The steps from the root on; the identity is nil for a step that does not exist.
    private let steps: [(name: [UInt8], identity: FileIdentity?)]

    /// Resolves a path. Waits for the disk.
    package init(_ path: String) {
        var (real, missing) = Self.parts(of: path)
        // A missing name is no link, but a name after a `..` may be one.
        while let back = missing.firstIndex(of: "..") {
            missing.removeSubrange(max(0, back - 1)...back)
            (real, missing) = Self.parts(of: (real + missing).joined(separator: "/"))
        }
        let names = real + missing
        var steps: [(name: [UInt8], identity: FileIdentity?)] = [([], try? FileFacts(at: "/").identity)]
        var place = ""
        for name in names {
            place += "/\(name)"
            steps.append((Array(name.utf8), try? FileFacts(at: place).identity))
        }
        (text, self.steps) = (place.isEmpty ? "/" : place, steps)
    }

    /// Takes the names of a path as they are, without asking a disk.
    package init(unresolved path: String) {
        let names = path.split(separator: "/").map { (name: Array($0.utf8), identity: FileIdentity?.none) }
        (text, steps) = (path, [([], nil)] + names)
    }

    /// The names of the part that exists, without any link, and those that follow.
    private static func parts(of path: String) -> (real: [String], missing: [String]) {
        var (known, missing) = (path.split(separator: "/").map(String.init).filter { $0 != "." }, [String]())
        var place = real("/" + known.joined(separator: "/"))
        while place == nil, let last = known.popLast() {
            missing.insert(last, at: 0)
            place = real("/" + known.joined(separator: "/"))
        }
        return ((place ?? "/").split(separator: "/").map(String.init), missing)
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Tells if one is inside the other, or was: by the identities when each was resolved, or by their names.
    package func mayMeet(_ other: ResolvedPath) -> Bool {
        names(below: other) != nil || other.names(below: self) != nil
            || zip(steps, other.steps).allSatisfy { $0.name == $1.name }
    }

    /// The names that lead here from another place, none if it is that place; nil if this is not inside it.
    ///
    /// The deepest existing folder of the other counts by its identity, so that a second mount of it is found. The
    /// missing names below count by name.
    package func names(below other: ResolvedPath) -> [[UInt8]]? {
        let known = other.steps.lastIndex { $0.identity != nil }
        let missing = other.steps[(known.map { $0 + 1 } ?? 0)...]
        var own = steps[...]
        if let known {
            guard let same = steps.lastIndex(where: { $0.identity == other.steps[known].identity }) else { return nil }
            own = steps[(same + 1)...]
        }
        guard own.count >= missing.count, zip(own, missing).allSatisfy({ $0.name == $1.name }) else { return nil }
        return own.dropFirst(missing.count).map(\.name)
    }
}
