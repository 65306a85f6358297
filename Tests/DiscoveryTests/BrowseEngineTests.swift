import LinuxPlatform
import Synchronization
import Testing
import Vocabulary

@testable import Discovery

/// A browser with a scripted responder. It ends when the body ends.
func withBrowser(
    _ configuration: Browser.Configuration = .init(interfaces: .all),
    _ body: (ScriptedDirectory, Browser, DiscoveryEvents) async throws -> Void
) async throws {
    let directory = ScriptedDirectory()
    let browser = Browser(for: .huddle, configuration: configuration, directory: directory)
    let events = await browser.events()
    let running = Task { await browser.run() }
    do {
        try await body(directory, browser, events)
    } catch {
        running.cancel()
        throw error
    }
    running.cancel()
    await running.value
    #expect(directory.state.withLock { $0.open.isEmpty }, "every question is closed at the end")
}

extension DiscoveryEvents {
    /// The next event that is not about Avahi or interfaces.
    func nextAboutPeers() async -> DiscoveryEvent? {
        while let event = await next() {
            if case .notice(let notice) = event, notice.isBackground { continue }
            return event
        }
        return nil
    }
}

extension DiscoveryNotice {
    fileprivate var isBackground: Bool {
        switch self {
        case .avahiIsThere, .waitingForAvahi, .interfaceAppeared, .interfaceVanished: true
        case .ignored, .tooManyServices, .missed: false
        }
    }
}

extension ScriptedDirectory {
    static let lo: UInt32 = 1

    func advertise(_ name: String, host: String = "deck.local.", port: UInt16 = 4242) async throws {
        let instance = try InstanceName(name)
        await answer(.browse, BrowseAnswer.appeared(name: name, interface: Self.lo))
        await answer(
            .lookup(.service(instance, Link(index: Self.lo, name: "lo"))),
            ResolveAnswer.resolved(host: host, port: port, txt: [0])
        )
        // With many peers, the answer above is enough.
        await answer(ifAsked: .lookup(.texts(instance)), TextAnswer.appeared([0], interface: Self.lo))
        await answer(.lookup(.address(host: host, .v4)), AddressAnswer.appeared(.v4(10, 0, 0, 1), interface: Self.lo))
    }
}

@Suite("Browser with a scripted responder", .timeLimit(.minutes(5)))
struct BrowseEngineTests {
    @Test("Answers about service, host and addresses lead to one found peer")
    func find() async throws {
        try await withBrowser { directory, browser, events in
            try await directory.advertise("Deck")
            guard case .found(let peer) = await events.nextAboutPeers() else {
                Issue.record("no find")
                return
            }
            #expect(peer.name == "Deck")
            #expect(peer.addresses.map(\.description) == ["10.0.0.1:4242"])
            #expect(peer.interfaces == ["lo"])
            #expect(await browser.peers() == [peer])
        }
    }

    @Test("A second reader gets the peers that are listed already")
    func lateReader() async throws {
        try await withBrowser { directory, browser, events in
            try await directory.advertise("Deck")
            _ = await events.nextAboutPeers()
            let late = await browser.events()
            guard case .found(let peer) = await late.next() else {
                Issue.record("no find")
                return
            }
            #expect(peer.name == "Deck")
        }
    }

    // Browser                      Responder
    // appeared →
    //                              ← resolve asked
    // vanished →
    //                              ← resolve closed
    // a late answer would find no record
    @Test("A service that goes and returns within one turn is looked up again, and found")
    func comesBackAtOnce() async throws {
        try await withBrowser { directory, browser, events in
            try await directory.advertise("Deck")
            _ = await events.nextAboutPeers()
            let asked = directory.state.withLock { $0.asked.count }
            await directory.answerAtOnce([
                (.browse, BrowseAnswer.vanished(name: "Deck", interface: ScriptedDirectory.lo)),
                (.browse, BrowseAnswer.appeared(name: "Deck", interface: ScriptedDirectory.lo)),
            ])
            await directory.waitUntil { $0.asked.count > asked }
            try await directory.advertise("Deck", host: "desk.local.")
            while browserHosts(await browser.peers()) != ["desk.local"] { _ = await events.nextAboutPeers() }
        }
    }

    // Avahi's cache holds, newest first, the record of the running service and that of the program's earlier run.
    // Resolving takes the first one that arrives over any link and family; a TXT query gets all.
    @Test("A service is found with its own record, not with that of an earlier run that a cache still holds")
    func earlierLife() async throws {
        try await withBrowser { directory, browser, events in
            let (now, before) = (try RunToken.random().mark(TXTRecord()), try RunToken.random().mark(TXTRecord()))
            // Its host is known already, so that only its record is missing.
            try await directory.advertise("Other")
            _ = await events.nextAboutPeers()
            let (deck, lo) = (try InstanceName("Deck"), Link(index: ScriptedDirectory.lo, name: "lo"))
            await directory.answer(.browse, BrowseAnswer.appeared(name: "Deck", interface: lo.index))
            await directory.answer(
                .lookup(.service(deck, lo)),
                ResolveAnswer.resolved(host: "deck.local.", port: 4243, txt: before.wireBytes)
            )
            await directory.answerAtOnce([
                (.lookup(.texts(deck)), TextAnswer.appeared(now.wireBytes, interface: lo.index)),
                (.lookup(.texts(deck)), TextAnswer.appeared(before.wireBytes, interface: lo.index)),
            ])
            await directory.answer(
                .lookup(.texts(deck)),
                TextAnswer.vanished(before.wireBytes, interface: lo.index)
            )
            guard case .found(let peer) = await events.nextAboutPeers() else {
                Issue.record("no find")
                return
            }
            #expect(peer.txt == now)
            #expect(await browser.peers().count == 2)
        }
    }

    @Test("A service without a port, or without an address that a machine can have, is not listed")
    func impossible() async throws {
        try await withBrowser { directory, browser, events in
            let link = Link(index: ScriptedDirectory.lo, name: "lo")
            await directory.answer(.browse, BrowseAnswer.appeared(name: "Kept", interface: link.index))
            await directory.answer(
                .lookup(.service(try InstanceName("Kept"), link)),
                ResolveAnswer.resolved(host: "kept.local.", port: 0, txt: [0])
            )
            await directory.answer(.browse, BrowseAnswer.appeared(name: "Fake", interface: link.index))
            await directory.answer(
                .lookup(.service(try InstanceName("Fake"), link)),
                ResolveAnswer.resolved(host: "fake.local.", port: 4242, txt: [0])
            )
            await directory.answer(
                .lookup(.texts(try InstanceName("Fake"))),
                TextAnswer.appeared([0], interface: link.index)
            )
            for address in ["0.0.0.0", "224.0.0.251", "255.255.255.255"] {
                let answer = AddressAnswer.appeared(try #require(IPAddress(address)), interface: link.index)
                await directory.answer(.lookup(.address(host: "fake.local.", .v4)), answer)
            }
            for address in ["::", "ff02::fb"] {
                let answer = AddressAnswer.appeared(try #require(IPAddress(address)), interface: link.index)
                await directory.answer(.lookup(.address(host: "fake.local.", .v6)), answer)
            }
            try await directory.advertise("Deck")
            guard case .found(let peer) = await events.nextAboutPeers() else {
                Issue.record("no find")
                return
            }
            #expect(peer.name == "Deck")
            #expect(await browser.peers().map(\.name) == ["Deck"])
            let kept = ScriptedDirectory.Question.lookup(.address(host: "kept.local.", .v4))
            #expect(directory.state.withLock { !$0.asked.contains(kept) })
        }
    }

    private func browserHosts(_ peers: [FoundPeer]) -> [String] { peers.map(\.hostName) }

    @Test("A host keeps its address if its last service goes in the turn in which its next one is resolved")
    func nextServiceOfHost() async throws {
        try await withBrowser { directory, browser, events in
            try await directory.advertise("Old", host: "deck.local.")
            _ = await events.nextAboutPeers()
            let link = Link(index: ScriptedDirectory.lo, name: "lo")
            let question = ScriptedDirectory.Question.lookup(.service(try InstanceName("New"), link))
            await directory.answer(.browse, BrowseAnswer.appeared(name: "New", interface: ScriptedDirectory.lo))
            await directory.waitUntil { $0.open[question] != nil }
            let asked = directory.state.withLock { $0.asked.count }
            await directory.answerAtOnce([
                (.browse, BrowseAnswer.vanished(name: "Old", interface: ScriptedDirectory.lo)),
                (question, ResolveAnswer.resolved(host: "deck.local.", port: 4243, txt: [])),
            ])
            let addresses = ScriptedDirectory.Question.lookup(.address(host: "deck.local.", .v4))
            await directory.waitUntil { $0.asked.dropFirst(asked).contains(addresses) }
        }
    }

    @Test("A service that goes while it is being resolved is never found, and its lookup is closed")
    func goneWhileResolving() async throws {
        try await withBrowser { directory, browser, events in
            let question = ScriptedDirectory.Question.lookup(
                .service(try InstanceName("Deck"), Link(index: ScriptedDirectory.lo, name: "lo"))
            )
            await directory.answer(.browse, BrowseAnswer.appeared(name: "Deck", interface: ScriptedDirectory.lo))
            await directory.waitUntil { $0.open[question] != nil }
            await directory.answer(.browse, BrowseAnswer.vanished(name: "Deck", interface: ScriptedDirectory.lo))
            try await directory.advertise("Desk", host: "desk.local.")
            guard case .found(let peer) = await events.nextAboutPeers() else {
                Issue.record("no find")
                return
            }
            #expect(peer.name == "Desk")
            #expect(directory.state.withLock { $0.open[question] } == nil)
        }
    }

    // Browser                      Responder
    //                              dies:
    // unanswered (resolve) ←
    // failed (browse) ←
    // back, appeared →
    @Test("When the responder stops, failed lookups don't change the peers")
    func responderDies() async throws {
        try await withBrowser { directory, browser, events in
            try await directory.advertise("Deck")
            _ = await events.nextAboutPeers()
            let link = Link(index: ScriptedDirectory.lo, name: "lo")
            await directory.answer(.lookup(.service(try InstanceName("Deck"), link)), ResolveAnswer.unanswered)
            await directory.answer(.lookup(.address(host: "deck.local.", .v6)), AddressAnswer.failed)
            await directory.answer(.browse, BrowseAnswer.failed(DirectoryFailure(number: -65537)))
            await directory.waitUntil { $0.asked.filter { $0 == .browse }.count == 2 }
            try await directory.advertise("Deck")
            // A failure would have counted after 200 ms.
            await #expect(throws: SystemError.self) {
                try await directory.loop.withDeadline(.milliseconds(300), "no event") { await events.nextAboutPeers() }
            }
            try await directory.advertise("Desk", host: "desk.local.")
            guard case .found(let peer) = await events.nextAboutPeers() else {
                Issue.record("Deck was unreachable")
                return
            }
            #expect(peer.name == "Desk")
            #expect(await browser.peers().count == 2)
        }
    }

    @Test("Without a responder the browser reports it once, keeps trying, and typed peers work")
    func noResponder() async throws {
        let listener = try ListeningSocket(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: .shared)
        let directory = ScriptedDirectory()
        directory.change { $0.isAway = true }
        let browser = Browser(for: .huddle, configuration: .init(), directory: directory)
        let events = await browser.events()
        await browser.add(try HostAndPort(listener.address.description))
        let running = Task { await browser.run() }
        var seen: Set<String> = []
        while seen.count < 2, let event = await events.next() {
            switch event {
            case .notice(.waitingForAvahi(.noDaemon)): #expect(seen.insert("away").inserted)
            case .found(let peer): #expect(seen.insert(peer.name).inserted)
            default: break
            }
        }
        #expect(seen == ["away", listener.address.description])
        await directory.waitUntil { $0.asked.count >= 3 }
        directory.change { $0.isAway = false }
        while await events.next() != .notice(.avahiIsThere) {}
        running.cancel()
        await running.value
    }

    @Test("A typed port without a listener is shown as refused")
    func refused() async throws {
        var address: SocketAddress?
        do { address = try ListeningSocket(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: .shared).address }
        let closed = try #require(address)
        try await withBrowser { _, browser, events in
            await browser.add(try HostAndPort(closed.description))
            guard case .unreachable(let peer) = await events.nextAboutPeers() else {
                Issue.record("not listed as unreachable")
                return
            }
            #expect(peer.state == .unreachable(.refused))
        }
    }

    @Test("At most the allowed number of lookups is open, and every peer is still found")
    func lookupLimit() async throws {
        var configuration = Browser.Configuration(interfaces: .all)
        configuration.maximumLookups = 8
        try await withBrowser(configuration) { directory, _, events in
            var names: Set<String> = []
            for number in 0..<20 { try await directory.advertise("Peer \(number)", host: "host\(number).local.") }
            while names.count < 20, case .found(let peer)? = await events.nextAboutPeers() { names.insert(peer.name) }
            #expect(names.count == 20)
            #expect(directory.state.withLock { $0.open.count } <= 9, "eight lookups and browsing itself")
        }
    }

    @Test("Six hundred services that never answer hide no machine, new or paired, and leave no lookup open")
    func flood() async throws {
        try await withBrowser { directory, browser, events in
            await browser.know([try InstanceName("Friend")])
            for number in 0..<600 {
                await directory.answer(
                    .browse,
                    BrowseAnswer.appeared(name: "Fake \(number)", interface: ScriptedDirectory.lo)
                )
            }
            #expect(directory.state.withLock { $0.open.count } <= 17, "sixteen lookups and browsing itself")
            try await directory.advertise("Deck")
            try await directory.advertise("Friend", host: "friend.local.")
            var names: Set<String> = []
            while names.count < 2 {
                if case .found(let peer)? = await events.nextAboutPeers() { names.insert(peer.name) }
            }
            #expect(names == ["Deck", "Friend"])
            let friend = try InstanceName("Friend")
            // Browsing, the friend's service, its TXT records, and both address families.
            await directory.waitUntil { $0.open.count == 5 && $0.open[.lookup(.texts(friend))] != nil }
        }
    }

    @Test("Unwanted interfaces are skipped")
    func interfaces() async throws {
        try await withBrowser(.init(interfaces: InterfaceChoice(except: ["lo"]))) { directory, browser, _ in
            await directory.answer(.browse, BrowseAnswer.appeared(name: "Deck", interface: ScriptedDirectory.lo))
            await directory.loop.performing { @Sendable in }
            #expect(directory.state.withLock { $0.asked } == [.browse])
            #expect(await browser.peers().isEmpty)
        }
    }

    @Test("Names that can't be shown are ignored with one notice each, up to a limit")
    func badNames() async throws {
        try await withBrowser { directory, _, events in
            for _ in 0..<2 {
                await directory.answer(
                    .browse,
                    BrowseAnswer.appeared(name: "a\u{1B}[2J", interface: ScriptedDirectory.lo)
                )
            }
            for number in 0..<500 {
                await directory.answer(
                    .browse,
                    BrowseAnswer.appeared(name: "\(number)\u{7}", interface: ScriptedDirectory.lo)
                )
            }
            try await directory.advertise("Deck")
            var notices = 0
            while case .notice(.ignored(let name, _))? = await events.nextAboutPeers() {
                #expect(!name.description.contains("\u{1B}"))
                notices += 1
            }
            #expect(notices > 0)
            #expect(notices <= 64)
        }
    }
}
