import Digests
import SaveRules
import SaveSync
import Transport
import Vocabulary
import Yardstick

/// The costs of signatures for a new save and for an arriving version, beside the same without signing and checks.
enum Seals {
    private static let set = SaveSetID(high: 1, low: 1)

    static func run(count: Int, machines: Int, rounds: Int) throws {
        print("  \(count) versions, each of one of \(machines) machines")
        let seals = (0..<machines).map { _ in VersionSeal(Identity.ephemeral()) }
        let unsigned = try seals.map(Self.unsigned)
        var best = Array(repeating: (seconds: Double.infinity, processor: Double.infinity), count: 4)
        for _ in 0..<rounds {
            var made: [Snapshot] = []
            let times = [
                try timed { _ = try chain(count, by: unsigned) }, try timed { made = try chain(count, by: seals) },
                try timed { for one in made { _ = try Snapshot(kept: one.encoded, hashedBy: Digest.sha256) } },
                try timed { try check(made) },
            ]
            for place in best.indices where times[place].seconds < best[place].seconds { best[place] = times[place] }
        }
        show("made, without signing", best[0], to: best[0])
        show("made and signed", best[1], to: best[0])
        show("read, as from this machine's disk", best[2], to: best[0])
        show("read and checked, as from a peer", best[3], to: best[0])
    }

    private static func check(_ made: [Snapshot]) throws {
        var check = SealCheck.ed25519
        for one in made { _ = try Snapshot(decoding: one.encoded, checkedBy: &check) }
    }

    /// The same key with an empty signature.
    static func unsigned(_ seal: VersionSeal) throws -> VersionSeal {
        guard let signature = Signature(bytes: Array(repeating: 1, count: 64)) else { preconditionFailure("64 bytes") }
        return VersionSeal(of: seal.key, hashedBy: Digest.sha256) { _ in signature }
    }

    private static func chain(_ count: Int, by seals: [VersionSeal]) throws -> [Snapshot] {
        var (made, version) = ([Snapshot](), SignedVersion())
        for number in 0..<count {
            let seal = seals[number % seals.count]
            version = try version.bumped(by: seal, in: set)
            let piece = PieceReference(PieceID(words: (UInt64(number), 0, 0, 0)), length: 100)
            var draft = Snapshot.Draft(set: set, .captured, version: version, manifest: [piece])
            draft.parents = made.last.map { [$0.id] } ?? []
            made.append(try Snapshot(draft, sealedBy: seal))
        }
        return made
    }
}
