import SaveRules
import Testing

@testable import Bridges

@Suite("Requests of RetroArch's cloud sync")
struct DeviceRequestTests {
    private func request(_ method: String, _ path: String, to destination: String? = nil) -> DeviceRequest? {
        try? DeviceRequest(method, path.split(separator: "/").map(String.init), destination: destination)
    }

    private func status(_ method: String, _ path: [String], to destination: String? = nil) -> Int? {
        do throws(DeviceRequest.Refusal) {
            _ = try DeviceRequest(method, path, destination: destination)
            return nil
        } catch { return error.status }
    }

    private func path(_ text: String) throws -> DevicePath { try #require(DevicePath(text)) }

    @Test("each request that RetroArch sends is read")
    func known() throws {
        let file = try path("saves/Snes9x/Zelda.srm")
        #expect(request("OPTIONS", "/") == .begin)
        #expect(request("GET", "/manifest.server") == .readManifest)
        #expect(request("PUT", "/manifest.server") == .writeManifest)
        #expect(request("GET", "/saves/Snes9x/Zelda.srm") == .read(file))
        #expect(request("HEAD", "/saves/Snes9x/Zelda.srm") == .read(file))
        #expect(request("PUT", "/saves/Snes9x/Zelda.srm") == .write(file))
        #expect(request("DELETE", "/saves/Snes9x/Zelda.srm") == .delete(file))
        for folder in ["/saves", "/saves/Snes9x", "/states", "/deleted", "/deleted/saves", "/deleted/saves/Snes9x"] {
            #expect(request("MKCOL", folder) == .createFolder)
        }
        let moved = "http://desk:55360/deleted/saves/Snes9x/Zelda.srm-261128-010203"
        #expect(request("MOVE", "/saves/Snes9x/Zelda.srm", to: moved) == .delete(file))
    }

    @Test(
        "a path that leads out of the shared folders is refused",
        arguments: [
            ["saves", "..", "x"], ["..", "saves", "x"], ["saves", "."], ["saves", "a/b/../c"], ["saves", "a\u{0}b"],
            ["saves"], [], ["saves", ""], ["etc", "passwd"], ["saves", String(repeating: "a", count: 300)],
        ]
    )
    func leadsOut(path: [String]) {
        for method in ["GET", "PUT", "DELETE"] { #expect(status(method, path) ?? 0 >= 400, "\(method) \(path)") }
    }

    @Test("a tree of folders without end is refused")
    func deep() {
        #expect(status("MKCOL", ["saves"] + Array(repeating: "a", count: 100)) == 400)
        #expect(status("MKCOL", ["config"]) == 403)
        #expect(status("MKCOL", ["saves", ".."]) == 400)
    }

    @Test("a file is moved only to be deleted")
    func moves() {
        let file = ["saves", "a"]
        for destination in [nil, "", "/saves/b", "http://desk/saves/b", "/deleted", "/deleted/../saves/b", "deleted"] {
            #expect(status("MOVE", file, to: destination) == 403, "\(destination ?? "nil")")
        }
        #expect(status("MOVE", file, to: "/deleted/saves/a-1") == nil)
    }

    @Test("settings are refused with a reason, and other methods by name")
    func others() {
        #expect(status("PUT", ["config", "retroarch.cfg"]) == 403)
        #expect(status("PROPFIND", []) == 405)
        #expect(status("POST", ["saves", "a"]) == 405)
    }

    @Test("a manifest is read and written in RetroArch's form")
    func manifest() throws {
        let text = """
            [
              {"path": "saves\\\\Snes9x\\\\Zelda.srm", "hash": "D41D8CD98F00B204E9800998ECF8427E"},
              {"path": "states/a.state", "hash": null}, {"path": "config/x.cfg", "hash": "00"}
            ]
            """
        let manifest = try DeviceManifest(Array(text.utf8))
        let (zelda, state) = (try path("saves/Snes9x/Zelda.srm"), try path("states/a.state"))
        #expect(manifest.files == [zelda: "d41d8cd98f00b204e9800998ecf8427e", state: nil])
        #expect(try DeviceManifest(manifest.bytes) == manifest)
        #expect(String(decoding: DeviceManifest().bytes, as: UTF8.self) == "[]")
    }

    @Test(
        "data that is no manifest is refused",
        arguments: ["", "{}", "[1]", "[{\"hash\":\"00\"}]", "[", "[{\"path\":1}]"]
    )
    func badManifest(text: String) {
        #expect(throws: DeviceRequest.Refusal.self) { try DeviceManifest(Array(text.utf8)) }
    }
}
