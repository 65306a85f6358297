import Bridges
import SaveRules
import SyncthingBridge
import TestSupport
import Testing
import Vocabulary

@Suite("Settings of devices with Syncthing", .timeLimit(.minutes(1)))
struct SyncthingSettingsTests {
    private static func id(_ byte: UInt8) throws -> DeviceID {
        try #require(DeviceID(bytes: [UInt8](repeating: byte, count: 32)))
    }

    @Test("Settings on the disk are those that were stored")
    func coding() throws {
        var settings = SyncthingSettings()
        #expect(try SyncthingSettings(settings.bytes) == settings && !settings.isOn)
        settings.port = 22_001
        for byte in 1...3 as ClosedRange<UInt8> {
            let id = try Self.id(byte)
            var device = SyncthingSettings.Device(id, named: try #require(DeviceName("pc\(byte)")))
            device.isBlocked = byte == 2
            device.addresses = [
                try #require(DeviceAddress("192.168.1.\(byte)")), try #require(DeviceAddress("[fd00::1]:5")),
            ]
            device.lastAddress = DeviceAddress("10.0.0.1:22000")
            device.lastOnline = 1_700_000_000
            let game = SaveSetID(high: UInt64(byte), low: 5)
            let additions = [
                device.add(SyncthingSettings.Share(game)),
                device.add(SyncthingSettings.Share(game, as: "another")),
                device.add(SyncthingSettings.Share(SaveSetID(high: 9, low: 9), as: "a folder / of theirs")),
            ]
            #expect(additions == [true, false, true], "a game is shared once")
            settings.devices[id] = device
        }
        #expect(try SyncthingSettings(settings.bytes) == settings && settings.isOn)
    }

    @Test("A damaged file is an error, and never a crash")
    func damaged() throws {
        var settings = SyncthingSettings()
        let id = try Self.id(1)
        settings.devices[id] = SyncthingSettings.Device(id, named: try #require(DeviceName("pc")))
        for place in settings.bytes.indices.dropLast() {
            #expect(throws: (any Error).self) { try SyncthingSettings(Array(settings.bytes.prefix(place))) }
        }
        for text in [#"{"devices":[{}]}"#, #"{"devices":[{"id":"x","name":"pc"}]}"#, "[]"] {
            #expect(throws: (any Error).self) { try SyncthingSettings(Array(text.utf8)) }
        }
    }

    @Test("A device's own name becomes one that is plain, and that no other device has")
    func names() throws {
        #expect(DeviceName(like: "Alice's PC (new)")?.text == "Alice-s-PC-new")
        #expect(DeviceName(like: "ÄÖ") == nil && DeviceName(like: "") == nil)
        #expect(try #require(DeviceName(like: String(repeating: "a", count: 99))).text.utf8.count == 32)
        var settings = SyncthingSettings()
        let name = try #require(DeviceName("pc"))
        for byte in 1...3 as ClosedRange<UInt8> {
            let id = try Self.id(byte)
            settings.devices[id] = SyncthingSettings.Device(id, named: settings.freeName(like: name))
        }
        #expect(Set(settings.devices.values.map(\.name.text)) == ["pc", "pc-2", "pc-3"])
    }
}
