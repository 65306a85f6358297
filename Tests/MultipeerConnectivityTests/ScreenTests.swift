import Foundation
import LinuxPlatform
import Session
import Synchronization
import Testing
import Vocabulary

@testable import MultipeerConnectivity

@Suite("Questions to the user at a terminal", .timeLimit(.minutes(5)))
struct ScreenTests {
    let room = TestRoom()

    /// A host with a user at a screen, and guests that have found it.
    private func invited(_ names: String...) async throws -> (Player, Typist, MCAdvertiserAssistant, [Player]) {
        let (host, service) = (Player("Host", in: room), Typist())
        let assistant = Neighbourhood.$surroundings.withValue(room) {
            MCAdvertiserAssistant(serviceType: "test-game", session: host.session, on: service)
        }
        assistant.start()
        let guests = names.map { Player($0, in: room) }
        for guest in guests {
            guest.browser.startBrowsingForPeers()
            try await guest.found(host)
        }
        return (host, service, assistant, guests)
    }

    /// Waits until the host has a guest's invitation, or no longer has one.
    @Engine
    private func wait(until isAsked: Bool, _ host: Player, by guest: Player) async {
        while (host.peer.local?.localNode.received.asked[guest.peer.id] != nil) != isAsked {
            await EventLoop.shared.letOthersRun()
        }
    }

    /// Records the threads of its calls.
    ///
    /// `@unchecked Sendable` because the record is behind a lock.
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

    @Test("Neither the app nor the terminal of an assistant blocks the engine's thread")
    func threads() async throws {
        let (host, service, assistant, guests) = try await invited("Guest")
        let witness = Witness()
        assistant.delegate = witness
        guests[0].invite(host)
        service.type("y")
        try await guests[0].connected(host)
        try await witness.isDismissed.value()
        #expect(witness.wereOnEngine == [false, false])
        #expect(!service.wasShownOnEngine)
    }

    @Test("An invitation that ends before its turn causes no question")
    func over() async throws {
        let (host, service, assistant, guests) = try await invited("Ann", "Ben", "Cid")
        guests[0].invite(host)
        try await service.sees("Ann")
        guests[1].invite(host, timeout: 0.2)
        await wait(until: true, host, by: guests[1])
        try await guests[1].notConnected(host)
        await wait(until: false, host, by: guests[1])
        guests[2].invite(host)
        await wait(until: true, host, by: guests[2])
        // One for the present question, if all three were there.
        for _ in guests { service.type("n") }
        #expect(try await guests[0].notConnected(host) == .declined)
        #expect(try await guests[2].notConnected(host) == .declined)
        #expect(!service.shown.contains("Ben"))
        withExtendedLifetime(assistant) {}
    }

    @Test("A peer that invites again during its question gets that answer, without a second question")
    func again() async throws {
        let (host, service, assistant, guests) = try await invited("Ann")
        guests[0].invite(host, timeout: 0.2)
        try await service.sees("Ann")
        try await guests[0].notConnected(host)
        await wait(until: false, host, by: guests[0])
        guests[0].invite(host)
        await wait(until: true, host, by: guests[0])
        // The outcome of the first invitation is not that of the second.
        try await guests[0].isConnecting(host)
        service.type("y")
        service.type("n")
        #expect(try await guests[0].outcome(of: host) == .connected)
        #expect(service.shown.components(separatedBy: "wants to connect").count == 2)
        withExtendedLifetime(assistant) {}
    }

    @Test("A picker that is shown again lists no peer that left")
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
        // When presented again, it lists the peers that are still visible.
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
        #expect(chair.shown.hasSuffix("No peer is visible yet.\n"))
    }
}
