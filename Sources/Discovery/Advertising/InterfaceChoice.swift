/// Network interfaces for browsing and advertising.
///
/// A pattern is a name in which `*` matches any characters: `docker*`.
public struct InterfaceChoice: Hashable, Sendable {
    /// Interfaces of containers and virtual machines. No peer uses them, and advertising on them makes Avahi see
    /// clashes with itself.
    public static let containerBridges = [
        "br-*", "cni*", "docker*", "flannel*", "lxcbr*", "lxdbr*", "podman*", "veth*", "virbr*", "vnet*",
    ]

    /// All interfaces except those of containers and virtual machines.
    public static let standard = InterfaceChoice(except: containerBridges)

    /// All interfaces.
    public static let all = InterfaceChoice(except: [])

    /// If not empty, only interfaces that match one of these.
    public let only: [String]

    /// Interfaces that match one of these are excluded, unless `only` is given.
    public let except: [String]

    /// - Parameters:
    ///   - only: patterns of the wanted interfaces; empty for all
    ///   - except: patterns of the unwanted ones
    public init(only: [String] = [], except: [String]) {
        self.only = only
        self.except = except
    }

    /// True if the patterns select an interface of this name.
    public func allows(_ name: String) -> Bool {
        guard only.isEmpty else {
            return only.contains { Self.matches(name, $0) }
        }
        return !except.contains { Self.matches(name, $0) }
    }

    var isEverything: Bool { only.isEmpty && except.isEmpty }

    private static func matches(_ name: String, _ pattern: String) -> Bool {
        let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map(Array.init)
        let bytes = Array(name.utf8)
        guard parts.count > 1 else { return bytes == parts[0] }
        guard bytes.starts(with: parts[0]) else { return false }
        var rest = bytes[parts[0].count...]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let place = rest.firstRange(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        let last = parts[parts.count - 1]
        return rest.count >= last.count && rest.suffix(last.count).elementsEqual(last)
    }
}
