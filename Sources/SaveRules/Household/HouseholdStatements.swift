public import Vocabulary

/// The statements about the machines of a household, as one machine stores them, and their effects there.
///
/// Of each voucher and subject, the statement with the greatest number counts. So their order of arrival does not
/// matter, and a replayed one changes nothing. A statement pairs a machine only if its voucher knew of all removals of
/// that machine. So a removed machine returns only if a user pairs it again on a machine that had learned of the
/// removal.
public struct HouseholdStatements: Sendable {
    /// The largest number of machines in a household, and of vouchers whose statements are stored.
    public static let mostMachines = 64
    /// The largest number of statements of one voucher. Beyond it, those with the smallest numbers are dropped.
    public static let mostPerVoucher = 128
    /// The largest size of the statements of another voucher: 4 MiB for all of them. Beyond it, the pairings with the
    /// smallest numbers are dropped. So no voucher takes the room of another one.
    public static let byteLimitPerVoucher = 64 << 10

    /// The standing of each machine that this one knows; other machines are strangers.
    public typealias Standings = [PeerID: MachineStanding]

    /// The voucher and the subject of a statement.
    public struct Pair: Hashable, Sendable {
        /// The machine that made the statement.
        public let voucher: PeerID
        /// The machine that the statement is about.
        public let subject: PeerID

        /// - Parameters:
        ///   - voucher: the machine that made the statement
        ///   - subject: the machine that the statement is about
        public init(_ voucher: PeerID, about subject: PeerID) { (self.voucher, self.subject) = (voucher, subject) }
    }

    /// This machine.
    public let own: PeerID
    /// A number that grows with each change of the statements. It begins at 1; a machine that received no statements is
    /// at 0.
    public private(set) var revision = 1
    private var statements: [PeerID: [PeerID: HouseholdStatement]] = [:]
    /// The revision at which each statement came.
    private var revisions: [Pair: Int] = [:]
    /// The removals in spite of which the user of this machine keeps the subject.
    private var kept: Set<Pair>
    /// The changes that are not stored yet.
    private var changes = Changes()

    /// Changes of statements, for the ledger.
    public struct Changes: Hashable, Sendable {
        /// The statements that are new, or replace an earlier one.
        public fileprivate(set) var stored: [Pair: HouseholdStatement] = [:]
        /// The statements that are no longer stored.
        public fileprivate(set) var dropped: Set<Pair> = []

        /// Creates an empty set of changes.
        public init() {}
    }

    /// The result of a statement that came.
    public enum Arrival: Hashable, Sendable {
        case new
        /// The statement is known, older than a known one, or not of this household.
        case ignored
        case forged
    }

    /// - Parameters:
    ///   - own: this machine
    ///   - stored: the statements of the ledger, which were checked when they came
    ///   - kept: the removals in spite of which the user keeps a machine
    public init(of own: PeerID, _ stored: [HouseholdStatement] = [], kept: Set<Pair> = []) {
        (self.own, self.kept) = (own, kept)
        for statement in stored { statements[statement.voucher, default: [:]][statement.subject] = statement }
        // An earlier version of the program stored more.
        for voucher in statements.keys { keepLimits(of: voucher) }
    }

    /// Returns the statement of a voucher about a subject; nil if there is none.
    public func statement(of voucher: PeerID, about subject: PeerID) -> HouseholdStatement? {
        statements[voucher]?[subject]
    }

    /// Returns the machines about which a voucher made statements.
    public func subjects(of voucher: PeerID) -> Set<PeerID> { Set((statements[voucher] ?? [:]).keys) }

    /// Returns the changes since the last call. The caller stores them before it acts on them.
    public mutating func takeChanges() -> Changes {
        defer { changes = Changes() }
        return changes
    }

    // MARK: What comes

    /// Takes a statement that another machine of the household sent. Statements count only if a machine of the
    /// household made them. None counts about this machine or about a blocked one.
    public mutating func take(
        _ statement: HouseholdStatement,
        _ standings: Standings,
        checkedBy check: SealCheck
    ) -> Arrival {
        let (voucher, subject) = (statement.voucher, statement.subject)
        guard voucher == own || standings[voucher] == .mine, subject != own else { return .ignored }
        guard voucher == own || standings[subject] != .blocked else { return .ignored }
        guard statement.number > statements[voucher]?[subject]?.number ?? 0, hasRoom(for: statement, standings) else {
            return .ignored
        }
        guard statement.isSigned(by: check) else { return .forged }
        put(statement)
        return .new
    }

    private mutating func hasRoom(for statement: HouseholdStatement, _ standings: Standings) -> Bool {
        guard let known = statements[statement.voucher] else {
            guard statement.voucher != own, statements.count > Self.mostMachines else { return true }
            // The statements of a machine that left the household make room.
            guard let gone = statements.keys.filter({ $0 != own && standings[$0] != .mine }).min() else { return false }
            drop(gone) { _ in true }
            return true
        }
        return known[statement.subject] != nil || known.count < Self.mostPerVoucher
            || known.values.contains { $0.number < statement.number }
    }

    private mutating func put(_ statement: HouseholdStatement) {
        let pair = Pair(statement.voucher, about: statement.subject)
        let isRepeated = statements[pair.voucher]?[pair.subject]?.isPairing == statement.isPairing
        // If a machine repeats its removal of another one, the user is not asked again.
        if !isRepeated { kept.remove(pair) }
        statements[pair.voucher, default: [:]][pair.subject] = statement
        revision += 1
        (changes.stored[pair], revisions[pair]) = (statement, revision)
        changes.dropped.remove(pair)
        keepLimits(of: pair.voucher)
    }

    private mutating func keepLimits(of voucher: PeerID) {
        if let all = statements[voucher], all.count > Self.mostPerVoucher {
            // At a start, the ledger may have more than one too many.
            let numbers = all.values.map(\.number).sorted().suffix(Self.mostPerVoucher)
            drop(voucher) { $0.number < numbers.first ?? 0 }
        }
        while voucher != own, let all = statements[voucher],
            all.values.reduce(0, { $0 + $1.encoded.count }) > Self.byteLimitPerVoucher,
            // Only these can be large. Without a removal, the removed machine could return.
            let oldest = all.values.filter(\.isPairing).min(by: { $0.number < $1.number })
        {
            drop(voucher) { $0 == oldest }
        }
    }

    private mutating func drop(_ voucher: PeerID, where isDropped: (HouseholdStatement) -> Bool) {
        for statement in (statements[voucher] ?? [:]).values where isDropped(statement) {
            let pair = Pair(voucher, about: statement.subject)
            statements[voucher]?[statement.subject] = nil
            (changes.stored[pair], revisions[pair]) = (nil, nil)
            changes.dropped.insert(pair)
            kept.remove(pair)
            revision += 1
        }
        if statements[voucher]?.isEmpty == true { statements[voucher] = nil }
    }

    // MARK: What follows

    /// A machine that this one pairs with because of a statement.
    public struct Admission: Hashable, Sendable {
        /// The machine.
        public let subject: PeerID
        /// The name of the machine on the voucher's machine.
        public let name: InstanceName
        /// The machine that vouches for it.
        public let voucher: PeerID
    }

    /// Returns the strangers for which a machine of the household vouches, in order. Machines with a standing here are
    /// not among them.
    public func admissions(_ standings: Standings) -> [Admission] {
        let subjects = Set(statements.values.flatMap(\.keys)).filter { standings[$0, default: .stranger] == .stranger }
        let room = max(Self.mostMachines - 1 - standings.values.count { $0 == .mine }, 0)
        return subjects.sorted().compactMap { subject in
            voucher(for: subject, standings).map { Admission(subject: subject, name: $0.name, voucher: $0.voucher) }
        }.prefix(room).map(\.self)
    }

    /// A machine of this machine's household that other machines have removed.
    public struct Removed: Hashable, Sendable {
        /// The machine.
        public let subject: PeerID
        /// The machines that removed it.
        public let vouchers: [PeerID]

        /// - Parameters:
        ///   - subject: the machine
        ///   - vouchers: the machines that removed it
        public init(_ subject: PeerID, by vouchers: [PeerID]) { (self.subject, self.vouchers) = (subject, vouchers) }
    }

    /// Returns the removed machines about which the user of this machine must decide, in order.
    public func removed(_ standings: Standings) -> [Removed] {
        standings.filter { $0.value == .mine }.keys.sorted().compactMap { subject in
            let open = removals(of: subject).filter {
                $0.voucher != own && !kept.contains(Pair($0.voucher, about: subject))
            }
            guard !open.isEmpty, !isVouchedHere(subject), voucher(for: subject, standings) == nil else { return nil }
            return Removed(subject, by: open.map(\.voucher))
        }
    }

    /// Returns the valid removals of a machine, by ascending id of their vouchers.
    private func removals(of subject: PeerID) -> [HouseholdStatement.Removal] {
        statements.values.compactMap { $0[subject] }.filter { !$0.isPairing }
            .map { HouseholdStatement.Removal(by: $0.voucher, number: $0.number) }
            .sorted { $0.voucher < $1.voucher }
    }

    private func answersRemovals(_ statement: HouseholdStatement) -> Bool {
        guard case .paired(let known) = statement.claim else { return false }
        return removals(of: statement.subject).allSatisfy { removal in
            known.contains { $0.voucher == removal.voucher && $0.number >= removal.number }
        }
    }

    /// Returns the statement that makes a machine one of the household. If there are several, the smallest voucher id
    /// counts.
    private func voucher(for subject: PeerID, _ standings: Standings) -> HouseholdStatement? {
        statements.values.compactMap { $0[subject] }
            .filter { standings[$0.voucher] == .mine && answersRemovals($0) }
            .min { $0.voucher < $1.voucher }
    }

    private func isVouchedHere(_ subject: PeerID) -> Bool { statements[own]?[subject].map(answersRemovals) ?? false }

    // MARK: What this machine says

    /// Vouches for a machine that a user paired here.
    /// - Returns: false if this machine vouches for it already
    @discardableResult
    public mutating func vouch(for subject: PeerID, named name: InstanceName, sealedBy seal: VersionSeal) -> Bool {
        guard subject != own, !isVouchedHere(subject), let number = nextNumber else { return false }
        put(
            HouseholdStatement(
                about: subject,
                named: name,
                number: number,
                .paired(after: removals(of: subject)),
                sealedBy: seal
            )
        )
        return true
    }

    /// States that a user removed a machine here. It makes a new statement even after an earlier removal. The machine
    /// may have returned in between, by a pairing that knew only of the earlier one.
    public mutating func remove(_ subject: PeerID, named name: InstanceName, sealedBy seal: VersionSeal) {
        guard subject != own, let number = nextNumber else { return }
        put(HouseholdStatement(about: subject, named: name, number: number, .removed, sealedBy: seal))
    }

    /// Notes that the user keeps a machine that others removed.
    /// - Returns: these removals
    public mutating func keep(_ subject: PeerID) -> Set<Pair> {
        let pairs = Set(removals(of: subject).map { Pair($0.voucher, about: subject) }.filter { $0.voucher != own })
        kept.formUnion(pairs)
        return pairs
    }

    /// Drops statements that no longer count: all of a blocked machine, and all about one unless this machine made
    /// them. If a machine left the household, only its removals stay, so that a machine that a user removed stays
    /// removed.
    public mutating func dropWorthless(_ standings: Standings) {
        for voucher in statements.keys where voucher != own {
            switch standings[voucher, default: .stranger] {
            case .mine: drop(voucher) { standings[$0.subject] == .blocked }
            case .blocked: drop(voucher) { _ in true }
            case .guest, .forgotten, .stranger: drop(voucher) { $0.isPairing || standings[$0.subject] == .blocked }
            }
        }
    }

    private var nextNumber: UInt64? {
        let last = statements[own]?.values.map(\.number).max() ?? 0
        return last < HouseholdStatement.greatestNumber ? last + 1 : nil
    }

    // MARK: Statements for others

    /// Returns the statements for a machine of the household. It gets none about itself, so a removed or blocked
    /// machine learns nothing.
    ///
    /// The statements of a voucher come after one that makes it a member. So a new machine can take them one by one.
    /// - Parameter told: the last revision that the machine received
    public func outgoing(to peer: PeerID, after revision: Int = 0) -> [HouseholdStatement] {
        var (order, seen, sent) = ([PeerID](), Set<PeerID>(), [HouseholdStatement]())
        for first in [own, peer] + statements.keys.sorted() where seen.insert(first).inserted {
            order.append(first)
            while let voucher = order.popLast() {
                for (subject, statement) in (statements[voucher] ?? [:]).sorted(by: { $0.key < $1.key })
                where subject != peer {
                    if revisions[Pair(voucher, about: subject), default: 1] > revision { sent.append(statement) }
                    if statement.isPairing, seen.insert(subject).inserted { order.append(subject) }
                }
            }
        }
        return sent
    }
}
