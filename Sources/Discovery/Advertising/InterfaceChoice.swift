/// On which network interfaces to be seen and to look.
///
/// A pattern is a name in which `*` stands for any characters: `docker*`.
public struct InterfaceChoice: Hashable, Sendable {
    /// Interfaces that containers and virtual machines put up. Peers never live there, and being published there makes
    /// Avahi see name clashes with itself.
    public static let containerBridges = [
        "br-*", "cni*", "docker*", "flannel*", "lxcbr*", "lxdbr*", "podman*", "veth*", "virbr*", "vnet*",
    ]

    /// Everything but the bridges of containers and virtual machines.
    public static let standard = InterfaceChoice(except: containerBridges)

    /// Everything there is.
    public static let all = InterfaceChoice(except: [])

    /// Where not empty, only interfaces that match one of these.
    public let only: [String]

    /// No interface that matches one of these, unless `only` names it.
    public let except: [String]

    /// - Parameters:
    ///   - only: patterns of the wanted interfaces; empty for all
    ///   - except: patterns of the unwanted ones
    public init(only: [String] = [], except: [String]) {
        self.only = only
        self.except = except
    }

    /// Whether an interface of this name is wanted.
    public func allows(_ name: String) -> Bool {
        guard only.isEmpty else {
            return only.contains { Self.matches(name, $0) }
        }
        return !except.contains { Self.matches(name, $0) }
    }

    /// Whether nothing at all is left out.
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
