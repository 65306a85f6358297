import Ledger
import LinuxPlatform
import SessionRules
import Transport
import Vocabulary

/// The destination of a dial.
enum DialTarget: Hashable, Sendable {
    /// A peer, at any address.
    case peer(PeerID)
    /// The machine at an address that the user typed.
    case address(HostAndPort)
}

/// Dials peers. Callers that want the same target at the same moment share one dial.
@Engine
final class Dialler {
    private let context: NodeContext
    private let finder: Finder
    private let tailscale: TailscaleClient
    private(set) var dials: [DialTarget: Promise<Link>] = [:]
    weak var owner: (any LinkOwner)?

    init(_ context: NodeContext, _ finder: Finder) {
        (self.context, self.finder) = (context, finder)
        tailscale = TailscaleClient(at: context.configuration.tailscaleSocket, context.tasks)
    }

    /// Returns the open link to a peer, or dials.
    func link(to target: DialTarget) async throws -> Link {
        if case .peer(let peer) = target {
            guard peer != context.id else { throw SessionError.ownKey }
            if let link = owner?.link(to: peer), link.isOpen { return link }
        }
        if let dial = dials[target] { return try await dial.value() }
        guard !context.isStopping else { throw SessionError.notRunning }
        let dial = Promise<Link>()
        dials[target] = dial
        context.tasks.add {
            let outcome = await self.dial(target)
            self.dials[target] = nil
            dial.settle(outcome)
        }
        return try await dial.value()
    }

    private func dial(_ target: DialTarget) async -> Result<Link, any Error> {
        do {
            guard let owner else { throw SessionError.notRunning }
            let addresses = try await addresses(of: target)
            guard !addresses.isEmpty else { throw SessionError.noAddress }
            let result = try await firstAnswer(of: addresses, target)
            if case .peer(let peer) = target, peer != result.channel.peerID, let link = owner.link(to: peer) {
                return .success(link)
            }
            guard let link = owner.establish(result) else {
                result.channel.abort()
                guard let existing = owner.link(to: result.channel.peerID) else { throw SessionError(.replaced) }
                return .success(existing)
            }
            context.tasks.add { await owner.keep(link) }
            return .success(link)
        } catch {
            return .failure(error)
        }
    }

    private func addresses(of target: DialTarget) async throws -> [SocketAddress] {
        switch target {
        case .peer(let peer):
            let known = try await context.store.peer(peer)
            let last = [owner?.lastAddress(of: peer)].compactMap(\.self)
            let found = await finder.addresses(of: peer)
            // The last address is the right one unless the peer has moved, and no other machine can claim it.
            return DialOrder.of([
                last, found.learnt, found.seen, await Finder.lookUp(known?.addresses ?? []),
                await tailscaleAddresses(of: known), found.relayed,
            ])
        case .address(let address): return DialOrder.of([await Finder.lookUp([address])])
        }
    }

    /// The addresses of the VPN where a paired machine may be. It has the port of its last address, or the usual one.
    private func tailscaleAddresses(of known: KnownPeer?) async -> [SocketAddress] {
        guard let known, known.isPinned, let port = known.addresses.first?.port ?? context.configuration.port, port > 0
        else { return [] }
        return await tailscale.status()?.addresses(of: known.name, port: port) ?? []
    }

    /// Tries the addresses one after the other, the next one as soon as one takes long. The first that answers counts.
    private func firstAnswer(of addresses: [SocketAddress], _ target: DialTarget) async throws -> HandshakeResult {
        try await withThrowingTaskGroup(of: Result<HandshakeResult, any Error>.self) { group in
            let mutex = HandshakeMutex()
            for (place, address) in addresses.enumerated() {
                group.addTask {
                    do {
                        try await Engine.loop.sleep(for: .milliseconds(250) * place)
                        return .success(try await self.handshake(at: address, target, mutex))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            defer { group.cancelAll() }
            var worst: any Error = SessionError(.unreachable)
            while let outcome = try await group.next() {
                switch outcome {
                case .success(let result): return result
                case .failure(let error): if !(error is CancellationError) { worst = Self.moreTelling(error, worst) }
                }
            }
            throw worst
        }
    }

    private func handshake(
        at address: SocketAddress,
        _ target: DialTarget,
        _ mutex: HandshakeMutex
    ) async throws -> HandshakeResult {
        let expected: PeerID? = if case .peer(let peer) = target { peer } else { nil }
        return try await LinkHandshaker(.dialler(expecting: expected), context)
            .dial(address, expecting: expected, mutex)
    }

    /// The failure of two that says more: any failure except that no machine answered.
    private static func moreTelling(_ error: any Error, _ before: any Error) -> any Error {
        (error as? SessionError)?.reason == .unreachable ? before : error
    }
}

extension PartingReason {
    /// The reason why a link, or something else that needs the peer, is missing.
    init(of error: any Error) {
        self = (error as? SessionError)?.reason ?? .unreachable
    }
}
