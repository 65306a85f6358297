import LinuxPlatform
import Vocabulary

/// Connects the responder, the probes and the clock with the ``PeerTable``, on the responder's loop.
actor BrowseEngine {
    nonisolated let directory: any ServiceDirectory
    nonisolated let type: ServiceType
    nonisolated let configuration: Browser.Configuration

    var table: PeerTable
    var probes = WantedProbes()

    private var browsing: (operation: any DirectoryOperation, broke: Resumption<AvahiRetrier.Ending>)?
    private var lookups: OpenLookups
    private var readers: [DiscoveryEvents] = []
    private var mustSettle = false
    private var timer: (deadline: ContinuousClock.Instant, timer: ScheduledTimer)?
    private var ignoredNames: Set<String> = []
    private var hasReportedOverflow = false

    init(_ type: ServiceType, _ configuration: Browser.Configuration, _ directory: any ServiceDirectory) {
        self.type = type
        self.configuration = configuration
        self.directory = directory
        lookups = OpenLookups(capacity: configuration.maximumLookups)
        var patience = PeerTable.Patience()
        patience.untilLost = configuration.lostAfter
        table = PeerTable(
            patience: patience,
            ownRun: configuration.ignoring?.runToken,
            ownID: configuration.ignoringID,
            limit: configuration.maximumPeers
        )
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { directory.loop.asUnownedSerialExecutor() }

    var listedPeers: [FoundPeer] { Array(table.listed.values) }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.keepBrowsing() }
            group.addTask { await self.keepProbing() }
            group.addTask { await self.followInterfaces() }
        }
        stopBrowsing()
        timer?.timer.cancel()
        for reader in readers { reader.finish() }
        readers = []
    }

    func know(_ names: Set<InstanceName>) {
        update { table, _ in table.known = names }
    }

    func addReader() -> DiscoveryEvents {
        let reader = DiscoveryEvents()
        for (origin, peer) in table.listed {
            reader.tell(PeerTable.Change(origin: origin, peer: peer, reason: .goodbye))
        }
        readers.append(reader)
        return reader
    }

    func tell(_ notice: DiscoveryNotice) {
        for reader in readers { reader.tell(notice) }
    }

    /// Changes the table. The consequences are computed once for all changes of one turn of the loop.
    func update(_ change: (inout PeerTable, ContinuousClock.Instant) -> Void) {
        change(&table, .now)
        guard !mustSettle else { return }
        mustSettle = true
        let settle: @Sendable () -> Void = { @Sendable [weak self] in
            self?.assumeIsolated { $0.settle() }
        }
        if table.isCrowd {
            directory.loop.schedule(after: Self.crowdPace, settle)
        } else {
            directory.loop.perform(settle)
        }
    }

    /// In a crowd, each turn of the loop reports one more service, and computing the consequences takes longer than the
    /// report.
    private static let crowdPace: Duration = .milliseconds(50)
}

// MARK: - Browsing

extension BrowseEngine {
    private func keepBrowsing() async {
        await AvahiRetrier(directory: directory).keep {
            await self.browseUntilItBreaks()
        } whileAway: { absence in
            await self.tell(.waitingForAvahi(absence))
        }
    }

    private func browseUntilItBreaks() async -> AvahiRetrier.Ending {
        let broke = Resumption<AvahiRetrier.Ending>()
        do {
            let operation = try directory.browse(type) { @Sendable [weak self] answer in
                self?.assumeIsolated { $0.take(answer) }
            }
            browsing = (operation, broke)
        } catch {
            return .neverBegan
        }
        update { $0.avahiReturned(at: $1) }
        tell(.avahiIsThere)
        // After a cancellation the result does not matter: no caller uses it.
        let ending = (try? await broke.valueUnlessCancelled()) ?? .broke
        stopBrowsing()
        update { $0.avahiLeft(at: $1) }
        return ending
    }

    private func stopBrowsing() {
        browsing?.operation.cancel()
        browsing = nil
        lookups.closeAll()
    }

    private func take(_ answer: BrowseAnswer) {
        switch answer {
        case .appeared(let text, let index):
            guard let name = acceptableName(text), let link = wantedLink(index) else { return }
            update { $0.appeared(name, on: link, at: $1) }
        case .vanished(let text, let index):
            guard let name = try? InstanceName(text) else { return }
            // An interface that is gone has no name; its index identifies the sighting.
            let link = table.link(index, of: name) ?? Link(index: index, name: "")
            let isUp = NetworkInterface.isRunning(index)
            update { $0.vanished(name, from: link, isLinkUp: isUp, at: $1) }
        case .failed:
            browsing?.broke.resume(with: .success(.broke))
        }
    }

    private func acceptableName(_ text: String) -> InstanceName? {
        do {
            return try InstanceName(text)
        } catch {
            // One notice for each name and at most 64: a hostile host can invent millions of names.
            if ignoredNames.count < 64, ignoredNames.insert(text).inserted {
                tell(.ignored(name: PrintableText(text, limit: 80), because: error.rule))
            }
            return nil
        }
    }

    private func wantedLink(_ index: UInt32) -> Link? {
        guard let name = NetworkInterface.name(of: index), configuration.interfaces.allows(name) else { return nil }
        return Link(index: index, name: name)
    }
}

// MARK: - Consequences of a change

extension BrowseEngine {
    private func settle() {
        mustSettle = false
        table.advance(to: .now)
        if table.hasOverflowed, !hasReportedOverflow {
            hasReportedOverflow = true
            tell(.tooManyServices(limit: configuration.maximumPeers))
        }
        if table.hasRoomAgain() {
            hasReportedOverflow = false
            browsing?.broke.resume(with: .success(.again))
        }
        openAndCloseLookups()
        for change in table.takeChanges() {
            for reader in readers { reader.tell(change) }
        }
        setTimer()
    }

    private func setTimer() {
        let deadline = [table.deadline(after: .now), lookups.review].compactMap(\.self).min()
        guard deadline != timer?.deadline else { return }
        timer?.timer.cancel()
        timer = deadline.map { deadline in
            let scheduled = directory.loop.schedule(at: deadline) { @Sendable [weak self] in
                self?.assumeIsolated {
                    $0.timer = nil
                    $0.settle()
                }
            }
            return (deadline, scheduled)
        }
    }

    private func openAndCloseLookups() {
        guard browsing != nil else { return }
        // A service may vanish and appear again, or move its host to another service, within one turn. Then the same
        // lookups are wanted as before, but must start again.
        let forgotten = table.takeForgotten()
        let chosen = lookups.choose(from: table.wantedLookups, forgetting: forgotten, isCrowd: table.isCrowd)
        let kept = Set(chosen)
        for lookup in lookups.all where !kept.contains(lookup) || forgotten.covers(lookup) {
            lookups.close(lookup)
            table.stoppedFollowing(lookup)
        }
        let begun = ContinuousClock.now
        guard begun >= lookups.pausedUntil else { return }
        do {
            for lookup in chosen where lookups[lookup] == nil {
                guard .now - begun < Self.longestBlock else { return pauseLookups(for: Self.longestBlock * 2) }
                lookups.opened(lookup, as: try open(lookup))
                table.following(lookup)
            }
            lookups.succeeded()
        } catch {
            // If Avahi is gone, browsing fails, too, and reports it. Otherwise the bus or Avahi has reached a limit,
            // and a retry at every event would not help.
            pauseLookups(for: lookups.pauseAfterRefusal())
        }
    }

    /// Longest time for opening lookups before the loop handles answers. Each lookup blocks the loop for milliseconds,
    /// or tens of milliseconds if Avahi is busy. During that time hundreds of service names can wait in the queue of
    /// the bus, and a real one behind them.
    private static let longestBlock: Duration = .milliseconds(30)

    private func pauseLookups(for pause: Duration) {
        lookups.pause(for: pause)
        directory.loop.schedule(after: pause) { @Sendable [weak self] in
            self?.assumeIsolated { $0.settle() }
        }
    }

    private func open(_ lookup: Lookup) throws(DirectoryFailure) -> any DirectoryOperation {
        switch lookup {
        case .service(let name, let link):
            try directory.resolve(name, type, on: link.index) { @Sendable [weak self] answer in
                self?.assumeIsolated { $0.take(answer, to: lookup, about: name, on: link) }
            }
        case .texts(let name):
            try directory.texts(of: name, type) { @Sendable [weak self] answer in
                self?.assumeIsolated { $0.take(answer, to: lookup, about: name) }
            }
        case .address(let host, let family):
            try directory.addresses(of: host, family) { @Sendable [weak self] answer in
                self?.assumeIsolated { $0.take(answer, to: lookup, about: host) }
            }
        }
    }

    private func take(_ answer: ResolveAnswer, to lookup: Lookup, about name: InstanceName, on link: Link) {
        switch answer {
        case .resolved(let host, let port, let txt):
            let endpoint = PeerRecord.Endpoint(host: host.lowercased(), port: port, txt: TXTRecord.read(txt).record)
            update { $0.resolved(name, to: endpoint, at: $1) }
        case .unanswered:
            // If avahi-daemon stops, this comes a moment before browsing fails and says nothing about the peer.
            let operation = lookups[lookup]
            directory.loop.schedule(after: .milliseconds(200)) { @Sendable [weak self, weak operation] in
                self?.assumeIsolated { engine in
                    guard let operation, engine.lookups[lookup] === operation else { return }
                    engine.update { $0.noteUnanswered(name, on: link, at: $1) }
                }
            }
        }
    }

    private func take(_ answer: TextAnswer, to lookup: Lookup, about name: InstanceName) {
        switch answer {
        case .appeared(let bytes, let index):
            guard wantedLink(index) != nil else { return }
            update { $0.appeared(text: bytes, of: name, on: index, at: $1) }
        case .vanished(let bytes, let index):
            update { $0.vanished(text: bytes, of: name, on: index, at: $1) }
        case .failed:
            lookups.close(lookup)
            table.stoppedFollowing(lookup)
        }
    }

    private func take(_ answer: AddressAnswer, to lookup: Lookup, about host: String) {
        switch answer {
        case .appeared(let address, let index):
            // The loopback address of another machine would lead to another program on this machine.
            guard let link = wantedLink(index), address.isOfOneMachine, link.isLoopback || !address.isLoopback else {
                return
            }
            update { $0.appeared(address, of: host, at: $1) }
        case .vanished(let address, let index):
            // An interface that is gone has no name to check; removing an unknown address is harmless.
            guard wantedLink(index) != nil || NetworkInterface.name(of: index) == nil else { return }
            update { $0.vanished(address, of: host, at: $1) }
        case .failed:
            // If avahi-daemon stops, browsing fails at the same time and everything starts again.
            lookups.close(lookup)
            table.stoppedFollowing(lookup)
        }
    }
}
