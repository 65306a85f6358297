import SessionRules
import Testing

/// `docs/threat-model.md` says what follows from it.
@Suite("Every course of a first meeting", .timeLimit(.minutes(10)))
struct PairingModelTests {
    typealias Link = PairingModel.Link

    /// Up to three connections, and up to two keys of the attacker.
    enum Network: CaseIterable {
        case direct, between, twoKeys, twoLinks, directAndBetween, twoInviters

        var links: [Link] {
            switch self {
            case .direct: [Link(number: 0, alpha: true, beta: true, attacker: nil)]
            case .between: Self.links((true, false, .mallory), (false, true, .mallory))
            case .twoKeys: Self.links((true, false, .mallory), (false, true, .mallory), (false, true, .oscar))
            case .twoLinks: Self.links((true, false, .mallory), (true, false, .mallory), (false, true, .mallory))
            case .directAndBetween:
                Self.links((true, true, nil), (true, false, .mallory), (false, true, .mallory))
            case .twoInviters: Self.links((true, false, .mallory), (true, false, .oscar), (false, true, .oscar))
            }
        }

        /// With three connections, one act of each person: two acts on two connections are searched beside it.
        var bounds: PairingModel.Bounds {
            links.count < 3 ? PairingModel.Bounds() : PairingModel.Bounds(acts: 1, typings: 2, invites: 1)
        }

        private static func links(_ ends: (Bool, Bool, PairingModel.Key?)...) -> [Link] {
            ends.enumerated().map {
                Link(number: $0.offset, alpha: $0.element.0, beta: $0.element.1, attacker: $0.element.2)
            }
        }
    }

    @Test(
        "pins no key that its person did not compare, and lets the attacker test one code an act",
        arguments: Network.allCases
    )
    func search(network: Network) throws {
        var seen: Set<PairingModel> = [PairingModel(network.links, network.bounds)]
        var border = Array(seen)
        var (steps, depth) = (0, 0)
        while !border.isEmpty {
            var next: [PairingModel] = []
            for world in border {
                for step in world.steps {
                    steps += 1
                    do {
                        guard let after = try world.after(step) else { continue }
                        if seen.insert(after).inserted { next.append(after) }
                    } catch let fault as PairingModel.Fault {
                        Issue.record("\(network): \(fault) by \(step) in \(world)")
                        return
                    }
                }
            }
            border = next
            depth += 1
        }
        print("pairing model, \(network): \(seen.count) states, \(steps) steps, depth \(depth)")
        #expect(seen.count > 10)
    }
}
