import Digests
public import Vocabulary

/// One side of the proof that two machines know the same code: SPAKE2 (RFC 9382) on P-256 with SHA-256, HKDF and HMAC.
///
/// A share reveals nothing about the code. A confirmation lets its reader test one code: the one in the reader's own
/// share. So a machine in the middle has one guess per run. Both confirmations cover both keys and the connection, so a
/// run that is relayed between two connections fails on both.
public struct PairingExchange: ~Copyable {
    /// The side: RFC 9382 calls them A and B.
    public enum Role: Sendable {
        /// The invited machine, on which the user types the code: A.
        case invited
        /// The inviting machine, which shows the code: B.
        case inviter
    }

    /// The two machines, and the binding of a run to one invitation over one connection.
    public struct Setting: Sendable {
        /// The identity of A.
        public var invited: [UInt8]
        /// The identity of B.
        public var inviter: [UInt8]
        /// The control channel's TLS exporter for "EXPORTER-huddle-pairing", followed by the id of the invitation.
        public var binding: [UInt8]

        /// - Parameters:
        ///   - invited: the machine that is invited
        ///   - inviter: the machine that invites
        ///   - exporter: the control channel's TLS exporter for "EXPORTER-huddle-pairing"
        ///   - invitation: the invitation that the code belongs to
        public init(invited: PeerID, inviter: PeerID, exporter: [UInt8], invitation: InvitationID) {
            self.init(invited: invited.bytes, inviter: inviter.bytes, binding: exporter + invitation.bytes)
        }

        init(invited: [UInt8], inviter: [UInt8], binding: [UInt8]) {
            (self.invited, self.inviter, self.binding) = (invited, inviter, binding)
        }
    }

    /// The confirmations of both sides, known once a side has the other's share.
    public struct Confirmations: Sendable {
        /// The confirmation that this side sends.
        public let own: PairingConfirmation
        private let expected: PairingConfirmation

        init(_ role: Role, _ invited: PairingConfirmation, _ inviter: PairingConfirmation) {
            (own, expected) = role == .invited ? (invited, inviter) : (inviter, invited)
        }

        /// Returns true if the other side's confirmation proves that it knows the code.
        public func isRight(_ confirmation: PairingConfirmation) -> Bool {
            Digest.areEqual(confirmation.bytes, expected.bytes)
        }
    }

    /// The share for the other side.
    public let share: PairingShare

    private let role: Role
    private let setting: Setting
    private let password: CurveScalar
    private let secret: CurveScalar

    /// - Parameters:
    ///   - role: the side
    ///   - setting: the machines and the connection
    ///   - digits: the code, as its digits alone
    public init(_ role: Role, in setting: Setting, digits: String) {
        self.init(role, in: setting, password: Self.password(digits), secret: .random())
    }

    static func password(_ digits: String) -> CurveScalar {
        CurveScalar(reducing: Digest.sha512(Array("huddle pairing code".utf8) + Array(digits.utf8)))
    }

    init(
        _ role: Role,
        in setting: Setting,
        password: consuming CurveScalar,
        secret: consuming CurveScalar
    ) {
        let point = CurvePoint.generator(times: secret).plus(Self.blind(of: role).times(password))
        guard let share = PairingShare(bytes: point.bytes) else {
            preconditionFailure("the secret would have to cancel the blind, which has one chance in 2^256")
        }
        (self.share, self.role, self.setting) = (share, role, setting)
        self.password = password
        self.secret = secret
    }

    /// Computes the confirmations from the other side's share. This consumes the run: another share needs a new run
    /// with a new code.
    ///
    /// - Returns: nil if the share is no point of the curve, or the common secret would be the neutral element
    public consuming func confirmations(for other: PairingShare) -> Confirmations? {
        guard let point = CurvePoint(bytes: other.bytes) else { return nil }
        let unblinded = point.minus(Self.blind(of: role.other).times(password))
        let common = unblinded.times(secret)
        guard !common.isNeutral else { return nil }
        let (invited, inviter) = role == .invited ? (share, other) : (other, share)
        let parts = [
            setting.invited, setting.inviter, invited.bytes, inviter.bytes, common.bytes, password.bytes,
        ]
        let transcript = parts.flatMap { Self.length($0) + $0 }
        let keys = Self.confirmationKeys(transcript, binding: setting.binding)
        return Confirmations(role, Self.tag(transcript, keys.prefix(16)), Self.tag(transcript, keys.dropFirst(16)))
    }

    /// KcA and KcB of RFC 9382, 16 bytes each, from the second half of the transcript's digest by HKDF (RFC 5869) in
    /// one block.
    private static func confirmationKeys(_ transcript: [UInt8], binding: [UInt8]) -> [UInt8] {
        let key = Array(Digest.sha256(transcript).suffix(16))
        let extracted = Digest.authentication(of: key, key: [UInt8](repeating: 0, count: Digest.byteCount))
        return Digest.authentication(of: Array("ConfirmationKeys".utf8) + binding + [1], key: extracted)
    }

    private static func tag(_ transcript: [UInt8], _ key: ArraySlice<UInt8>) -> PairingConfirmation {
        let tag = Digest.authentication(of: transcript, key: Array(key))
        guard let confirmation = PairingConfirmation(bytes: tag) else {
            preconditionFailure("HMAC-SHA256 has 32 bytes")
        }
        return confirmation
    }

    private static func length(_ part: [UInt8]) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: part.count >> (8 * $0)) }
    }

    /// The points M and N of RFC 9382 for P-256. A hash made them, so no one knows their discrete logarithms.
    private static func blind(of role: Role) -> CurvePoint {
        let (first, x): (UInt8, [UInt64]) =
            switch role {
            case .invited:
                (2, [0x886e_2f97_ace4_6e55, 0xba9d_d724_2579_f299, 0x3b64_e16e_f3dc_ab95, 0xafd4_9733_3d8f_a12f])
            case .inviter:
                (3, [0xd8bb_d6c6_39c6_2937, 0xb04d_997f_38c3_7707, 0x19c6_29d7_014d_49a2, 0x4b4f_98ba_a129_2b49])
            }
        let bytes = x.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        guard let point = CurvePoint(bytes: [first] + bytes) else {
            preconditionFailure("RFC 9382 names points of the curve")
        }
        return point
    }
}

extension PairingExchange.Role {
    fileprivate var other: Self { self == .invited ? .inviter : .invited }
}
