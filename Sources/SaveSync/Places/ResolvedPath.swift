import Glibc
import LinuxPlatform

/// Where a path really leads, whatever links and mounts are on the way, with each folder above it. What is not there yet goes by its names.
struct ResolvedPath: Sendable {
    /// Without any symbolic link.
    let text: String
    /// From the root on; nil where nothing is there.
    private let steps: [(name: [UInt8], identity: FileIdentity?)]

    /// Waits for the disk.
    init(_ path: String) {
        var (known, rest) = (path.split(separator: "/").map(String.init), [String]())
        var real = Self.real("/" + known.joined(separator: "/"))
        while real == nil, let last = known.popLast() {
            rest.insert(last, at: 0)
            real = Self.real("/" + known.joined(separator: "/"))
        }
        let names = (real ?? "/").split(separator: "/").map(String.init) + rest
        var steps: [(name: [UInt8], identity: FileIdentity?)] = [([], try? FileFacts(at: "/").identity)]
        var place = ""
        for name in names {
            place += "/\(name)"
            steps.append((Array(name.utf8), try? FileFacts(at: place).identity))
        }
        (text, self.steps) = (place.isEmpty ? "/" : place, steps)
    }

    /// Asks no disk: where its names lead without any link.
    init(unresolved path: String) {
        let names = path.split(separator: "/").map { (name: Array($0.utf8), identity: FileIdentity?.none) }
        (text, steps) = (path, [([], nil)] + names)
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Whether one lies in the other, or did: by what was there when each was asked for, or by their names.
    func mayMeet(_ other: ResolvedPath) -> Bool {
        names(below: other) != nil || other.names(below: self) != nil
            || zip(steps, other.steps).allSatisfy { $0.name == $1.name }
    }

    /// The names that lead here from another place, none where it is that place; nil where this does not lie in it.
    func names(below other: ResolvedPath) -> [[UInt8]]? {
        if let identity = other.steps.last?.identity {
            guard let place = steps.lastIndex(where: { $0.identity == identity }) else { return nil }
            return steps[(place + 1)...].map(\.name)
        }
        guard steps.count >= other.steps.count,
            zip(steps, other.steps).allSatisfy({ $0.name == $1.name })
        else { return nil }
        return steps[other.steps.count...].map(\.name)
    }
}
