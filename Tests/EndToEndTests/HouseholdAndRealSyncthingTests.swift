import Glibc
import LinuxPlatform
import SyncthingBridge
import SyncthingPrograms
import TestSupport
import Testing
import Workbench

@Suite(
    "Two machines and Debian's Syncthing",
    .serialized,
    .timeLimit(.minutes(30)),
    .needs(RealSyncthing.requirement)
)
struct HouseholdAndRealSyncthingTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")
    private let port: UInt16 = 22_000
    private let devicePort: UInt16 = 22_100

    private func ask(_ words: String...) async throws -> String {
        let answer = try await desk.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    private func contents(_ machine: Machine) -> [String: String] {
        var found: [String: String] = [:]
        for name in machine.home.names(in: "saves") { found[name] = machine.home.text(at: "saves/\(name)") }
        return found
    }

    /// Syncthing, with the folder that Desk has accepted as its game.
    private func pairedDevice() async throws -> RealSyncthing {
        let id = try #require(DeviceID(String(try await ask("syncthing", "id").prefix { !$0.isWhitespace })))
        let device = try await RealSyncthing(
            sharing: "celeste-saves",
            with: id,
            port: devicePort,
            dialling: SocketAddress(.v4(127, 0, 0, 1), port: port)
        )
        _ = try await ask(
            "syncthing",
            "pair",
            "\(device.id)",
            "--name",
            "pc",
            "--port",
            "\(port)",
            "--address",
            "\(device.address)"
        )
        while try await !ask("syncthing", "devices").contains("offers “celeste-saves”") { try await pause() }
        _ = try await ask("syncthing", "accept", "celeste-saves", "celeste")
        return device
    }

    private func pause() async throws {
        // because another program says nothing when it is done
        try await EventLoop.shared.sleep(for: .milliseconds(200))
    }

    /// Waits until all three sides have the same files. In a conflict it chooses a side.
    ///
    /// - Returns: true if there was a conflict
    private func rest(_ device: RealSyncthing, _ generator: inout SeededGenerator) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(120)
        var hadConflict = false
        while ContinuousClock.now < deadline {
            try await pause()
            let state = try await ask("syncthing", "devices", "--json")
            if state.contains("\"celeste\":\"conflict\"") {
                hadConflict = true
                let history = try await ask("history", "celeste", "--json").split(separator: "\n")
                let heads = history.filter { $0.contains("\"newest\":true") }
                    .compactMap { $0.firstMatch(of: #/"version":"([^"]+)"/#)?.1 }
                guard heads.count > 1, let kept = heads.randomElement(using: &generator) else { continue }
                // Another conflict may have come in between.
                _ = try await desk.huddle("fix", "celeste", "--keep", "@\(kept)")
                continue
            }
            let own = contents(desk)
            if state.contains("\"celeste\":\"in sync\""), own == contents(deck), own == device.synced {
                return hadConflict
            }
        }
        let state = try await ask("syncthing", "devices")
        Issue.record("not equal: \(state)\n\(contents(desk))\n\(contents(deck))\n\(device.contents())")
        return hadConflict
    }

    /// The texts of all files of all versions.
    private func history() async throws -> String {
        var all = ""
        for line in try await ask("history", "celeste", "--json").split(separator: "\n") {
            guard let version = line.firstMatch(of: #/"version":"([^"]+)"/#)?.1 else { continue }
            let file = desk.home.path(of: "export.tar")
            unlink(file)
            _ = try await ask("export", "celeste@\(version)", file)
            // The texts are plain in a tar archive.
            all += desk.home.text(at: "export.tar") ?? ""
        }
        return all
    }

    /// One seed gives the same changes. When each program reads them is its own affair.
    @Test("In seeded rounds of changes, cuts and kills all sides become equal, and no version is lost or torn")
    func rounds() async throws {
        var generator = SeededGenerator(seed: Self.number("HUDDLE_SEED") ?? 1)
        var first = try await RunningDaemon.start(on: desk)
        let second = try await RunningDaemon.start(on: deck)
        try await desk.meets(deck, at: first)
        for machine in [desk, deck] { mkdir(machine.home.path(of: "saves"), 0o755) }
        try desk.home.put("begin", at: "saves/begin")
        _ = try await ask("share", "saves", "--name", "celeste", "--with", "Deck")
        let joined = try await deck.huddle("join", "celeste", "--at", deck.home.path(of: "saves"))
        #expect(joined.status == .exited(0), "\(joined.story)")
        var device = try await pairedDevice()
        _ = try await rest(device, &generator)

        var (written, conflicts) = (["begin"], 0)
        for round in 0..<(Self.number("HUDDLE_ROUNDS") ?? 6) {
            let isCut = Bool.random(using: &generator)
            if isCut { _ = try await ask("syncthing", "block", "pc") }
            let sides = [0, 1, 2].shuffled(using: &generator).prefix(isCut ? 3 : 1)
            for side in sides {
                for name in ["a", "b", "c", "d"].shuffled(using: &generator).prefix(
                    Int.random(in: 1...2, using: &generator)
                ) {
                    let isDeletion = Int.random(in: 0..<4, using: &generator) == 0
                    let text = isDeletion ? nil : "<round \(round), side \(side), \(name)>"
                    if let text { written.append(text) }
                    try change(name, text, on: side, device)
                }
            }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: try await device.killAndStart()
            case 1:
                first.program.send(SIGKILL)
                _ = try await first.program.wait()
                first = try await RunningDaemon.start(on: desk)
            default: break
            }
            if isCut {
                // because the device scans each second, and says nothing
                try await EventLoop.shared.sleep(for: .seconds(3))
                _ = try await ask("syncthing", "unblock", "pc")
            }
            if try await rest(device, &generator) { conflicts += 1 }
            #expect(device.copies == 0, "round \(round)")
        }
        let kept = try await history()
        for text in written { #expect(kept.contains(text), "\(text) is lost") }
        print("rounds with a conflict: \(conflicts)")
        await device.end()
        try await first.stop()
        try await second.stop()
    }

    private func change(_ name: String, _ text: String?, on side: Int, _ device: RealSyncthing) throws {
        guard side < 2 else { return try device.put(text, at: name) }
        let machine = side == 0 ? desk : deck
        guard let text else {
            unlink(machine.home.path(of: "saves/\(name)"))
            return
        }
        // As a game does it: whole, or not at all.
        try machine.home.put(text, at: "new")
        guard rename(machine.home.path(of: "new"), machine.home.path(of: "saves/\(name)")) == 0 else {
            throw SystemError("rename")
        }
    }

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        getenv(name).flatMap { Number(String(cString: $0)) }
    }
}
