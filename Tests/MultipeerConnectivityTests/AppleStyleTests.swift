import AppleStyleGames
import Foundation
import LinuxPlatform
import Testing

@testable import MultipeerConnectivity

@Suite("Code written for iOS", .timeLimit(.minutes(5)))
struct AppleStyleTests {
    let room = TestRoom()

    private func inRoom<Value>(_ make: () -> Value) -> Value {
        Neighbourhood.$surroundings.withValue(room) { make() }
    }

    /// `@unchecked Sendable` because its properties are `Sendable`, and `NSObject` is not.
    private final class Painter: NSObject, ColorServiceDelegate, @unchecked Sendable {
        let connected = Resumption<Void>()
        let colour = Resumption<String>()

        func connectedDevicesChanged(manager: ColorService, connectedDevices: [String]) {
            if connectedDevices.count == 1 { connected.resume(with: .success(())) }
        }

        func colorChanged(manager: ColorService, colorString: String) {
            colour.resume(with: .success(colorString))
        }
    }

    @Test("Peers that all invite and accept each other connect")
    func colours() async throws {
        let (one, other) = inRoom { (ColorService(name: "iPhone"), ColorService(name: "iPhone")) }
        let (painter, watcher) = (Painter(), Painter())
        one.delegate = painter
        other.delegate = watcher
        // They may have connected before the tasks listened, so both sides try.
        try await painter.connected.value()
        try await watcher.connected.value()
        one.send(colorName: "red")
        other.send(colorName: "yellow")
        #expect(try await watcher.colour.value() == "red")
        #expect(try await painter.colour.value() == "yellow")
    }

    @Test("Delegates work as asynchronous sequences, and a wrong context is declined")
    func lobby() async throws {
        let (one, other) = inRoom { (GameLobby(playerName: "Ann"), GameLobby(playerName: "Ben")) }
        one.start()
        other.start()
        async let sent: Void = {
            for await event in one.events {
                guard case .connected = event else { continue }
                return try await one.send(.init(row: 1, column: 2))
            }
        }()
        for await event in other.events {
            guard case .move(let move) = event else { continue }
            #expect(move == .init(row: 1, column: 2))
            break
        }
        try await sent
    }

    @Test("An assistant asks the user, and a picker offers a choice")
    @MainActor
    func screens() async throws {
        let host = MPCHandler()
        host.setupPeerWithDisplayName(displayName: "Host")
        host.setupSession()
        let guest = MPCHandler()
        guest.setupPeerWithDisplayName(displayName: "Guest")
        guest.setupSession()
        let (service, chair) = (Typist(), Typist())
        let assistant = inRoom {
            MCAdvertiserAssistant(serviceType: "my-game", session: host.session, on: service)
        }
        assistant.start()
        let browser = inRoom { MCNearbyServiceBrowser(peer: guest.peerID, serviceType: "my-game") }
        let picker = MCBrowserViewController(browser, guest.session, on: chair)
        picker.delegate = guest
        picker.maximumNumberOfPeers = 100
        #expect(picker.maximumNumberOfPeers == 8)
        picker.minimumNumberOfPeers = 1
        #expect(picker.minimumNumberOfPeers == 2)
        let picking = Task { await picker.present() }
        try await chair.sees("1  Host")
        chair.type("d")
        try await chair.sees("At least 2")
        chair.type("9")
        try await chair.sees("There is no “9”")
        chair.type("1")
        try await service.sees("Guest")
        service.type("y")
        let events = guest.session.events
        if guest.session.connectedPeers.isEmpty {
            for await event in events { if case .peer(_, .connected, _) = event { break } }
        }
        chair.type("d")
        await picking.value
        #expect(picker.delegate == nil, "the delegate was called")
        assistant.stop()
    }

    @Test("A picker that the app dismisses only asks for Enter, and does not call the delegate")
    @MainActor
    func dismissal() async throws {
        let guest = MPCHandler()
        guest.setupPeerWithDisplayName(displayName: "Guest")
        guest.setupSession()
        let chair = Typist()
        let browser = inRoom { MCNearbyServiceBrowser(peer: guest.peerID, serviceType: "my-game") }
        let picker = MCBrowserViewController(browser, guest.session, on: chair)
        picker.delegate = guest
        let picking = Task { await picker.present() }
        try await chair.sees("Looking for peers")
        var isComplete = false
        picker.dismiss(animated: true) { isComplete = true }
        #expect(isComplete)
        try await chair.sees("Press Enter")
        chair.type("")
        await picking.value
        #expect(picker.delegate === guest, "the delegate was not called")
    }
}
