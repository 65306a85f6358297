import SessionRules
import Testing

/// `docs/explanation/threat-model.md` names the consequences.
@Suite("Every course of a pairing", .timeLimit(.minutes(10)))
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

        /// With three connections, one act of each user: two acts on two connections are also searched.
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
        "No course pins a key without its user, and each act lets the attacker test one code",
        arguments: Network.allCases
    )
    func search(network: Network) throws {
        var search = Search(PairingModel(network.links, network.bounds))
        let course = try search.course()
        #expect(course == nil, "\(network)")
        print("pairing model, \(network): \(search.states) states, \(search.steps) steps, depth \(search.depth)")
        #expect(search.states > 10)
    }

    @Test("The search finds an attack if one check is left out", arguments: PairingWeakness.allCases)
    func weak(weakness: PairingWeakness) throws {
        let network = weakness.network
        var search = Search(PairingModel(network.links, network.bounds, with: weakness))
        let course = try #require(try search.course(), "\(weakness): \(search.states) states, and no fault")
        #expect(PairingWeakness.Consequence(of: course.fault) == weakness.consequence)
        print("pairing model with \(weakness): \(course.fault) after \(search.depth + 1) steps")
    }
}

/// The search through all worlds that follow from one, the nearest first.
private struct Search {
    private var seen: Set<PairingModel>
    private var border: [PairingModel]
    private(set) var steps = 0
    private(set) var depth = 0

    struct Course: Equatable {
        let fault: PairingModel.Fault
        let step: PairingModel.Step
    }

    init(_ world: PairingModel) {
        (seen, border) = ([world], [world])
    }

    var states: Int { seen.count }

    /// The first fault, and the step that leads to it.
    mutating func course() throws -> Course? {
        while !border.isEmpty {
            var next: [PairingModel] = []
            for world in border {
                for step in world.steps {
                    steps += 1
                    do {
                        guard let after = try world.after(step) else { continue }
                        if seen.insert(after).inserted { next.append(after) }
                    } catch let fault as PairingModel.Fault {
                        return Course(fault: fault, step: step)
                    }
                }
            }
            border = next
            depth += 1
        }
        return nil
    }
}

extension PairingWeakness {
    /// The network in which the weakness shows.
    fileprivate var network: PairingModelTests.Network {
        switch self {
        case .unboundCode: .direct
        case .movedAnswer: .twoLinks
        case .anyLink: .directAndBetween
        case .unreadConfirm, .unreadReply, .unboundLink, .unboundRole, .keptCode, .secondAnswer, .secondReply,
            .uncounted, .uncountedByInvited:
            .between
        }
    }
}
