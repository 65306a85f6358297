import Discovery
import Glibc
import LinuxPlatform
import Vocabulary

/// Advertises many services from one process, and reports when all of them are registered.
struct AdvertisingPart {
    private let count: Int

    init(_ count: Int) {
        self.count = count
    }

    func run() async throws {
        let advertisers = try (1...count).map { number in
            try Advertiser(Advertisement(InstanceName("Peer \(number)"), port: UInt16(20_000 + number)))
        }
        await withTaskGroup(of: Void.self) { group in
            for advertiser in advertisers { group.addTask { await advertiser.run() } }
            for advertiser in advertisers { await Self.established(advertiser) }
            print("ready")
            fflush(nil)
        }
    }

    private static func established(_ advertiser: Advertiser) async {
        for await event in await advertiser.events() {
            if case .advertised = event { return }
        }
    }
}
