import LinuxPlatform
import SyncthingBridge
import Testing

@Suite("Addresses of devices", .timeLimit(.minutes(5)))
struct HeardDevicesTests {
    @Test("An address is read as Syncthing writes it, or as a user types it")
    func addresses() {
        let expected = [
            "tcp://192.168.1.20:22000": "tcp://192.168.1.20:22000", "192.168.1.20": "tcp://192.168.1.20:22000",
            "nas": "tcp://nas:22000", "nas:1234": "tcp://nas:1234", "tcp4://nas": "tcp://nas:22000",
            "[fd00::1]": "tcp://[fd00::1]:22000", "tcp6://[fd00::1]:7": "tcp://[fd00::1]:7",
            "tcp://0.0.0.0:22000": "tcp://:22000", "tcp://:22000": "tcp://:22000",
        ]
        for (text, address) in expected { #expect(DeviceAddress(text)?.description == address, "\(text)") }
    }

    @Test(
        "An address that TCP can't reach is refused",
        arguments: [
            "dynamic", "quic://nas:22000", "relay://nas:443", "nas:0", "nas:70000", "nas:", "fd00::1", "[fd00::1",
            "a:b:1",
        ]
    )
    func refused(text: String) {
        #expect(DeviceAddress(text) == nil)
    }

    @Test("An announced address without a host is the sender's, and the loopback one is left out")
    func heard() {
        var (devices, now) = (HeardDevices(), ContinuousClock.now)
        let sender = SocketAddress(.v4(10, 0, 0, 7), port: 21_027)
        let texts = ["tcp://0.0.0.0:22000", "tcp://:22000", "tcp://127.0.0.1:5", "quic://:22000", "tcp://10.0.0.8:9"]
        let announcement = LocalAnnouncement(device: MessageTests.device, addresses: texts, instance: 1)
        let isNew = devices.take(announcement, from: sender, at: now)
        #expect(isNew)
        let expected = [SocketAddress(.v4(10, 0, 0, 7), port: 22_000), SocketAddress(.v4(10, 0, 0, 8), port: 9)]
        #expect(devices.addresses(of: MessageTests.device, at: now) == expected)
        // The same run of the device needs no second response; a new run does.
        let isNewAgain = devices.take(announcement, from: sender, at: now)
        #expect(!isNewAgain)
        let again = LocalAnnouncement(device: MessageTests.device, addresses: [], instance: 2)
        let isRestarted = devices.take(again, from: sender, at: now)
        #expect(isRestarted)
        _ = devices.take(announcement, from: sender, at: now)
        now += HeardDevices.patience
        #expect(devices.addresses(of: MessageTests.device, at: now).isEmpty)
    }
}
