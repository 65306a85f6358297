/// A version's name for people, as in `celeste@12`: its number, the same on all machines.
///
/// Versions that two machines made at the same time have one number. There the beginning of the version's id follows, as in `12.5e4f`. It is
/// part of no machine's settings, so a name holds on every machine and after a machine was renamed.
public struct VersionName: Hashable, Sendable, CustomStringConvertible {
    /// The number, which several versions can have.
    public let number: Int
    /// The beginning of the id, in lower case; nil if the number alone is meant.
    public let mark: String?

    private static let markLength = 4

    /// The name of a snapshot.
    ///
    /// - Parameter isShared: whether another version has the same number
    public init(of snapshot: Snapshot, isShared: Bool) {
        number = snapshot.number
        mark = isShared ? String(snapshot.id.description.prefix(Self.markLength)) : nil
    }

    /// Reads a name as a person types it; nil if it is none.
    public init?(_ typed: some StringProtocol) {
        let parts = typed.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        // The standard library would take a sign as well.
        guard parts[0].allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(parts[0]) else { return nil }
        guard parts.count == 1 || !parts[1].isEmpty, parts.dropFirst().allSatisfy({ $0.allSatisfy(\.isHexDigit) })
        else { return nil }
        self.number = number
        mark = parts.count == 1 ? nil : parts[1].lowercased()
    }

    /// True if a snapshot can have this name.
    public func names(_ snapshot: SnapshotID) -> Bool { mark.map(snapshot.description.hasPrefix) ?? true }

    /// The name without the @ before it.
    public var description: String { mark.map { "\(number).\($0)" } ?? "\(number)" }
}
