public import SaveRules
public import Vocabulary

/// The properties of any bytes of a save that a peer sends. The fuzzer looks for bytes that violate one; the tests try
/// mutations of good ones, and each finding of the fuzzer again.
///
/// The first byte of an input selects the kind of the others.
public enum SaveProperties {
    /// The violated property; nil if all hold.
    public static func violation(for input: [UInt8]) -> String? {
        guard let first = input.first else { return nil }
        let bytes = Array(input.dropFirst())
        switch first % 10 {
        case 0: return manifestViolation(for: bytes)
        case 1: return snapshotViolation(for: bytes)
        case 2: return pathViolation(for: bytes)
        case 3: return patternViolation(for: bytes)
        case 4: return messageViolation(for: bytes)
        case 5: return deliveryViolation(for: bytes)
        case 6: return statementViolation(for: bytes)
        case 7: return householdViolation(for: bytes)
        case 8: return answerViolation(for: bytes)
        default: return archiveViolation(for: bytes)
        }
    }

    private static func manifestViolation(for bytes: [UInt8]) -> String? {
        guard let manifest = try? Manifest(decoding: bytes) else { return nil }
        guard manifest.encoded == bytes else { return "a manifest is written differently than it was read" }
        guard (try? Manifest(manifest.entries)) == manifest else { return "a manifest was read that can't be made" }
        for entry in manifest.entries where manifest[entry.path] != entry { return "an entry is not found" }
        return nil
    }

    private static func snapshotViolation(for bytes: [UInt8]) -> String? {
        guard let snapshot = try? Snapshot(kept: bytes, hashedBy: mixed) else { return nil }
        guard snapshot.encoded == bytes else { return "a snapshot is written differently than it was read" }
        guard snapshot.id == SnapshotID(of: bytes, hashedBy: mixed) else { return "a snapshot has another's name" }
        guard snapshot.version.compared(to: snapshot.version) == .equal else { return "a version differs from itself" }
        var check = check
        guard let checked = try? Snapshot(decoding: bytes, checkedBy: &check) else { return nil }
        guard checked == snapshot, checked.author == snapshot.author else { return "a check has changed a snapshot" }
        return nil
    }

    private static func pathViolation(for bytes: [UInt8]) -> String? {
        guard let path = try? SavePath(bytes: bytes) else { return nil }
        guard Array(path.text.utf8) == bytes else { return "a path is kept differently than it was read" }
        guard (try? SavePath(path.names)) == path, path.names.count == path.depth, path.names.last == path.name else {
            return "a path is not made of its names"
        }
        return path.parent.map { path.lies(in: $0) && $0 < path } ?? (path.depth == 1) ? nil : "a path left its folder"
    }

    private static func messageViolation(for bytes: [UInt8]) -> String? {
        guard let peer = PeerID(bytes: [UInt8](repeating: 7, count: PeerID.byteCount)),
            let message = try? SaveMessage(decoding: bytes, from: peer)
        else { return nil }
        guard message.encoded == bytes else { return "a message is written differently than it was read" }
        if case .claim(_, let claim) = message, claim.peer != peer { return "a peer speaks for another" }
        if case .cutOff(_, let play?) = message,
            play.player == peer || play.saved > VersionVector.maximumCounter
        {
            return "a peer that speaks was cut off, or a counter is beyond all versions"
        }
        return nil
    }

    /// Whole deliveries, however they are cut.
    private static func deliveryViolation(for bytes: [UInt8]) -> String? {
        var (reader, written, rest) = (SaveDeliveryReader(), [UInt8](), bytes[...])
        while !rest.isEmpty {
            reader.append(Array(rest.prefix(7)))
            rest = rest.dropFirst(7)
            do throws(SaveFormatError) {
                while let delivery = try reader.next() { written += delivery.encoded }
            } catch {
                return nil
            }
        }
        return bytes.starts(with: written) ? nil : "a delivery is written differently than it was read"
    }

    private static func statementViolation(for bytes: [UInt8]) -> String? {
        guard let statement = try? HouseholdStatement(decoding: bytes, hashedBy: mixed) else { return nil }
        guard statement.encoded == bytes else { return "a statement is written differently than it was read" }
        return statement.voucher == statement.subject ? "a machine vouches for itself" : nil
    }

    /// A message, and its statements at a machine that takes them from all vouchers.
    private static func householdViolation(for bytes: [UInt8]) -> String? {
        guard let own = PeerID(bytes: [UInt8](repeating: 7, count: PeerID.byteCount)),
            let message = try? HouseholdMessage(decoding: bytes, hashedBy: mixed)
        else { return nil }
        guard message.encoded == bytes else { return "a household's message is written differently than it was read" }
        var statements = HouseholdStatements(of: own)
        let standings = message.statements.reduce(into: HouseholdStatements.Standings()) { $0[$1.voucher] = .mine }
        for statement in message.statements { _ = statements.take(statement, standings, checkedBy: check) }
        let byVoucher = Dictionary(grouping: statements.outgoing(to: own), by: \.voucher)
        for (voucher, kept) in byVoucher where voucher != own {
            guard kept.reduce(0, { $0 + $1.encoded.count }) <= HouseholdStatements.byteLimitPerVoucher else {
                return "more of a voucher is kept than allowed"
            }
        }
        return nil
    }

    private static func answerViolation(for bytes: [UInt8]) -> String? {
        guard let answer = try? StateAnswer(decoding: bytes) else { return nil }
        return answer.encoded == bytes ? nil : "an answer is written differently than it was read"
    }

    /// The header of an archive and the archive, however they are cut.
    private static func archiveViolation(for bytes: [UInt8]) -> String? {
        var (reader, rest) = (StateDeliveryReader(), bytes[...])
        while !rest.isEmpty {
            guard (try? reader.append(Array(rest.prefix(7)))) != nil else { return nil }
            rest = rest.dropFirst(7)
        }
        guard let (delivery, archive) = try? reader.finish() else { return nil }
        return delivery.encoded + archive == bytes ? nil : "an archive is written differently than it was read"
    }

    /// Lines, an empty line, then a path.
    private static func patternViolation(for bytes: [UInt8]) -> String? {
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let path = lines.popLast().flatMap({ try? SavePath($0) }), let patterns = try? PathPatterns(lines) else {
            return nil
        }
        let isIn = patterns.contains(path, isFolder: false)
        if patterns.containsItself(path, isFolder: false), !isIn { return "a path is meant itself and yet is not" }
        if let parent = path.parent, patterns.contains(parent, isFolder: true), !isIn {
            return "a folder is meant and what lies in it is not"
        }
        return nil
    }

    /// A seal without cryptography: anyone with the key can sign.
    public static func seal(of key: PublicKey) -> VersionSeal {
        VersionSeal(of: key, hashedBy: mixed) { signature(of: $0, by: key) }
    }

    /// Checks what such seals have signed.
    public static let check = SealCheck(hashedBy: mixed) { bytes, signature, key in
        signature == SaveProperties.signature(of: bytes, by: key)
    }

    private static func signature(of bytes: [UInt8], by key: PublicKey) -> Signature {
        let signed = key.bytes + bytes
        guard let signature = Signature(bytes: mixed(signed) + mixed([1] + signed)) else {
            preconditionFailure("two digests have the bytes of a signature")
        }
        return signature
    }

    /// No cryptography, but each byte counts, and so does its place. A machine's id is its key.
    @Sendable
    public static func mixed(_ bytes: [UInt8]) -> [UInt8] {
        if let key = PublicKey(bytes: bytes.suffix(PublicKey.byteCount)), key.subjectPublicKeyInfo == bytes {
            return key.bytes
        }
        var (low, high) = (0xCBF2_9CE4_8422_2325 as UInt64, 0x9E37_79B9_7F4A_7C15 as UInt64)
        for byte in bytes {
            low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            high = (high &+ low) &* 0xBF58_476D_1CE4_E5B9
        }
        var digest: [UInt8] = []
        digest.reserveCapacity(32)
        for word in [low, high, low ^ high >> 29, high &+ low >> 31] {
            let word = (word ^ word >> 31) &* 0x94D0_49BB_1331_11EB
            withUnsafeBytes(of: word) { digest.append(contentsOf: $0) }
        }
        return digest
    }
}
