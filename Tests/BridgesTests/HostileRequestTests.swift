import Digests
import SaveRules
import TestSupport
import Testing

@testable import Bridges

@Suite("Requests of a hostile device", .timeLimit(.minutes(2)))
struct HostileRequestTests {
    private static func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test("no path leads out of the shared folders, whatever a device sends")
    func paths() {
        let originals = Self.bytes(
            "PUT saves/Snes9x/Zelda.srm",
            "GET states/../a",
            "MKCOL saves/a/b/c",
            "MOVE saves/a http://x/deleted/a",
            "DELETE saves/./a",
            "GET /etc/passwd"
        )
        let violation = Mutants(of: originals, rounds: 50_000, seed: 1).firstViolation { bytes in
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
            let path = words.count > 1 ? words[1].split(separator: "/").map(String.init) : []
            let destination = words.count > 2 ? String(words[2]) : nil
            switch try? DeviceRequest(String(words[0]), path, destination: destination) {
            case .read(let file)?, .write(let file)?, .delete(let file)?:
                let parts = file.text.split(separator: "/", omittingEmptySubsequences: false)
                let isInside = parts.count > 1 && ["saves", "states"].contains(parts[0])
                let isPlain = parts.allSatisfy { $0 != "" && $0 != "." && $0 != ".." && !$0.utf8.contains(0) }
                return isInside && isPlain ? nil : "\(file.text) leads out"
            default: return nil
            }
        }
        #expect(violation == nil)
    }

    @Test("a manifest that is read is written in the same way, whatever a device sends")
    func manifests() {
        let originals = Self.bytes(
            #"[{"path":"saves/a","hash":"d41d8cd98f00b204e9800998ecf8427e"},{"path":"states/b","hash":null}]"#,
            #"[{"path":"saves\\a\\b","hash":"","x":[1,{"y":2}]}]"#,
            "[]"
        )
        let violation = Mutants(of: originals, rounds: 20_000, seed: 2).firstViolation { bytes in
            guard let manifest = try? DeviceManifest(bytes) else { return nil }
            return (try? DeviceManifest(manifest.bytes)) == manifest ? nil : "another manifest is written"
        }
        #expect(violation == nil)
    }

    @Test("no login proves a password but the right one, whatever a device sends")
    func logins() {
        let secret = DeviceLogin.secret(of: "phone", "opensesame")
        let originals = Self.bytes(
            "Basic cGhvbmU6b3BlbnNlc2FtZQ==",
            #"Digest username="phone", realm="Huddle", nonce="1-a", uri="/", nc="1", cnonce="c", qop="auth", "#
                + #"response="00000000000000000000000000000000""#
        )
        let right = DeviceLogin("Basic cGhvbmU6b3BlbnNlc2FtZQ==")
        let violation = Mutants(of: originals, rounds: 20_000, seed: 3).firstViolation { bytes in
            guard let login = DeviceLogin(String(decoding: bytes, as: UTF8.self)), login != right else { return nil }
            return login.proves(secret, method: "GET") ? "\(login) proves the password" : nil
        }
        #expect(violation == nil)
    }

    @Test("a stored file of settings that is damaged is an error or read, and never a crash")
    func settings() throws {
        var settings = RetroArchSettings()
        settings.isOn = true
        let name = try #require(DeviceName("phone"))
        settings.devices[name] = RetroArchSettings.Device(name, secret: "00")
        settings.devices[name]?.holdings[.saves] = DeviceHoldings(base: SnapshotID(words: (1, 2, 3, 4)))
        let violation = Mutants(of: [settings.bytes], rounds: 20_000, seed: 4).firstViolation { bytes in
            guard let read = try? RetroArchSettings(bytes) else { return nil }
            return (try? RetroArchSettings(read.bytes)) == read ? nil : "other settings are written"
        }
        #expect(violation == nil)
    }
}
