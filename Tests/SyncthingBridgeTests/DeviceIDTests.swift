import Digests
import SyncthingBridge
import Testing

@Suite("Device ids", .timeLimit(.minutes(5)))
struct DeviceIDTests {
    private static let vectors = [
        "": "4OYMIQU-Y7QOBJR-GX36TEJ-S35ZEQD-T24QPEM-SNZGTFB-ESWMRW6-CSXBKQD",
        "huddle": "HE6X77I-YMNXUN2-RJ4FHQ7-BAGQFWS-U7KK3GL-HZ6F572-E6UIIXQ-VOB6YAK",
    ]

    @Test("An id has the text that Syncthing shows for it, and is read from it")
    func vectors() throws {
        for (content, text) in Self.vectors {
            let id = try #require(DeviceID(bytes: Digest.sha256(Array(content.utf8))))
            #expect(id.description == text)
            #expect(DeviceID(text) == id)
            #expect(DeviceID(text.lowercased().split(separator: "-").joined(separator: " ")) == id)
        }
    }

    @Test("An id without its check letters is accepted")
    func unchecked() throws {
        let text = try #require(Self.vectors[""]).filter { $0 != "-" }
        let plain = text.enumerated().filter { $0.offset % 14 != 13 }.map(\.element)
        #expect(DeviceID(String(plain))?.description == Self.vectors[""])
    }

    @Test("An id with one wrong letter, or with letters missing, is refused")
    func wrong() throws {
        let text = Array(try #require(Self.vectors["huddle"]).filter { $0 != "-" })
        for place in text.indices {
            var changed = text
            changed[place] = changed[place] == "A" ? "C" : "A"
            #expect(DeviceID(String(changed)) == nil)
        }
        #expect(DeviceID("") == nil)
        #expect(DeviceID(String(text.dropLast())) == nil)
        #expect(DeviceID(String(text + text)) == nil)
        #expect(DeviceID(String(text.dropLast()) + "!") == nil)
    }

    @Test("Digits that look like letters are read as these")
    func lookalikes() throws {
        let id = try #require(DeviceID(bytes: Digest.sha256(Array("huddle".utf8))))
        let typed = String(id.description.map { ["O": "0", "I": "1", "B": "8"][$0] ?? $0 })
        #expect(typed != id.description)
        #expect(DeviceID(typed) == id)
    }

    @Test("The short id is the first eight bytes")
    func short() {
        #expect(DeviceID(bytes: Array(1...32))?.short == 0x0102_0304_0506_0708)
    }
}
