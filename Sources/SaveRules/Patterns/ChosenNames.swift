public import Vocabulary

/// The names of files and folders in the root of a game's folder that belong to the game, if not all do. They are the
/// same on every machine.
public struct ChosenNames: Hashable, Sendable {
    /// The largest number of names.
    public static let maximumCount = 256

    /// The names in the order of their bytes, each once; at least one.
    public let names: [FileName]

    /// - Returns: nil if there are none, or too many
    public init?(_ names: some Sequence<FileName>) {
        self.names = Set(names).sorted()
        guard (1...Self.maximumCount).contains(self.names.count) else { return nil }
    }

    /// True if two have a name in common.
    public func meets(_ other: ChosenNames) -> Bool { !Set(names).isDisjoint(with: other.names) }
}

extension ChosenNames {
    func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: UInt16(names.count))
        for name in names { bytes.append(counted: name.text) }
    }

    init(from reader: inout CanonicalReader) throws(SaveFormatError) {
        let count = Int(try reader.integer(UInt16.self))
        guard (1...Self.maximumCount).contains(count) else { throw reader.error(.badOffer) }
        var names: [FileName] = []
        for _ in 0..<count {
            guard let name = try? FileName(try reader.text()) else { throw reader.error(.badOffer) }
            names.append(name)
        }
        guard zip(names, names.dropFirst()).allSatisfy({ $0 < $1 }) else { throw reader.error(.badOffer) }
        self.names = names
    }
}
