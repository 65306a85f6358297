import Testing
import TestSupport
import Vocabulary

@testable import Transport

@Suite("The exchange that proves the pairing code", .timeLimit(.minutes(2)))
struct PairingExchangeTests {
    /// The first vector of RFC 9382, appendix B.
    @Test("The exchange gives the shares and confirmations of RFC 9382")
    func vector() throws {
        let setting = PairingExchange.Setting(
            invited: Array("server".utf8),
            inviter: Array("client".utf8),
            binding: []
        )
        let password = "2ee57912099d31560b3a44b1184b9b4866e904c49d12ac5042c97dca461b1a5f"
        let invited = PairingExchange(
            .invited,
            in: setting,
            password: CurveScalar(reducing: bytes(password)),
            secret: CurveScalar(reducing: bytes("43dd0fd7215bdcb482879fca3220c6a968e66d70b1356cac18bb26c84a78d729"))
        )
        let inviter = PairingExchange(
            .inviter,
            in: setting,
            password: CurveScalar(reducing: bytes(password)),
            secret: CurveScalar(reducing: bytes("dcb60106f276b02606d8ef0a328c02e4b629f84f89786af5befb0bc75b6e66be"))
        )
        let (pA, pB) = (invited.share, inviter.share)
        #expect(
            pA.bytes
                == bytes(
                    "04a56fa807caaa53a4d28dbb9853b9815c61a411118a6fe516a8798434751470"
                        + "f9010153ac33d0d5f2047ffdb1a3e42c9b4e6be662766e1eeb4116988ede5f912c"
                )
        )
        #expect(
            pB.bytes
                == bytes(
                    "0406557e482bd03097ad0cbaa5df82115460d951e3451962f1eaf4367a420676"
                        + "d09857ccbc522686c83d1852abfa8ed6e4a1155cf8f1543ceca528afb591a1e0b7"
                )
        )
        let (there, here) = (try confirmed(invited, by: pB), try confirmed(inviter, by: pA))
        #expect(there.own.bytes == bytes("58ad4aa88e0b60d5061eb6b5dd93e80d9c4f00d127c65b3b35b1b5281fee38f0"))
        #expect(here.own.bytes == bytes("d3e2e547f1ae04f2dbdbf0fc4b79f8ecff2dff314b5d32fe9fcef2fb26dc459b"))
        #expect(there.isRight(here.own) && here.isRight(there.own))
    }

    /// The example is in `docs/internals/wire-protocol.md`.
    @Test("The exchange gives the example of the protocol's page")
    func example() throws {
        let invited = try #require(PeerID(bytes: Array(0..<32)))
        let inviter = try #require(PeerID(bytes: Array(32..<64)))
        let invitation = try #require(InvitationID(bytes: Array(0xB0..<0xC0)))
        let setting = PairingExchange.Setting(
            invited: invited,
            inviter: inviter,
            exporter: [UInt8](repeating: 0xEE, count: 32),
            invitation: invitation
        )
        let there = PairingExchange(
            .invited,
            in: setting,
            password: PairingExchange.password("482913"),
            secret: CurveScalar(reducing: [UInt8](repeating: 0xAA, count: 32))
        )
        let here = PairingExchange(
            .inviter,
            in: setting,
            password: PairingExchange.password("482913"),
            secret: CurveScalar(reducing: [UInt8](repeating: 0xBB, count: 32))
        )
        let shares = (there.share, here.share)
        #expect(shares.0.bytes.prefix(4) == [0x04, 0x40, 0x15, 0x3E])
        #expect(shares.1.bytes.prefix(4) == [0x04, 0xB8, 0xEF, 0x82])
        let (one, other) = (try confirmed(there, by: shares.1), try confirmed(here, by: shares.0))
        #expect(one.own.bytes == bytes("f94999dfde3a2ec43cd07f1717dc951bc9329d4691add6d2ae79326997885c70"))
        #expect(other.own.bytes == bytes("de4e03355ddf65e0c63d0384d93e1e5480c16eecebd5862325a8571a67346636"))
    }

    @Test("Two sides with the same code, keys and connection confirm each other")
    func agreement() throws {
        let answers = try run(.sample, "482913", .sample, "482913")
        #expect(answers.invited.isRight(answers.inviter.own))
        #expect(answers.inviter.isRight(answers.invited.own))
    }

    @Test(
        "Both sides refuse a side with another code, key, connection or invitation",
        arguments: [
            (PairingExchange.Setting.sample, "482914"),
            (.init(invited: .sample(1), inviter: .sample(9), exporter: .sample, invitation: .sample(7)), "482913"),
            (.init(invited: .sample(9), inviter: .sample(2), exporter: .sample, invitation: .sample(7)), "482913"),
            (
                .init(invited: .sample(1), inviter: .sample(2), exporter: .sample.reversed(), invitation: .sample(7)),
                "482913"
            ),
            (.init(invited: .sample(1), inviter: .sample(2), exporter: .sample, invitation: .sample(8)), "482913"),
        ]
    )
    func difference(setting: PairingExchange.Setting, digits: String) throws {
        let answers = try run(.sample, "482913", setting, digits)
        #expect(!answers.invited.isRight(answers.inviter.own))
        #expect(!answers.inviter.isRight(answers.invited.own))
    }

    @Test("A reflected confirmation is wrong, and so is a share of the same role")
    func reflection() throws {
        let first = PairingExchange(.inviter, in: .sample, digits: "482913")
        let second = PairingExchange(.inviter, in: .sample, digits: "482913")
        let share = second.share
        let answers = try confirmed(first, by: share)
        #expect(!answers.isRight(answers.own))
        let others = try confirmed(second, by: share)
        #expect(!answers.isRight(others.own))
    }

    @Test("A share that is no point of the curve is refused")
    func badPoints() throws {
        let exchange = PairingExchange(.inviter, in: .sample, digits: "000000")
        let offCurve = try #require(PairingShare(bytes: [4] + [UInt8](repeating: 7, count: 64)))
        let refused = exchange.confirmations(for: offCurve) == nil
        #expect(refused)
        #expect(PairingShare(bytes: [0]) == nil)
        #expect(PairingShare(bytes: [2] + [UInt8](repeating: 7, count: 64)) == nil)
        #expect(PairingShare(bytes: [4] + [UInt8](repeating: 7, count: 63)) == nil)
    }

    private func run(
        _ here: PairingExchange.Setting,
        _ shown: String,
        _ there: PairingExchange.Setting,
        _ typed: String
    ) throws -> (inviter: PairingExchange.Confirmations, invited: PairingExchange.Confirmations) {
        let inviter = PairingExchange(.inviter, in: here, digits: shown)
        let invited = PairingExchange(.invited, in: there, digits: typed)
        let (own, other) = (inviter.share, invited.share)
        return (try confirmed(inviter, by: other), try confirmed(invited, by: own))
    }

    private func confirmed(
        _ exchange: consuming PairingExchange,
        by share: PairingShare
    ) throws -> PairingExchange.Confirmations {
        let confirmations = exchange.confirmations(for: share)
        return try #require(confirmations)
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = Array(hexadecimal.utf8).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension PairingExchange.Setting {
    fileprivate static var sample: Self {
        Self(invited: .sample(1), inviter: .sample(2), exporter: .sample, invitation: .sample(7))
    }
}

extension [UInt8] {
    fileprivate static var sample: [UInt8] { Array(0..<32) }
}

extension PeerID {
    fileprivate static func sample(_ number: UInt8) -> PeerID {
        guard let peer = PeerID(bytes: [UInt8](repeating: number, count: 32)) else { preconditionFailure("32 bytes") }
        return peer
    }
}

extension InvitationID {
    fileprivate static func sample(_ number: UInt8) -> InvitationID {
        guard let id = InvitationID(bytes: [UInt8](repeating: number, count: 16)) else {
            preconditionFailure("16 bytes")
        }
        return id
    }
}
