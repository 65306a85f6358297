/// A version's name for users, as in `celeste@12`: its number, the same on all machines.
///
/// Versions that two machines made at the same time can have the same number. Then the beginning of the id follows, as
/// in `12.5e4f`. The name depends on no machine's settings, so it is valid on every machine and after a machine was
/// renamed.
public struct VersionName: Hashable, Sendable, CustomStringConvertible {
    /// The number, which several versions can have.
    public let number: Int
    /// The beginning of the id, in lower case; nil if the number alone is meant.
    public let mark: String?

    private static let markLength = 4

    /// Creates the name of a version.
    ///
    /// - Parameter isShared: true if another version has the same number
    public init(of snapshot: Snapshot, isShared: Bool) {
        number = snapshot.number
        mark = isShared ? String(snapshot.id.description.prefix(Self.markLength)) : nil
    }

    /// Parses a name as the user types it; nil if it is not valid.
    public init?(_ typed: some StringProtocol) {
        let parts = typed.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        // `Int.init` would accept a sign as well.
        guard parts[0].allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(parts[0]) else { return nil }
        guard parts.count == 1 || !parts[1].isEmpty, parts.dropFirst().allSatisfy({ $0.allSatisfy(\.isHexDigit) })
        else { return nil }
        self.number = number
        mark = parts.count == 1 ? nil : parts[1].lowercased()
    }

    /// True if a version can have this name.
    public func names(_ snapshot: SnapshotID) -> Bool { mark.map(snapshot.description.hasPrefix) ?? true }

    /// The name without the @ before it.
    public var description: String { mark.map { "\(number).\($0)" } ?? "\(number)" }
}
