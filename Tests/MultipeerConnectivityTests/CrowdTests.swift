import Foundation
import TestSupport
import Testing

@testable import MultipeerConnectivity

@Suite("Many peers in one session", .timeLimit(.minutes(4)))
struct CrowdTests {
    let room = TestRoom()

    @Test("Fifty peers (sixteen with the thread sanitizer) share one session, and each receives from all others")
    func fifty() async throws {
        // The thread sanitizer makes each of the 1,225 links many times as costly, also for other tests that run.
        let count = OwnProcess.allowance < 12 ? 50 : 16
        let host = Player("Host", in: room)
        host.advertiser.startAdvertisingPeer()
        let guests = (1..<count).map { Player("Guest \($0)", in: room) }
        for guest in guests {
            guest.browser.startBrowsingForPeers()
            try await guest.found(host)
            guest.invite(host)
        }
        let all = [host] + guests
        for player in all { try await player.isWith(count - 1) }
        for (place, player) in all.enumerated() {
            try player.session.send(Data([UInt8(place)]), toPeers: player.session.connectedPeers, with: .reliable)
        }
        for (place, player) in all.enumerated() {
            let heard = try await player.received(count - 1)
            #expect(Set(heard) == Set((0..<count).filter { $0 != place }.map { Data([UInt8($0)]) }))
            #expect(player.partings.isEmpty)
        }
    }
}
