import CommandTable
import Diagnosis
import Games
import Household
import SaveRules
import Vocabulary

/// The shared games, or the one that the user asks about.
struct GameLook: Sendable {
    /// The name of the game that the user asks about; nil for all.
    private let asked: String?
    private let given: GivenValues

    init(_ asked: String?, _ given: GivenValues) { (self.asked, self.given) = (asked, given) }

    func findings(_ daemon: DaemonLook, _ peers: [PeerLook]) async -> [Finding] {
        guard let asked else { return daemon.games.flatMap { Self.state(of: $0).findings } }
        let name = "\(PrintableText(asked, limit: 80))"
        if let game = daemon.games.first(where: { $0.name == asked }) {
            let paused = game.sharers.paused
            let machines = (game.sharers.behind.filter { !paused.contains($0) } + paused).map { id in
                let peer = peers.first { $0.facts.id.description == id }
                return AskedGameFacts.Machine(
                    peer?.facts.words ?? String(id.prefix(9)),
                    paused.contains(id) ? .paused : peer?.answeredAt == nil ? .offline : .online
                )
            }
            return Self.state(of: game).findings + AskedGameFacts(name, .shared(missing: machines)).findings
        }
        return AskedGameFacts(name, await standing(of: asked, daemon)).findings
    }

    /// Returns true if the machine shares the game, or offers it, or made its last save. Without a game, or if no such
    /// machine is known, every machine counts.
    func concerns(_ peer: PeerLook, _ daemon: DaemonLook) -> Bool {
        guard let asked else { return true }
        var machines: Set<String> = []
        for game in daemon.games where game.name == asked {
            machines.formUnion(game.sharers.all)
            if let save = game.lastSave { machines.insert(save.machine.id.description) }
        }
        for offer in daemon.offers where offer.name == asked {
            machines.formUnion(offer.machines + [offer.machine.id.description])
        }
        return machines.isEmpty || machines.contains(peer.facts.id.description)
    }

    private func standing(of asked: String, _ daemon: DaemonLook) async -> AskedGameFacts.Standing {
        let offer = daemon.offers.first { $0.name == asked && $0.machine.id != daemon.peer }
        if let giver = offer?.machine { return .offered(by: "\(giver)") }
        let found = try? await GamesCommand.found(given).games
        return found?.contains { $0.id == asked.lowercased() } == true ? .found : .unknown
    }

    private static func state(of game: GameInfo) -> GameStateFacts {
        let name = "\(PrintableText(game.name, limit: 80))"
        let fault = game.state.needsUser ? game.problem?.message : nil
        return GameStateFacts(name, state: game.state.words, fault: fault, command: game.problem?.nextStep)
    }
}
