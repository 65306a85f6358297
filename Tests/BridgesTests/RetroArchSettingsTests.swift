import SaveRules
import Testing
import Vocabulary

@testable import Bridges

@Suite("The stored settings of the RetroArch bridge")
struct RetroArchSettingsTests {
    @Test("settings are read as they were written")
    func roundTrip() throws {
        var settings = RetroArchSettings()
        (settings.isOn, settings.port, settings.usesTLS) = (true, 4_242, true)
        settings.games = [.saves: SaveSetID(high: 1, low: .max), .states: SaveSetID(high: 0, low: 2)]
        var device = RetroArchSettings.Device(try #require(DeviceName("phone")), secret: "00")
        (device.isBlocked, device.lastSync) = (true, 1_700_000_000)
        var holdings = DeviceHoldings(base: SnapshotID(words: (1, 2, 3, .max)))
        holdings.behind = [try SavePath("a/b"): .unknown, try SavePath("c"): .version(SnapshotID(words: (4, 0, 0, 1)))]
        device.holdings = [.saves: holdings, .states: DeviceHoldings()]
        settings.devices[device.name] = device
        #expect(try RetroArchSettings(settings.bytes) == settings)
        #expect(try RetroArchSettings(RetroArchSettings().bytes) == RetroArchSettings())
    }

    @Test(
        "a damaged file is an error, not a device without its versions",
        arguments: [
            "", "[]", "{\"devices\":[{}]}",
            "{\"devices\":[{\"name\":\"a\",\"secret\":\"b\",\"saves\":{\"base\":\"zz\"}}]}",
            "{\"devices\":[{\"name\":\"a\",\"secret\":\"b\",\"saves\":{\"behind\":{\"../x\":\"\"}}}]}",
        ]
    )
    func damaged(text: String) {
        #expect(throws: (any Error).self) { try RetroArchSettings(Array(text.utf8)) }
    }

    @Test("a password has 16 letters or digits, none of which looks like another")
    func passwords() {
        let made = (0..<100).map { _ in DevicePassword.random() }
        #expect(Set(made).count == 100 && made.allSatisfy { $0.count == 16 })
        #expect(made.joined().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) && !"lio1".contains($0) })
    }
}
