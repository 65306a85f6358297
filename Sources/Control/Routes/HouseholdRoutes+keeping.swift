import Household
import Vocabulary

/// The route for decisions about machines that other machines removed from the household.
extension HouseholdRoutes {
    var keeping: [ControlRoute] {
        [
            ControlRoute(.keepPeer) { call in
                try await keep(call)
            }
        ]
    }

    private func keep(_ call: RouteCall) async throws -> RouteAnswer {
        let peer = try await MachineLookup(ledger).find(call.values["peer"] ?? "")
        guard try await household.vouching.keep(peer.id) else { throw HouseholdError.notRemoved(peer) }
        household.tell(.machineList)
        return .lines([DaemonLine.machine(.kept, peer, "Kept \(peer.full). On this machine nothing changes for it.")])
    }
}
