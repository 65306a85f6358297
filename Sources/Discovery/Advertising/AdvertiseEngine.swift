import LinuxPlatform
import Vocabulary

/// Keeps the wanted registrations in place, on the responder's loop.
actor AdvertiseEngine {
    nonisolated let directory: any ServiceDirectory
    private var advertisement: Advertisement
    /// The present name: the wanted one, or the one that Avahi chose first on an interface with a clash.
    private var name: InstanceName
    private var held: [Scope: any Registration] = [:]
    private var established: Set<Scope> = []
    private var broke: Resumption<AvahiRetrier.Ending>?
    private var timeout: RegistrationTimeout
    private var timeoutTimer: ScheduledTimer?
    private var announcedName: InstanceName?
    private var reclaim = Reclaim()
    private var readers: [DroppingBuffer<Advertiser.Event>] = []

    /// Interfaces of one registration.
    private enum Scope: Hashable {
        case everywhere
        case interface(UInt32)

        var index: UInt32? {
            switch self {
            case .everywhere: nil
            case .interface(let index): index
            }
        }
    }

    /// Recovery of the wanted name while the service has another one.
    private struct Reclaim {
        /// Reports the services that have the wanted name.
        var watch: (any DirectoryOperation)?
        var holders = NameHolders()
        /// Fires when the name has been free for long enough.
        var due: ScheduledTimer?
        /// Registrations under the wanted name. The old ones stay visible until these hold on all interfaces.
        var asked: [Scope: any Registration] = [:]
        var granted: Set<Scope> = []

        mutating func cancelRequests() {
            for registration in asked.values { registration.cancel() }
            (asked, granted) = ([:], [])
        }

        mutating func end() {
            cancelRequests()
            due?.cancel()
            watch?.cancel()
            self = Reclaim()
        }
    }

    init(
        _ advertisement: Advertisement,
        _ directory: any ServiceDirectory,
        timeout: RegistrationTimeout = RegistrationTimeout()
    ) {
        self.advertisement = advertisement
        self.timeout = timeout
        self.directory = directory
        name = advertisement.name
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { directory.loop.asUnownedSerialExecutor() }

    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.keepAdvertising() }
            group.addTask { await self.followInterfaces() }
        }
        withdraw()
        for reader in readers { reader.finish() }
        readers = []
    }

    func addReader() -> DroppingBuffer<Advertiser.Event> {
        let reader = DroppingBuffer<Advertiser.Event>(keeping: 16)
        if let announcedName { reader.tell(.advertised(announcedName)) }
        readers.append(reader)
        return reader
    }

    func update(_ txt: TXTRecord) {
        advertisement.txt = txt
        for registration in Array(held.values) + Array(reclaim.asked.values) {
            do {
                try registration.update(txt)
            } catch {
                // Registering again has the same result, only with a short absence.
                breakOff()
                return
            }
        }
    }

    private func keepAdvertising() async {
        await AvahiRetrier(directory: directory).keep {
            await self.advertiseUntilItBreaks()
        } whileAway: { absence in
            await self.tell(.withdrawn(absence))
        }
    }

    private func advertiseUntilItBreaks() async -> AvahiRetrier.Ending {
        withdraw()
        let broke = Resumption<AvahiRetrier.Ending>()
        self.broke = broke
        // After a failure the wanted name may be free again.
        name = advertisement.name
        guard updateRegistrations() else {
            withdraw()
            return .neverBegan
        }
        var ending = AvahiRetrier.Ending.broke
        do {
            ending = try await broke.valueUnlessCancelled()
        } catch {
            // The task was cancelled: end the service in order.
            await sayGoodbye()
        }
        withdraw()
        return ending
    }

    /// Announces the end of the service before mDNS's goodbye, which takes a second.
    private func sayGoodbye() async {
        guard announcedName != nil, let last = LeavingMark.added(to: advertisement.txt) else { return }
        for registration in held.values {
            // If Avahi is gone, there is no responder to update.
            try? registration.update(last)
        }
        let isSaid = Resumption<Void>()
        directory.loop.schedule(after: LeavingMark.patience) { @Sendable in isSaid.resume(with: .success(())) }
        _ = try? await isSaid.value()
        // Avahi withdraws the record that it has at the end; the other record can stay in caches for 75 minutes. So the
        // record without the mark must be the withdrawn one: a later service with this name would be mistaken for this
        // one.
        for registration in held.values { try? registration.update(advertisement.txt) }
    }

    private func breakOff(_ ending: AvahiRetrier.Ending = .broke) {
        broke?.resume(with: .success(ending))
    }

    private func withdraw() {
        broke = nil
        timeoutTimer?.cancel()
        reclaim.end()
        for registration in held.values { registration.cancel() }
        held = [:]
        established = []
        announcedName = nil
    }

    private func tell(_ event: Advertiser.Event) {
        for reader in readers { reader.tell(event) }
    }
}

extension AdvertiseEngine {
    private static let namesTried = 64

    private func followInterfaces() async {
        guard !advertisement.interfaces.isEverything, let changes = try? InterfaceChanges(on: .shared) else { return }
        do {
            for try await _ in changes where broke != nil && !updateRegistrations() { breakOff() }
        } catch {
            // A cancellation. Only a kernel without interface messages also ends the sequence.
        }
    }

    /// Adds missing registrations and removes unwanted ones. Returns true if all calls succeeded.
    private func updateRegistrations() -> Bool {
        let wanted = wantedScopes()
        if wanted.isEmpty {
            announcedName = nil
            tell(.noInterface)
        }
        for (scope, registration) in held where !wanted.contains(scope) {
            registration.cancel()
            held[scope] = nil
            established.remove(scope)
        }
        for scope in wanted where held[scope] == nil {
            guard let registration = register(on: scope) else { return false }
            held[scope] = registration
            established.remove(scope)
            expectAnswers()
        }
        return true
    }

    /// Starts again if Avahi takes too long to settle a name. Two services that request one name at the same moment
    /// both give way, choose the same next name, and clash again. The one with the shorter timeout yields the name to
    /// the other.
    private func expectAnswers() {
        timeoutTimer?.cancel()
        timeoutTimer = directory.loop.schedule(after: timeout.next(jitter: .random(in: 0..<1))) {
            @Sendable [weak self] in
            self?.assumeIsolated { engine in
                if !engine.established.isSuperset(of: engine.held.keys) { engine.breakOff(.again) }
            }
        }
    }

    /// Registers under the present name, or the next one that is free on this machine.
    private func register(on scope: Scope) -> (any Registration)? {
        for _ in 0..<Self.namesTried {
            do {
                return try directory.register(advertisement, as: name, on: scope.index) {
                    @Sendable [weak self] answer in self?.assumeIsolated { $0.take(answer, for: scope) }
                }
            } catch {
                guard error.isNameConflict else { return nil }
                name = name.alternative
            }
        }
        return nil
    }

    /// Scopes of the registrations: one for all interfaces if none is excluded, or one for each wanted interface. Avahi
    /// has no “all except”.
    private func wantedScopes() -> Set<Scope> {
        guard !advertisement.interfaces.isEverything, let all = try? NetworkInterface.all() else {
            return [.everywhere]
        }
        let usable = all.filter { $0.isRunning && ($0.takesMulticast || $0.isLoopback) }
        let wanted = usable.filter { advertisement.interfaces.allows($0.name) }
        guard wanted.count < usable.count else { return [.everywhere] }
        return Set(wanted.map { .interface($0.index) })
    }

    private func take(_ answer: RegisterAnswer, for scope: Scope) {
        switch answer {
        case .failed:
            breakOff()
        case .established(let text):
            guard let chosen = try? InstanceName(text) else { return breakOff() }
            established.insert(scope)
            if chosen != name { rename(to: chosen, because: scope) }
            if established.isSuperset(of: held.keys) {
                timeoutTimer?.cancel()
                timeout.reset()
            }
            watchWantedName()
            guard announcedName != chosen else { return }
            announcedName = chosen
            tell(chosen == advertisement.name ? .advertised(chosen) : .renamed(from: advertisement.name, to: chosen))
        }
    }

    /// Takes over the name that Avahi chose on the interface with the clash. The other registrations follow, so that
    /// the service has one name.
    private func rename(to chosen: InstanceName, because scope: Scope) {
        name = chosen
        for (other, registration) in held where other != scope {
            registration.cancel()
            held[other] = nil
            established.remove(other)
        }
        if !updateRegistrations() { breakOff() }
    }
}

// MARK: - Recovering the wanted name

extension AdvertiseEngine {
    /// Wait after a goodbye. The goodbye of one machine briefly hides another machine's service of the same name, until
    /// that one announces itself.
    private static let certainty: Duration = .seconds(1)

    /// If the service does not have its wanted name, follows the services that have it.
    private func watchWantedName() {
        guard name != advertisement.name else { return reclaim.end() }
        guard reclaim.watch == nil else { return }
        // If browsing fails, the name is requested again when Avahi returns.
        reclaim.watch = try? directory.browse(advertisement.type) { @Sendable [weak self] answer in
            self?.assumeIsolated { $0.take(answer) }
        }
    }

    private func take(_ answer: BrowseAnswer) {
        switch answer {
        case .appeared(let text, let index):
            guard text == advertisement.name.text else { return }
            reclaim.due?.cancel()
            reclaim.holders.appeared(on: index, isLoopback: NetworkInterface.name(of: index) == "lo")
        case .vanished(let text, let index):
            guard text == advertisement.name.text, reclaim.holders.vanished(from: index) else { return }
            reclaim.due?.cancel()
            reclaim.due = directory.loop.schedule(after: Self.certainty) { @Sendable [weak self] in
                self?.assumeIsolated { $0.askForWantedName() }
            }
        case .failed: reclaim.end()
        }
    }

    /// Registers under the wanted name as well. Machines that see the other name see it until the new registrations
    /// hold.
    private func askForWantedName() {
        reclaim.cancelRequests()
        for scope in held.keys {
            do {
                reclaim.asked[scope] = try directory.register(advertisement, as: advertisement.name, on: scope.index) {
                    @Sendable [weak self] answer in self?.assumeIsolated { $0.take(answer, askedFor: scope) }
                }
            } catch {
                return reclaim.cancelRequests()
            }
        }
    }

    private func take(_ answer: RegisterAnswer, askedFor scope: Scope) {
        // Once the name is recovered, this is the normal registration.
        guard reclaim.asked[scope] != nil else { return take(answer, for: scope) }
        // Another service was quicker; the watch reports when it ends.
        guard answer == .established(name: advertisement.name.text) else { return reclaim.cancelRequests() }
        reclaim.granted.insert(scope)
        guard reclaim.granted.count == reclaim.asked.count else { return }
        for registration in held.values { registration.cancel() }
        (held, established) = (reclaim.asked, reclaim.granted)
        (reclaim.asked, reclaim.granted) = ([:], [])
        reclaim.end()
        name = advertisement.name
        announcedName = name
        tell(.advertised(name))
        // An interface may have appeared since.
        if !updateRegistrations() { breakOff() }
    }
}
