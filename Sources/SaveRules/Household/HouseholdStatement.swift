public import Vocabulary

/// A signed statement of one machine about another: a user paired it there, or removed it from the household there.
///
/// The statement names the subject by its id alone. The id is the digest of the key, so no statement can give a machine
/// another key.
public struct HouseholdStatement: Hashable, Sendable {
    /// The name of a statement that removes a machine. Each voucher numbers its own statements.
    public struct Removal: Hashable, Sendable {
        /// The machine that made the statement.
        public let voucher: PeerID
        /// The number of the statement.
        public let number: UInt64

        /// - Parameters:
        ///   - voucher: the machine that made the statement
        ///   - number: the number of the statement
        public init(by voucher: PeerID, number: UInt64) { (self.voucher, self.number) = (voucher, number) }
    }

    /// The content of a statement.
    public enum Claim: Hashable, Sendable {
        /// A user paired the machine there. The voucher knew of these removals, by ascending id of their vouchers.
        case paired(after: [Removal])
        /// A user removed the machine from the household there.
        case removed
    }

    /// The largest number of a statement.
    public static let greatestNumber: UInt64 = 1 << 62
    /// The largest number of removals in a statement.
    public static let mostRemovals = 64

    /// The machine that signed it.
    public let voucher: PeerID
    /// The key of that machine.
    public let key: PublicKey
    /// The machine that the statement is about.
    public let subject: PeerID
    /// The name of the subject on the voucher's machine, for users.
    public let name: InstanceName
    /// The number of the statement. Of two statements of one voucher about one subject, the greater number counts.
    public let number: UInt64
    /// Its content.
    public let claim: Claim
    /// The encoding that travels and that the ledger stores, with the signature at its end.
    public let encoded: [UInt8]

    /// True if it says that the machine is paired.
    public var isPairing: Bool { if case .paired = claim { true } else { false } }

    /// Signs a statement of this machine.
    ///
    /// - Parameters:
    ///   - subject: any machine apart from this one
    ///   - number: from 1 to ``greatestNumber``
    ///   - claim: at most ``mostRemovals`` removals; further ones are left out
    public init(
        about subject: PeerID,
        named name: InstanceName,
        number: UInt64,
        _ claim: Claim,
        sealedBy seal: VersionSeal
    ) {
        precondition(subject != seal.owner, "no machine vouches for itself")
        precondition((1...Self.greatestNumber).contains(number), "a number without bound does not fit the ledger")
        (voucher, key, self.subject) = (seal.owner, seal.key, subject)
        (self.name, self.number) = (name, number)
        switch claim {
        case .removed: self.claim = .removed
        case .paired(let removals):
            let sorted = removals.sorted { $0.voucher < $1.voucher }
            self.claim = .paired(after: Array(sorted.prefix(Self.mostRemovals)))
        }
        let body = Self.body(seal.key, subject, name, number, self.claim)
        encoded = body + seal.signature(of: .household(body[...])).bytes
    }

    /// True if the voucher has signed it.
    func isSigned(by check: SealCheck) -> Bool {
        let body = encoded.dropLast(Signature.byteCount)
        guard let signature = Signature(bytes: encoded.suffix(Signature.byteCount)) else { return false }
        return check.holds(.household(body), SignedVersion.Proof(key: key, signature: signature))
    }
}

/// The encoding of a statement. `docs/internals/sync-protocol.md` has the bytes.
extension HouseholdStatement {
    private enum Kind: UInt8 {
        case paired = 1
        case removed = 2
    }

    private static func body(
        _ key: PublicKey,
        _ subject: PeerID,
        _ name: InstanceName,
        _ number: UInt64,
        _ claim: Claim
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        let (kind, removals): (Kind, [Removal]) =
            switch claim {
            case .paired(let removals): (.paired, removals)
            case .removed: (.removed, [])
            }
        bytes.append(kind.rawValue)
        bytes.append(bigEndian: number)
        bytes += key.bytes + subject.bytes
        bytes.append(counted: name.text)
        bytes.append(UInt8(removals.count))
        for removal in removals {
            bytes += removal.voucher.bytes
            bytes.append(bigEndian: removal.number)
        }
        return bytes
    }

    /// Decodes a statement. It checks no signature.
    /// - Parameter hash: SHA-256
    public init(decoding bytes: [UInt8], hashedBy hash: ContentHash) throws(SaveFormatError) {
        var reader = CanonicalReader(bytes)
        try self.init(from: &reader, hashedBy: hash)
        try reader.finish()
    }

    init(from reader: inout CanonicalReader, hashedBy hash: ContentHash) throws(SaveFormatError) {
        guard let kind = Kind(rawValue: try reader.integer()) else { throw reader.error(.badStatement) }
        let number: UInt64 = try reader.integer()
        let (key, subject) = (try reader.key(), try reader.peer())
        guard let name = try? InstanceName(try reader.text()) else { throw reader.error(.badStatement) }
        let removals = try Self.removals(from: &reader)
        let signature = try reader.signature()
        let voucher = PeerID(of: key, hashedBy: hash)
        guard (1...Self.greatestNumber).contains(number), voucher != subject, kind == .paired || removals.isEmpty
        else { throw reader.error(.badStatement) }
        let claim: Claim = kind == .paired ? .paired(after: removals) : .removed
        (self.voucher, self.key, self.subject, self.name) = (voucher, key, subject, name)
        (self.number, self.claim) = (number, claim)
        encoded = Self.body(key, subject, name, number, claim) + signature.bytes
    }

    private static func removals(from reader: inout CanonicalReader) throws(SaveFormatError) -> [Removal] {
        let count = Int(try reader.integer(UInt8.self))
        guard count <= mostRemovals else { throw reader.error(.badStatement) }
        var removals: [Removal] = []
        for _ in 0..<count {
            let removal = Removal(by: try reader.peer(), number: try reader.integer())
            guard (1...greatestNumber).contains(removal.number),
                removals.last.map({ $0.voucher < removal.voucher }) ?? true
            else { throw reader.error(.badStatement) }
            removals.append(removal)
        }
        return removals
    }
}
