import Ledger
import LinuxPlatform
import SessionRules
import Vocabulary

/// The guests: connections from outside whose other end is still unknown. Decides which of them may stay.
@Engine
final class AdmissionControl {
    private var admission: Admission<Int, IPAddress>
    private var closing: [Int: @Engine () -> Void] = [:]
    private var arrivals = 0
    /// Whole addresses of paired machines. The store keeps a few of each, so they stay few.
    private var familiar: Set<IPAddress> = []

    nonisolated init(_ limits: Admission<Int, IPAddress>.Limits) {
        admission = Admission(limits)
    }

    /// The number of guests.
    var count: Int { admission.count }

    /// Takes the addresses of machines from the store. A blocked machine gets no places of its own.
    func know(_ peers: [KnownPeer]) {
        familiar = Set(
            peers.filter { $0.isPinned && $0.policy != .block }.flatMap(\.addresses).compactMap { IPAddress($0.host) }
        )
    }

    /// Admits a connection.
    ///
    /// - Parameters:
    ///   - isMembers: true if a member of a session is at that address
    ///   - close: closes the connection when another one takes its place
    /// - Returns: the number of the new guest; nil if it may not stay
    func admit(from address: IPAddress?, isMembers: Bool, close: @escaping @Engine () -> Void) -> Int? {
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

    /// Replaces the way in which a guest is closed.
    func set(_ number: Int, close: @escaping @Engine () -> Void) {
        guard closing[number] != nil else { return }
        closing[number] = close
    }

    /// Removes a guest whose machine is known now, or that has disconnected.
    func remove(_ number: Int) {
        admission.left(number)
        closing[number] = nil
    }
}
