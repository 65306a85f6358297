import LinuxPlatform
import Synchronization
import Testing
import Vocabulary

@testable import Discovery

@Suite("Advertiser with a scripted responder", .timeLimit(.minutes(5)))
struct AdvertiseEngineTests {
    private func withAdvertiser(
        _ directory: ScriptedDirectory = ScriptedDirectory(),
        timeout: RegistrationTimeout = RegistrationTimeout(),
        _ body: (ScriptedDirectory, Advertiser, DroppingBuffer<Advertiser.Event>) async throws -> Void
    ) async throws {
        let advertisement = Advertisement(try InstanceName("Deck"), port: 4242, interfaces: .all)
        let advertiser = try Advertiser(advertisement, directory: directory, timeout: timeout)
        let events = await advertiser.events()
        let running = Task { await advertiser.run() }
        do {
            try await body(directory, advertiser, events)
        } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
        #expect(directory.state.withLock { $0.open.isEmpty }, "every registration is cancelled at the end")
    }

    private func question(_ name: String) throws -> ScriptedDirectory.Question {
        .register(try InstanceName(name), nil)
    }

    @Test("An established registration is reported with its name")
    func established() async throws {
        try await withAdvertiser { directory, _, events in
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck"))
            #expect(await events.next() == .advertised(try InstanceName("Deck")))
        }
    }

    @Test("A name that is not settled in time is requested again, each time after a longer wait")
    func impatience() async throws {
        try await withAdvertiser(timeout: RegistrationTimeout(least: .milliseconds(5))) { directory, _, events in
            await directory.waitUntil { $0.asked.count == 3 }
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck"))
            #expect(await events.next() == .advertised(try InstanceName("Deck")))
        }
    }

    @Test("Two advertisers never wait equally long, and none waits for ever")
    func patience() {
        var one = RegistrationTimeout(), other = RegistrationTimeout()
        #expect(one.next(jitter: 0.1) < other.next(jitter: 0.9))
        for _ in 0..<20 { _ = one.next(jitter: 0.5) }
        #expect(one.next(jitter: 1) == .seconds(120))
        one.reset()
        #expect(one == RegistrationTimeout())
    }

    @Test("An advertiser that is cancelled while the responder is down leaves nothing behind")
    func cancelledWhileAway() async throws {
        let directory = ScriptedDirectory()
        try await withAdvertiser(directory) { directory, _, events in
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck"))
            _ = await events.next()
            directory.change { $0.isAway = true }
            await directory.answer(try question("Deck"), RegisterAnswer.failed(DirectoryFailure(number: -65537)))
            #expect(await events.next() == .withdrawn(.noDaemon))
        }
    }

    // Avahi withdraws the last record from all caches. A machine that missed its announcement, or got the previous one
    // within a second, keeps the other one.
    @Test("An ending service sets the leaving mark in its TXT record, then restores the previous record")
    func leaving() async throws {
        let directory = ScriptedDirectory()
        try await withAdvertiser(directory) { directory, _, events in
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck"))
            _ = await events.next()
        }
        let updates = directory.state.withLock { $0.updates }
        #expect(updates.map { LeavingMark.stands(in: $0) } == [true, false])
        #expect(RunToken(in: updates[0]) == RunToken(in: updates[1]))
    }

    @Test("A clash on the network is reported as a rename, also a later one")
    func renamed() async throws {
        try await withAdvertiser { directory, _, events in
            let deck = try InstanceName("Deck")
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck #2"))
            #expect(await events.next() == .renamed(from: deck, to: try InstanceName("Deck #2")))
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck #3"))
            #expect(await events.next() == .renamed(from: deck, to: try InstanceName("Deck #3")))
        }
    }

    @Test("A clash on this machine, which Avahi refuses, leads to the next free name")
    func localClash() async throws {
        let directory = ScriptedDirectory()
        let taken: Set = [try InstanceName("Deck"), try InstanceName("Deck #2")]
        directory.change { $0.takenNames = taken }
        try await withAdvertiser(directory) { directory, _, events in
            await directory.answer(try question("Deck #3"), RegisterAnswer.established(name: "Deck #3"))
            #expect(await events.next() == .renamed(from: try InstanceName("Deck"), to: try InstanceName("Deck #3")))
        }
    }

    // Advertiser                   Responder
    //                              Deck is taken: Deck #2
    // which service has Deck? →
    //                              ← appeared, on two families
    //                              ← vanished, once
    //                              ← vanished, twice
    // register Deck →              Deck #2 stays until
    //                              ← established
    @Test("A service recovers its name once it is free, and is seen under the other one until then")
    func nameIsFree() async throws {
        let directory = ScriptedDirectory()
        let (deck, second) = (try InstanceName("Deck"), try InstanceName("Deck #2"))
        directory.change { $0.takenNames = [deck] }
        try await withAdvertiser(directory) { directory, _, events in
            await directory.answer(try question("Deck #2"), RegisterAnswer.established(name: "Deck #2"))
            #expect(await events.next() == .renamed(from: deck, to: second))
            for name in ["Deck", "Deck", "Desk"] {
                await directory.answer(.browse, BrowseAnswer.appeared(name: name, interface: 2))
            }
            await directory.answer(.browse, BrowseAnswer.vanished(name: "Desk", interface: 2))
            await directory.answer(.browse, BrowseAnswer.vanished(name: "Deck", interface: 2))
            #expect(directory.state.withLock { !$0.asked.contains(.register(deck, nil)) })
            directory.change { $0.takenNames = [] }
            await directory.answer(.browse, BrowseAnswer.vanished(name: "Deck", interface: 2))
            await directory.waitUntil { $0.open[.register(deck, nil)] != nil }
            #expect(directory.state.withLock { $0.open[.register(second, nil)] } != nil)
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck"))
            #expect(await events.next() == .advertised(deck))
            await directory.waitUntil { Array($0.open.keys) == [.register(deck, nil)] }
        }
    }

    @Test("If another service is quicker, the service keeps its present name and tries again when that one ends")
    func nameIsTakenAgain() async throws {
        let directory = ScriptedDirectory()
        let (deck, second) = (try InstanceName("Deck"), try InstanceName("Deck #2"))
        directory.change { $0.takenNames = [deck] }
        try await withAdvertiser(directory) { directory, _, events in
            await directory.answer(try question("Deck #2"), RegisterAnswer.established(name: "Deck #2"))
            _ = await events.next()
            directory.change { $0.takenNames = [] }
            for answer in [
                RegisterAnswer.established(name: "Deck #3"), .failed(DirectoryFailure(number: -65548)),
                .established(name: "Deck"),
            ] {
                await directory.answer(.browse, BrowseAnswer.appeared(name: "Deck", interface: 2))
                await directory.answer(.browse, BrowseAnswer.vanished(name: "Deck", interface: 2))
                await directory.answer(try question("Deck"), answer)
                await directory.waitUntil {
                    $0.open[.register(answer == .established(name: "Deck") ? second : deck, nil)] == nil
                }
            }
            #expect(await events.next() == .advertised(deck))
        }
    }

    @Test("A name that remains on the loopback only is free")
    func nameOnLoopback() {
        var holders = NameHolders()
        holders.appeared(on: 1, isLoopback: true)
        holders.appeared(on: 2, isLoopback: false)
        let isFree = (0..<3).map { _ in holders.vanished(from: 2) }
        #expect(isFree == [true, false, false], "only the last removal frees it")
        holders.appeared(on: 2, isLoopback: false)
        let isFreeAtLast = [1, 2].map { holders.vanished(from: $0) }
        #expect(isFreeAtLast == [false, true])
        holders.appeared(on: 1, isLoopback: true)
        let isFreeAlone = holders.vanished(from: 1)
        #expect(isFreeAlone, "a machine without a network")
    }

    @Test("After the responder's restart the service is advertised again under the wanted name")
    func responderDies() async throws {
        try await withAdvertiser { directory, _, events in
            let deck = try InstanceName("Deck")
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck #2"))
            #expect(await events.next() == .renamed(from: deck, to: try InstanceName("Deck #2")))
            await directory.answer(try question("Deck"), RegisterAnswer.failed(DirectoryFailure(number: -65537)))
            #expect(await events.next() == .withdrawn(.noDaemon))
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck"))
            #expect(await events.next() == .advertised(deck))
        }
    }

    @Test("A changed TXT record is published with the run token; if that fails, everything is registered again")
    func update() async throws {
        try await withAdvertiser { directory, advertiser, events in
            let established = RegisterAnswer.established(name: "Deck")
            await directory.answer(try question("Deck"), established)
            _ = await events.next()
            var txt = TXTRecord()
            try txt.set(TXTKey("v"), to: "2")
            try await advertiser.update(txt)
            let update = try #require(directory.state.withLock { $0.updates.last })
            #expect(update.text(try TXTKey("v")) == "2")
            #expect(RunToken(in: update) == advertiser.runToken)
            directory.change { $0.updateFailure = DirectoryFailure(number: -65537) }
            try await advertiser.update(TXTRecord())
            await directory.waitUntil { $0.asked.count == 2 }
            await directory.answer(try question("Deck"), established)
        }
    }

    @Test(
        "The next name counts up and never becomes too long",
        arguments: [
            ("Deck", "Deck #2"), ("Deck #2", "Deck #3"), ("Deck #9", "Deck #10"), ("#2", "#2 #2"), ("a#2", "a#2 #2"),
            ("Deck #1", "Deck #1 #2"), ("Deck #x", "Deck #x #2"),
            (String(repeating: "é", count: 31), String(repeating: "é", count: 30) + " #2"),
            (String(repeating: "a", count: 63), String(repeating: "a", count: 60) + " #2"),
        ]
    )
    func alternatives(name: String, next: String) throws {
        #expect(try InstanceName(name).alternative.text == next)
    }
}
