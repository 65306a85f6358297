public import Vocabulary

/// The offer of a game to a peer: “I have this, and you may.” A peer that has the game too sends the same offer back.
/// Until both have sent it, neither sends anything else about the game.
public struct SaveOffer: Hashable, Sendable {
    /// The largest size of the text of the rules.
    public static let maximumRulesByteCount = 64 << 10
    /// The largest number of other machines in an offer.
    public static let maximumFellowCount = 256

    /// The game.
    public let set: SaveSetID
    /// The sender's name for the game.
    public let name: SaveSetName
    /// The files that are not synced on any machine.
    public let ignored: PatternLines
    /// The names in the folder that belong to the game; nil if all do.
    public let chosen: ChosenNames?
    /// The text of a file of rules that merge two versions; nil if the game has no rules of its own.
    public let rules: String?
    /// The other machines that share the game as far as the sender knows, by ascending id.
    public let fellows: [PeerID]

    /// - Parameters:
    ///   - set: the game
    ///   - name: this machine's name for it
    ///   - ignored: the files that are not synced on any machine
    ///   - chosen: the names in the folder that belong to it; nil if all do
    ///   - rules: at most 64 KiB
    ///   - fellows: the other machines that share it; those beyond 256 are left out
    public init(
        _ set: SaveSetID,
        named name: SaveSetName,
        ignored: PathPatterns = .none,
        chosen: ChosenNames? = nil,
        rules: String? = nil,
        fellows: some Sequence<PeerID> = []
    ) {
        precondition((rules?.utf8.count ?? 0) <= Self.maximumRulesByteCount, "rules have at most 64 KiB")
        (self.set, self.name, self.chosen, self.rules) = (set, name, chosen, rules)
        self.ignored = PatternLines(ignored)
        self.fellows = Array(Set(fellows).sorted().prefix(Self.maximumFellowCount))
    }
}

extension SaveOffer {
    /// Returns the same offer without one of the other machines.
    public func without(fellow: PeerID) -> SaveOffer { SaveOffer(self, fellows: fellows.filter { $0 != fellow }) }

    private init(_ offer: SaveOffer, fellows: [PeerID]) {
        (set, name, ignored) = (offer.set, offer.name, offer.ignored)
        (chosen, rules, self.fellows) = (offer.chosen, offer.rules, fellows)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(counted: name.description)
        bytes.append(bigEndian: UInt16(ignored.lines.count))
        for line in ignored.lines { bytes.append(counted: line) }
        bytes.append(bigEndian: UInt32(rules?.utf8.count ?? 0))
        bytes.append(contentsOf: (rules ?? "").utf8)
        bytes.append(bigEndian: UInt16(fellows.count))
        for fellow in fellows { bytes.append(contentsOf: fellow.bytes) }
        // Older programs do not know games of chosen files, and must not take such a game for a whole folder. They read
        // all other offers.
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
        guard let patterns = try? PatternLines(lines) else { throw reader.error(.badOffer) }
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
