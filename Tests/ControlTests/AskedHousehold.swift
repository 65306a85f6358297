import Bridges
import LinuxPlatform
import Household
import Page
import SaveService
import SaveSync
import Session
import TestSupport
import Vocabulary

@testable import Control

/// A household without peers, and its API.
@Engine
struct AskedHousehold {
    let household: Household
    let control: Control
    let saves: SaveService
    let page: Page
    /// Number of times that memory was released.
    let rests = Probe(0)
    private let folder = TemporaryFolder()

    init() async throws {
        var configuration = NodeConfiguration(folder: folder.path(of: "state"), name: try InstanceName("Deck"))
        configuration.port = nil
        configuration.advertises = false
        configuration.browses = false
        let node = try await Node.open(configuration)
        household = Household(node, into: try InboxFolder(folder.path(of: "inbox")))
        var keeping = SaveConfiguration(history: folder.path(of: "history"))
        keeping.giveBack = { [rests] in rests.count() }
        let places = try FolderPlaces(notes: folder.path(of: "places"))
        saves = SaveService(
            try await .open(keeping, beside: node, places: places),
            in: household,
            historyIn: keeping.history
        )
        page = Page(in: folder.path(of: "state"))
        let retroArch = RetroArchBridge(saves.bridge, in: folder.path(of: "state")) { _ in }
        let syncthing = SyncthingDevices(saves.bridge, in: folder.path(of: "state"), as: "Deck") { _ in }
        let routes = saves.routes + page.routes + retroArch.routes + syncthing.routes
        control = Control(household, as: Self.facts, adding: routes)
    }

    static var facts: ProgramFacts {
        ProgramFacts(
            version: "1.2.3",
            presence: .init(socket: "/run/huddle/control"),
            settings: EffectiveSettings(DaemonConfiguration(), Places([:]), kept: nil, said: [:])
        )
    }

    /// The events of a response that continues.
    func events(_ endpoint: Endpoint) async -> ResponseEvents {
        ResponseEvents(await control.answer(endpoint.request()))
    }

    /// The status and the events of a response that ends.
    func ask(_ method: String, _ path: String, _ body: String = "", query: [String: String] = [:]) async throws
        -> (status: Int, lines: [DaemonLine])
    {
        let parts = path.split(separator: "/").map(String.init)
        let response = await control.answer(
            APIRequest(method, parts, query: query, body: Array(body.utf8))
        )
        var bytes: [UInt8] = []
        switch response.body {
        case .bytes(let all): bytes = all
        case .stream(let source): while let more = try await source() { bytes += more }
        }
        let lines = try bytes.split(separator: UInt8(ascii: "\n")).map { try DaemonLine(JSONFields(Array($0))) }
        return (response.status, lines)
    }
}
