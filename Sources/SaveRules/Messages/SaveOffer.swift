public import Vocabulary

/// The offer of a set to a peer: “I have this, and you may.” A peer that has the set as well says the
/// same in return. Before both have said it, neither says anything else about the set.
public struct SaveOffer: Hashable, Sendable {
    /// How long the text of the rules may be.
    public static let maximumRulesByteCount = 64 << 10
    /// How many others may be named.
    public static let maximumFellowCount = 256

    /// Which set.
    public let set: SaveSetID
    /// Its name on the other machine.
    public let name: SaveSetName
    /// The files that are no part of it on any machine.
    public let ignored: PathPatterns
    /// The names in its folder that belong to it; nil if all do.
    public let chosen: ChosenNames?
    /// How two versions of it become one, in the words of a file of rules; nil where it has none of its own.
    public let rules: String?
    /// The other machines that share it as far as the peer knows, by ascending id.
    public let fellows: [PeerID]

    /// - Parameters:
    ///   - set: which set
    ///   - name: what it is called here
    ///   - ignored: what is no part of it on any machine
    ///   - chosen: what of its folder makes it; nil for all of it
    ///   - rules: at most 64 KiB
    ///   - fellows: who else has part in it; beyond 256 the rest is left out
    public init(
        _ set: SaveSetID,
        named name: SaveSetName,
        ignored: PathPatterns = .none,
        chosen: ChosenNames? = nil,
        rules: String? = nil,
        fellows: some Sequence<PeerID> = []
    ) {
        precondition((rules?.utf8.count ?? 0) <= Self.maximumRulesByteCount, "rules have at most 64 KiB")
        (self.set, self.name, self.ignored, self.chosen, self.rules) = (set, name, ignored, chosen, rules)
        self.fellows = Array(Set(fellows).sorted().prefix(Self.maximumFellowCount))
    }
}

extension SaveOffer {
    /// The same, but that one of the others has no part in it.
    public func without(fellow: PeerID) -> SaveOffer {
        SaveOffer(
            set,
            named: name,
            ignored: ignored,
            chosen: chosen,
            rules: rules,
            fellows: fellows.filter { $0 != fellow }
        )
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(counted: name.description)
        bytes.append(bigEndian: UInt16(ignored.lines.count))
        for line in ignored.lines { bytes.append(counted: line) }
        bytes.append(bigEndian: UInt32(rules?.utf8.count ?? 0))
        bytes.append(contentsOf: (rules ?? "").utf8)
        bytes.append(bigEndian: UInt16(fellows.count))
        for fellow in fellows { bytes.append(contentsOf: fellow.bytes) }
        // A program from before there were sets of chosen files reads every other offer, and must not take such a set for a whole folder.
        chosen?.append(to: &bytes)
    }

    init(_ set: SaveSetID, from reader: inout CanonicalReader) throws(SaveFormatError) {
        self.set = set
        guard let name = try? SaveSetName(try reader.text()) else { throw reader.error(.badOffer) }
        self.name = name
        let lineCount = Int(try reader.integer(UInt16.self))
        guard lineCount <= PathPatterns.maximumCount else { throw reader.error(.badOffer) }
        var lines: [String] = []
        for _ in 0..<lineCount { lines.append(try reader.text()) }
        guard let patterns = try? PathPatterns(lines) else { throw reader.error(.badOffer) }
        ignored = patterns
        let ruleCount = Int(try reader.integer(UInt32.self))
        guard ruleCount <= Self.maximumRulesByteCount else { throw reader.error(.badOffer) }
        guard let text = String(validating: try reader.bytes(ruleCount), as: UTF8.self) else {
            throw reader.error(.badOffer)
        }
        rules = text.isEmpty ? nil : text
        let fellowCount = Int(try reader.integer(UInt16.self))
        guard fellowCount <= Self.maximumFellowCount else { throw reader.error(.badOffer) }
        var fellows: [PeerID] = []
        for _ in 0..<fellowCount { fellows.append(try reader.peer()) }
        guard zip(fellows, fellows.dropFirst()).allSatisfy({ $0 < $1 }) else { throw reader.error(.badOffer) }
        self.fellows = fellows
        chosen = reader.remaining == 0 ? nil : try ChosenNames(from: &reader)
    }
}
