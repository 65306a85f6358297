import Discovery
import Foundation
import LinuxPlatform
import Vocabulary

/// The common part of an advertiser and a browser: a service that is on or off, and a delegate with its own queue.
///
/// `@unchecked Sendable` because its mutable state is behind a lock.
final class NearbyService<Delegate>: @unchecked Sendable {
    let peer: MCPeerID
    /// The app's spelling.
    let name: String
    let type: ServiceType
    let surroundings = Neighbourhood.surroundings

    private let queue: DispatchQueue
    private let changing = Locked(Changing())

    private struct Changing {
        /// A `Delegate`. Its class is unknown here, and only classes can be held weakly.
        weak var delegate: AnyObject?
        var work: Task<Void, Never>?
        /// Number of starts: work that ends compares it to see if a later start has replaced it.
        var begun = 0
        var isOn = false
    }

    /// - Parameter user: the app's name of the class, for the message if the type is invalid, which ends the program
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

    /// True if the app has started the service, even while it fails.
    var isOn: Bool { changing.withLock { $0.isOn } }

    /// Starts the work, unless it runs already.
    ///
    /// - Parameter failed: called if the work failed, after which it can be started again
    func start(
        _ work: @escaping @Engine @Sendable (LocalPeerNode, ServiceType, any Surroundings) async throws -> Void,
        failed: @escaping @Sendable (any Error) -> Void
    ) {
        let (localNode, type, surroundings) = (peer.ownNode, type, surroundings)
        changing.withLock { changing in
            changing.isOn = true
            guard changing.work == nil else { return }
            changing.begun += 1
            let number = changing.begun
            changing.work = Engine.begin { [weak self] in
                do {
                    try await work(localNode, type, surroundings)
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

    /// Runs work on the app's queue, after all earlier work.
    func tell(_ work: @escaping @Sendable (Delegate?) -> Void) {
        queue.async { [weak self] in work(self?.delegate) }
    }
}
