import Foundation
import LinuxPlatform
import Session
import Synchronization
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("What a person at a terminal is asked", .timeLimit(.minutes(5)))
struct ScreenTests {
    let room = TestRoom()

    /// A host whose person is asked at a screen, and others who have found it.
    private func invited(_ names: String...) async throws -> (Player, Typist, MCAdvertiserAssistant, [Player]) {
        let (host, door) = (Player("Host", in: room), Typist())
        let assistant = Neighbourhood.$surroundings.withValue(room) {
            MCAdvertiserAssistant(serviceType: "test-game", session: host.session, on: door)
        }
        assistant.start()
        let guests = names.map { Player($0, in: room) }
        for guest in guests {
            guest.browser.startBrowsingForPeers()
            try await guest.found(host)
        }
        return (host, door, assistant, guests)
    }

    /// Waits until the host has an invitation of a guest's, or none any more.
    @Engine
    private func wait(until isAsked: Bool, _ host: Player, by guest: Player) async {
        while (host.peer.local?.station.asked[guest.peer.id] != nil) != isAsked {
            await EventLoop.shared.letOthersRun()
        }
    }

    /// Writes down on which threads it was called.
    ///
    /// `@unchecked Sendable` because what it writes down is behind a lock.
    private final class Witness: NSObject, MCAdvertiserAssistantDelegate, @unchecked Sendable {
        private let seen = Mutex<[Bool]>([])
        let isDismissed = Resumption<Void>()

        var wereOnEngine: [Bool] { seen.withLock { $0 } }

        func advertiserAssistantWillPresentInvitation(_ advertiserAssistant: MCAdvertiserAssistant) { note() }

        func advertiserAssistantDidDismissInvitation(_ advertiserAssistant: MCAdvertiserAssistant) {
            note()
            isDismissed.resume(with: .success(()))
        }

        private func note() {
            let isOnEngine = EventLoop.shared.isCurrent
            seen.withLock { $0.append(isOnEngine) }
        }
    }

    @Test("neither the app nor the terminal of an assistant holds up the engine's thread")
    func threads() async throws {
        let (host, door, assistant, guests) = try await invited("Guest")
        let witness = Witness()
        assistant.delegate = witness
        guests[0].invite(host)
        door.type("y")
        try await guests[0].connected(host)
        try await witness.isDismissed.value()
        #expect(witness.wereOnEngine == [false, false])
        #expect(!door.wasShownOnEngine)
    }

    @Test("an invitation that is over before its turn comes is not asked about")
    func over() async throws {
        let (host, door, assistant, guests) = try await invited("Ann", "Ben", "Cid")
        guests[0].invite(host)
        try await door.sees("Ann")
        guests[1].invite(host, timeout: 0.2)
        await wait(until: true, host, by: guests[1])
        try await guests[1].notConnected(host)
        await wait(until: false, host, by: guests[1])
        guests[2].invite(host)
        await wait(until: true, host, by: guests[2])
        // One for whoever is asked about, were it all three.
        for _ in guests { door.type("n") }
        #expect(try await guests[0].notConnected(host) == .declined)
        #expect(try await guests[2].notConnected(host) == .declined)
        #expect(!door.shown.contains("Ben"))
        withExtendedLifetime(assistant) {}
    }

    @Test("whoever invites again while the person is asked about it has that answer, and no second question")
    func anew() async throws {
        let (host, door, assistant, guests) = try await invited("Ann")
        guests[0].invite(host, timeout: 0.2)
        try await door.sees("Ann")
        try await guests[0].notConnected(host)
        await wait(until: false, host, by: guests[0])
        guests[0].invite(host)
        await wait(until: true, host, by: guests[0])
        door.type("y")
        door.type("n")
        #expect(try await guests[0].outcome(of: host) == .connected)
        #expect(door.shown.components(separatedBy: "wants to connect").count == 2)
        withExtendedLifetime(assistant) {}
    }

    @Test("a picker that is shown anew shows nobody who has gone since")
    @MainActor
    func ghosts() async throws {
        let (host, guest, watcher) = (Player("Host", in: room), Player("Guest", in: room), Player("Box", in: room))
        host.advertiser.startAdvertisingPeer()
        watcher.browser.startBrowsingForPeers()
        try await watcher.found(host)
        let chair = Typist()
        let browser = Neighbourhood.$surroundings.withValue(room) {
            MCNearbyServiceBrowser(peer: guest.peer, serviceType: "test-game")
        }
        let picker = MCBrowserViewController(browser, guest.session, on: chair)
        let picking = Task { await picker.present() }
        try await chair.sees("1  Host")
        // Presented once more, it lists those who are still there.
        let before = chair.count("1  Host")
        let again = Task { await picker.present() }
        try await chair.sees("1  Host", times: before + 1)
        for _ in 1...2 { chair.type("q") }
        await picking.value
        await again.value
        host.advertiser.stopAdvertisingPeer()
        try await watcher.lost(host)
        chair.type("")
        chair.type("q")
        await picker.present()
        #expect(chair.shown.hasSuffix("Nobody is there yet.\n"))
    }
}
