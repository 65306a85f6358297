import LinuxPlatform
import Vocabulary

/// Probes of peers, changes of the machine's interfaces, and typed addresses.
extension BrowseEngine {
    /// Maximum number of probes at the same time.
    private static let probesAtOnce = 16
    /// Time limit for a probe of all peers.
    private static let probePatience: Duration = .seconds(3)

    func add(_ address: HostAndPort) {
        probes.typed.insert(address)
        update { table, _ in table.add(address) }
        probes.signal.send()
    }

    func remove(_ address: HostAndPort) {
        probes.typed.remove(address)
        update { $0.remove(address, at: $1) }
    }

    func probeAllSoon() {
        probes.mustReachAll = true
        probes.signal.send()
    }

    /// Probes every peer and returns when all probes have ended, or after three seconds: a caller waits, and strangers
    /// can be many.
    func probeAll() async {
        try? await directory.loop.withDeadline(Self.probePatience, "probes") {
            await self.probe(self.table.typedTargets + self.table.advertisedTargets)
        }
    }

    /// Probes typed peers when they are added, when the network changes, and repeatedly while they don't answer; probes
    /// all others at the configured interval.
    func keepProbing() async {
        var backoff = Backoff(first: .seconds(2), longest: .seconds(60))
        while !Task.isCancelled {
            let everyone = probes.mustReachAll || configuration.probing != nil
            probes.mustReachAll = false
            // At the same time, so that a crowd of silent strangers does not delay a typed peer.
            async let advertised: Void = probe(everyone ? table.advertisedTargets : [])
            await probe(table.typedTargets)
            await advertised
            let isTypedMissing = probes.typed.contains { table.listed[.typed($0)]?.state != .present }
            if !isTypedMissing { backoff.reset() }
            await probes.signal.wait(
                atMost: configuration.probing ?? (isTypedMissing && !probes.typed.isEmpty ? backoff.wait() : nil),
                on: directory.loop
            )
        }
    }

    private func probe(_ targets: [ProbeTarget]) async {
        await withTaskGroup(of: Void.self) { group in
            var waiting = targets[...]
            for target in waiting.prefix(Self.probesAtOnce) {
                group.addTask { await self.probe(target) }
            }
            waiting = waiting.dropFirst(Self.probesAtOnce)
            while await group.next() != nil {
                guard let target = waiting.popFirst() else { continue }
                group.addTask { await self.probe(target) }
            }
        }
    }

    private func probe(_ target: ProbeTarget) async {
        switch target {
        case .advertised(let name, let addresses):
            let outcome = await ReachabilityProbe.ask(addresses)
            guard !Task.isCancelled else { return }
            update { $0.probed(name, outcome, at: $1) }
        case .typed(let address):
            let addresses = await HostResolver(directory: directory).addresses(of: address)
            let outcome = await ReachabilityProbe.ask(addresses)
            guard !Task.isCancelled else { return }
            update { $0.probed(address, at: addresses, outcome, at: $1) }
        }
    }

    func followInterfaces() async {
        guard let changes = try? InterfaceChanges(on: .shared), var known = try? NetworkInterface.all() else { return }
        noteLinks(known)
        do {
            for try await now in changes {
                let (before, after) = (Self.running(known), Self.running(now))
                known = now
                noteLinks(now)
                guard before != after else { continue }
                tellOfInterfaces(from: before, to: after)
                probeAllSoon()
            }
        } catch {
            // A cancellation. Only a kernel without interface messages also ends the sequence.
        }
    }

    private func noteLinks(_ interfaces: [NetworkInterface]) {
        let down = Set(interfaces.filter { !$0.isRunning }.map(\.index))
        if down != table.downLinks { update { $0.linksAreDown(down, at: $1) } }
    }

    private func tellOfInterfaces(from before: Set<String>, to after: Set<String>) {
        for name in after.subtracting(before).sorted() where configuration.interfaces.allows(name) {
            tell(.interfaceAppeared(name))
        }
        for name in before.subtracting(after).sorted() where configuration.interfaces.allows(name) {
            tell(.interfaceVanished(name))
        }
    }

    private static func running(_ interfaces: [NetworkInterface]) -> Set<String> {
        Set(interfaces.filter(\.isRunning).map(\.name))
    }
}
