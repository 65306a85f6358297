import Discovery
import Foundation
import LinuxPlatform
import Vocabulary

/// What an advertiser and a browser have in common: one kind of service, on or off, and a delegate that is told on a queue of its own.
///
/// `@unchecked Sendable` because what changes in it is behind a lock.
final class NearbyService<Delegate>: @unchecked Sendable {
    let peer: MCPeerID
    /// As the app spells it.
    let name: String
    let type: ServiceType
    let surroundings = Neighbourhood.surroundings

    private let queue: DispatchQueue
    private let changing = Guarded(Changing())

    private struct Changing {
        /// A `Delegate`: no class of the app's is known here, and only classes can be held weakly.
        weak var delegate: AnyObject?
        var work: Task<Void, Never>?
        /// How much has been begun: by its number, work that ends is told from what was begun since.
        var begun = 0
        var isOn = false
    }

    /// - Parameter user: what the app calls it where the type breaks the rules, which ends the program
    init(_ peer: MCPeerID, _ name: String, for user: String) {
        self.peer = peer
        self.name = name
        type = ServiceKind.checked(name, for: user)
        queue = DispatchQueue(label: user)
    }

    deinit {
        stop()
    }

    var delegate: Delegate? {
        get { changing.withLock { $0.delegate } as? Delegate }
        set { changing.withLock { $0.delegate = newValue as AnyObject? } }
    }

    /// Whether the app wants it, whether it goes or not.
    var isOn: Bool { changing.withLock { $0.isOn } }

    /// Does it from now on. Where it is done already, nothing new begins.
    ///
    /// - Parameter failed: told where it could not be done, when it can be begun anew
    func start(
        _ work: @escaping @Engine @Sendable (Station, ServiceType, any Surroundings) async throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        let (station, type, surroundings) = (peer.ownStation, type, surroundings)
        changing.withLock { changing in
            changing.isOn = true
            guard changing.work == nil else { return }
            changing.begun += 1
            let number = changing.begun
            changing.work = Engine.begin { [weak self] in
                do {
                    try await work(station, type, surroundings)
                    self?.hasEnded(number)
                } catch {
                    self?.hasEnded(number)
                    failed(error)
                }
            }
        }
    }

    private func hasEnded(_ number: Int) {
        changing.withLock { if $0.begun == number { $0.work = nil } }
    }

    func stop() {
        let work = changing.withLock { changing in
            defer { (changing.work, changing.isOn) = (nil, false) }
            return changing.work
        }
        work?.cancel()
    }

    /// Does something on the app's queue, after everything before it.
    func tell(_ work: @escaping @Sendable (Delegate?) -> Void) {
        queue.async { [weak self] in work(self?.delegate) }
    }
}
