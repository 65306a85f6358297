import Ledger
import LinuxPlatform
import SessionRules
import Vocabulary

/// The connections that came in and of which nothing is known yet: who of them may stay, and how each is closed.
@Engine
final class Door {
    private var admission: Admission<Int, IPAddress>
    private var closing: [Int: @Engine () -> Void] = [:]
    private var arrivals = 0
    /// Where paired machines were seen: whole addresses. The ledger keeps a few of each, so they stay few.
    private var familiar: Set<IPAddress> = []

    nonisolated init(_ limits: Admission<Int, IPAddress>.Limits) {
        admission = Admission(limits)
    }

    /// How many there are.
    var count: Int { admission.count }

    /// Takes up where machines were seen, of all that the ledger knows. A blocked one has no places of its own.
    func know(_ peers: [KnownPeer]) {
        familiar = Set(
            peers.filter { $0.isPinned && $0.policy != .block }.flatMap(\.addresses).compactMap { IPAddress($0.host) }
        )
    }

    /// Lets a connection in.
    ///
    /// - Parameters:
    ///   - isMembers: whether a member of a session is at that address
    ///   - close: closes the connection where another one takes its place
    /// - Returns: what to call it by from now on; nil where it may not stay
    func arrived(from address: IPAddress?, isMembers: Bool, close: @escaping @Engine () -> Void) -> Int? {
        arrivals += 1
        let address = address ?? .v4(0, 0, 0, 0)
        let isFamiliar = isMembers || familiar.contains(address)
        let place = isFamiliar ? address : address.network
        switch admission.arrived(arrivals, from: place, isFamiliar ? .familiar : .stranger, at: .now) {
        case .refuse: return nil
        case .admit: break
        case .admitInsteadOf(let other): closing.removeValue(forKey: other)?()
        }
        closing[arrivals] = close
        return arrivals
    }

    /// From now on it is closed in another way.
    func set(_ number: Int, close: @escaping @Engine () -> Void) {
        guard closing[number] != nil else { return }
        closing[number] = close
    }

    /// It is known who it is, or it has gone.
    func left(_ number: Int) {
        admission.left(number)
        closing[number] = nil
    }
}
