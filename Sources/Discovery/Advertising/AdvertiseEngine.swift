import LinuxPlatform
import Vocabulary

/// Keeps the wanted registrations in place, on the responder's loop.
actor AdvertiseEngine {
    nonisolated let directory: any ServiceDirectory
    private var advertisement: Advertisement
    /// What it goes by: what was wanted, or what it was renamed to on the first interface where it was.
    private var name: InstanceName
    private var held: [Scope: any Registration] = [:]
    private var established: Set<Scope> = []
    private var broke: Resumption<AvahiVigil.Ending>?
    private var patience: Patience
    private var impatience: ScheduledTimer?
    private var announcedName: InstanceName?
    private var reclaim = Reclaim()
    private var readers: [LatestValues<Advertiser.Event>] = []

    /// Where one registration holds.
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

    /// How the wanted name is got back while the service goes by another.
    private struct Reclaim {
        /// Tells who has the wanted name.
        var watch: (any DirectoryOperation)?
        var holders = NameHolders()
        /// When it has been free for long enough to ask for it.
        var due: ScheduledTimer?
        /// What is registered under it, beside what others see until that holds everywhere.
        var asked: [Scope: any Registration] = [:]
        var granted: Set<Scope> = []

        mutating func takeBack() {
            for registration in asked.values { registration.cancel() }
            (asked, granted) = ([:], [])
        }

        mutating func end() {
            takeBack()
            due?.cancel()
            watch?.cancel()
            self = Reclaim()
        }
    }

    init(_ advertisement: Advertisement, _ directory: any ServiceDirectory, patience: Patience = Patience()) {
        self.advertisement = advertisement
        self.patience = patience
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

    func addReader() -> LatestValues<Advertiser.Event> {
        let reader = LatestValues<Advertiser.Event>(keeping: 16)
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
                // Registering anew says the same, only with a short absence.
                breakOff()
                return
            }
        }
    }

    private func keepAdvertising() async {
        await AvahiVigil(directory: directory).keep {
            await self.advertiseUntilItBreaks()
        } whileAway: { absence in
            await self.tell(.withdrawn(absence))
        }
    }

    private func advertiseUntilItBreaks() async -> AvahiVigil.Ending {
        withdraw()
        let broke = Resumption<AvahiVigil.Ending>()
        self.broke = broke
        // After a break the wanted name may be free again.
        name = advertisement.name
        guard holdWhatIsWanted() else {
            withdraw()
            return .neverBegan
        }
        var ending = AvahiVigil.Ending.broke
        do {
            ending = try await broke.valueUnlessCancelled()
        } catch {
            // The task was cancelled: the service ends in order.
            await sayGoodbye()
        }
        withdraw()
        return ending
    }

    /// Lets others know before the goodbye does, which takes a second.
    private func sayGoodbye() async {
        guard announcedName != nil, let last = LeavingMark.added(to: advertisement.txt) else { return }
        for registration in held.values {
            // Where Avahi is gone, nobody is left to be told.
            try? registration.update(last)
        }
        let isSaid = Resumption<Void>()
        directory.loop.schedule(after: LeavingMark.patience) { @Sendable in isSaid.resume(with: .success(())) }
        _ = try? await isSaid.value()
        // Avahi takes back the record that it has, and the other one can stay in caches for 75 minutes. So that it is the one that says
        // goodbye: a later service of this name would be taken for this one.
        for registration in held.values { try? registration.update(advertisement.txt) }
    }

    private func breakOff(_ ending: AvahiVigil.Ending = .broke) {
        broke?.resume(with: .success(ending))
    }

    private func withdraw() {
        broke = nil
        impatience?.cancel()
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
            for try await _ in changes where broke != nil && !holdWhatIsWanted() { breakOff() }
        } catch {
            // Cancelled; nothing else ends the sequence but a kernel that has no interfaces to tell of.
        }
    }

    /// Registers where it is wanted and not held, and the other way round. Answers whether all went well.
    private func holdWhatIsWanted() -> Bool {
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

    /// Begins anew where Avahi takes too long to settle a name. Two services that ask for one name at the same moment both
    /// give way, choose the same next name, and meet again; the one that loses patience first lets the other have it.
    private func expectAnswers() {
        impatience?.cancel()
        impatience = directory.loop.schedule(after: patience.next(jitter: .random(in: 0..<1))) {
            @Sendable [weak self] in
            self?.assumeIsolated { engine in
                if !engine.established.isSuperset(of: engine.held.keys) { engine.breakOff(.again) }
            }
        }
    }

    /// Registers under the name that it goes by, or the next one that is free on this machine.
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

    /// One registration for all interfaces where none is unwanted, else one for each that is wanted: Avahi knows no
    /// “all but”.
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
                impatience?.cancel()
                patience.reset()
            }
            followWantedName()
            guard announcedName != chosen else { return }
            announcedName = chosen
            tell(chosen == advertisement.name ? .advertised(chosen) : .renamed(from: advertisement.name, to: chosen))
        }
    }

    /// Avahi renames on the interface where the clash was; the others follow, so that the service has one name.
    private func rename(to chosen: InstanceName, because scope: Scope) {
        name = chosen
        for (other, registration) in held where other != scope {
            registration.cancel()
            held[other] = nil
            established.remove(other)
        }
        if !holdWhatIsWanted() { breakOff() }
    }
}

// MARK: - Getting the wanted name back

extension AdvertiseEngine {
    /// A goodbye of one machine hides another's service of the same name for a moment, until that says that it is there.
    private static let certainty: Duration = .seconds(1)

    /// Where the service goes by another name than the wanted one, follows who has that.
    private func followWantedName() {
        guard name != advertisement.name else { return reclaim.end() }
        guard reclaim.watch == nil else { return }
        // Where it can't be followed, it is asked for when Avahi comes back.
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

    /// Registers under the wanted name too: who sees the service under the other one sees it all the while.
    private func askForWantedName() {
        reclaim.takeBack()
        for scope in held.keys {
            do {
                reclaim.asked[scope] = try directory.register(advertisement, as: advertisement.name, on: scope.index) {
                    @Sendable [weak self] answer in self?.assumeIsolated { $0.take(answer, askedFor: scope) }
                }
            } catch {
                return reclaim.takeBack()
            }
        }
    }

    private func take(_ answer: RegisterAnswer, askedFor scope: Scope) {
        // From the moment that the name is got back, that is what the service goes by.
        guard reclaim.asked[scope] != nil else { return take(answer, for: scope) }
        // Somebody was quicker, whose going the watch will tell.
        guard answer == .established(name: advertisement.name.text) else { return reclaim.takeBack() }
        reclaim.granted.insert(scope)
        guard reclaim.granted.count == reclaim.asked.count else { return }
        for registration in held.values { registration.cancel() }
        (held, established) = (reclaim.asked, reclaim.granted)
        (reclaim.asked, reclaim.granted) = ([:], [])
        reclaim.end()
        name = advertisement.name
        announcedName = name
        tell(.advertised(name))
        // An interface may have come meanwhile.
        if !holdWhatIsWanted() { breakOff() }
    }
}
