import LinuxPlatform
import Synchronization
import Testing
import Vocabulary

@testable import Discovery

@Suite("An advertiser over a scripted responder", .timeLimit(.minutes(5)))
struct AdvertiseEngineTests {
    private func withAdvertiser(
        _ directory: ScriptedDirectory = ScriptedDirectory(),
        patience: Patience = Patience(),
        _ body: (ScriptedDirectory, Advertiser, LatestValues<Advertiser.Event>) async throws -> Void
    ) async throws {
        let advertisement = Advertisement(try InstanceName("Deck"), port: 4242, interfaces: .all)
        let advertiser = try Advertiser(advertisement, directory: directory, patience: patience)
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
        #expect(directory.state.withLock { $0.open.isEmpty }, "everything is withdrawn at the end")
    }

    private func question(_ name: String) throws -> ScriptedDirectory.Question {
        .register(try InstanceName(name), nil)
    }

    @Test("what is established is told with its name")
    func established() async throws {
        try await withAdvertiser { directory, _, events in
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck"))
            #expect(await events.next() == .advertised(try InstanceName("Deck")))
        }
    }

    @Test("a name that is not settled in time is asked for anew, each time after a longer wait")
    func impatience() async throws {
        try await withAdvertiser(patience: Patience(least: .milliseconds(5))) { directory, _, events in
            await directory.waitUntil { $0.asked.count == 3 }
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck"))
            #expect(await events.next() == .advertised(try InstanceName("Deck")))
        }
    }

    @Test("no two wait alike, and none for ever")
    func patience() {
        var one = Patience(), other = Patience()
        #expect(one.next(jitter: 0.1) < other.next(jitter: 0.9))
        for _ in 0..<20 { _ = one.next(jitter: 0.5) }
        #expect(one.next(jitter: 1) == .seconds(120))
        one.reset()
        #expect(one == Patience())
    }

    @Test("cancelled while the responder is away, it leaves nothing behind")
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

    // Avahi takes the last record back from all caches. Who has missed its announcement, or got the one before within a second, keeps the other.
    @Test("at the end a service says in its TXT record that it leaves, and has the record of before taken back")
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

    @Test("a clash on the network is told as a rename, also one that comes later")
    func renamed() async throws {
        try await withAdvertiser { directory, _, events in
            let deck = try InstanceName("Deck")
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck #2"))
            #expect(await events.next() == .renamed(from: deck, to: try InstanceName("Deck #2")))
            await directory.answer(try question("Deck"), RegisterAnswer.established(name: "Deck #3"))
            #expect(await events.next() == .renamed(from: deck, to: try InstanceName("Deck #3")))
        }
    }

    @Test("a clash on this machine, which Avahi only refuses, leads to the next free name")
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
    // who has Deck? →
    //                              ← appeared, on two families
    //                              ← vanished, once
    //                              ← vanished, twice
    // register Deck →              Deck #2 stays until
    //                              ← established
    @Test("a service gets its name back once it is free, and is seen under the other one until then")
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

    @Test("where somebody is quicker, the service keeps the name that it has, and tries again when that one goes")
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

    @Test("a name that is left behind on the loopback is free")
    func nameOnLoopback() {
        var holders = NameHolders()
        holders.appeared(on: 1, isLoopback: true)
        holders.appeared(on: 2, isLoopback: false)
        let isFree = (0..<3).map { _ in holders.vanished(from: 2) }
        #expect(isFree == [true, false, false], "it was there once")
        holders.appeared(on: 2, isLoopback: false)
        let isFreeAtLast = [1, 2].map { holders.vanished(from: $0) }
        #expect(isFreeAtLast == [false, true])
        holders.appeared(on: 1, isLoopback: true)
        let isFreeAlone = holders.vanished(from: 1)
        #expect(isFreeAlone, "a machine without a network")
    }

    @Test("after the responder's death it is advertised anew under the wanted name")
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

    @Test("a changed TXT record is handed on with the run's token; where that fails, all is registered anew")
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
        "the next name counts up and never grows too long",
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
