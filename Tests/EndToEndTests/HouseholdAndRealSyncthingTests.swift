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
    .timeLimit(.minutes(60)),
    .needs(RealSyncthing.requirement)
)
struct HouseholdAndRealSyncthingTests {
    private let desk = Machine("Desk")
    private let deck = Machine("Deck")
    private let port: UInt16 = 22_200
    private let devicePort: UInt16 = 22_300

    @Test("After each kill of the device or of the daemon both are connected again within seconds")
    func kills() async throws {
        var daemon = try await RunningDaemon.start(on: desk)
        try await share("--only-here")
        // Only the daemon can dial.
        var device = try await pairedDevice(dialling: nil)
        for round in 0..<6 {
            if round % 2 == 0 { try await device.killAndStart() } else { daemon = try await killAndStart(daemon) }
            let start = ContinuousClock.now
            try await waitUntilOnline(device)
            #expect(ContinuousClock.now - start < .seconds(10), "round \(round)")
        }
        await device.end()
        try await daemon.stop()
    }

    /// One seed gives the same changes, but each program reads them at its own time.
    @Test("In seeded rounds of changes, cuts and kills all sides become equal, and no version is lost or torn")
    func rounds() async throws {
        let seed: UInt64 = Self.number("HUDDLE_SEED") ?? 1
        var generator = SeededGenerator(seed: seed)
        var first = try await RunningDaemon.start(on: desk)
        let second = try await RunningDaemon.start(on: deck)
        try await desk.meets(deck, at: first)
        try await share("--with", "Deck")
        mkdir(deck.home.path(of: "saves"), 0o755)
        let joined = try await deck.huddle("join", "celeste", "--at", deck.home.path(of: "saves"))
        #expect(joined.status == .exited(0), "\(joined.story)")
        var device = try await pairedDevice(dialling: SocketAddress(.v4(127, 0, 0, 1), port: port))
        _ = try await rest(device, &generator)

        var (written, conflicts) = (Set(["begin"]), 0)
        let count = Self.number("HUDDLE_ROUNDS") ?? 4
        for round in 0..<count {
            let isCut = Bool.random(using: &generator)
            if isCut { _ = try await ask("syncthing", "block", "pc") }
            for side in [0, 1, 2].shuffled(using: &generator).prefix(isCut ? 3 : 1) {
                written.formUnion(try changes(on: side, in: round, device, &generator))
            }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: try await device.killAndStart()
            case 1: first = try await killAndStart(first)
            default: break
            }
            if isCut {
                // because the device scans each second, and says nothing
                try await EventLoop.shared.sleep(for: .seconds(3))
                _ = try await ask("syncthing", "unblock", "pc")
            }
            if try await rest(device, &generator) { conflicts += 1 }
            try #require(device.copies == 0, "seed \(seed), round \(round)")
        }
        let kept = try await history()
        let (lost, torn) = (written.subtracting(kept), kept.subtracting(written))
        let story = "seed \(seed)\n\(try await ask("history", "celeste", "--limit", "10000"))"
        #expect(lost.isEmpty, "\(lost.map { $0.prefix(40) }.sorted()) \(story)")
        #expect(torn.isEmpty, "\(torn.map { $0.prefix(80) }.sorted()) \(story)")
        print("seed \(seed): \(count) rounds, \(conflicts) with a conflict, \(written.count) texts, all kept")
        await device.end()
        try await first.stop()
        try await second.stop()
    }

    // MARK: The sides

    private func ask(_ words: String...) async throws -> String {
        let answer = try await desk.huddle(words)
        try #require(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    private func contents(_ machine: Machine) -> [String: String] {
        var found: [String: String] = [:]
        for name in machine.home.names(in: "saves") { found[name] = machine.home.text(at: "saves/\(name)") }
        return found
    }

    private func share(_ words: String...) async throws {
        mkdir(desk.home.path(of: "saves"), 0o755)
        try desk.home.put("begin", at: "saves/begin")
        let shared = try await desk.huddle(["share", "saves", "--name", "celeste"] + words)
        try #require(shared.status == .exited(0), "\(shared.story)")
    }

    /// Syncthing, with the folder that Desk has accepted as its game.
    private func pairedDevice(dialling address: SocketAddress?) async throws -> RealSyncthing {
        let id = try #require(DeviceID(String(try await ask("syncthing", "id").prefix { !$0.isWhitespace })))
        let device = try await RealSyncthing(
            sharing: "celeste-saves",
            with: id,
            port: devicePort,
            dialling: address
        )
        let (own, other) = (["--name", "pc", "--port", "\(port)"], ["--address", "\(device.address)"])
        let paired = try await desk.huddle(["syncthing", "pair", "\(device.id)"] + own + other)
        try #require(paired.status == .exited(0), "\(paired.story)")
        while try await !ask("syncthing", "devices").contains("offers “celeste-saves”") { try await pause() }
        _ = try await ask("syncthing", "accept", "celeste-saves", "celeste")
        return device
    }

    private func killAndStart(_ daemon: RunningDaemon) async throws -> RunningDaemon {
        daemon.program.send(SIGKILL)
        _ = try await daemon.program.wait()
        return try await RunningDaemon.start(on: desk)
    }

    private func pause() async throws {
        // because another program says nothing when it is done
        try await EventLoop.shared.sleep(for: .milliseconds(200))
    }

    private func waitUntilOnline(_ device: RealSyncthing) async throws {
        let deadline = ContinuousClock.now + .seconds(150)
        while try await !ask("syncthing", "devices", "--json").contains("\"online\"") {
            try #require(ContinuousClock.now < deadline, "\(device.lastWords)")
            try await pause()
        }
    }

    // MARK: Changes

    /// Changes one or two files of a side.
    ///
    /// - Returns: the texts that it has written
    private func changes(
        on side: Int,
        in round: Int,
        _ device: RealSyncthing,
        _ generator: inout SeededGenerator
    ) throws -> Set<String> {
        var written: Set<String> = []
        let count = Int.random(in: 1...2, using: &generator)
        for name in ["a", "b", "c", "d"].shuffled(using: &generator).prefix(count) {
            let folder = side == 2 ? device.files : [desk, deck][side].home.path(of: "saves")
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: unlink("\(folder)/\(name)")
            case 1: rename("\(folder)/\(name)", "\(folder)/\(name)\(round)-\(side)")
            case let size:
                // A large one has several blocks of Syncthing's.
                let line = "<round \(round), side \(side), \(name)>"
                let text = String(repeating: line, count: size == 2 ? 15_000 : 1)
                written.insert(text)
                // As a game does it: whole, or not at all.
                try desk.home.put(text, at: "new")
                guard rename(desk.home.path(of: "new"), "\(folder)/\(name)") == 0 else { throw SystemError("rename") }
            }
        }
        return written
    }

    /// Waits until all three sides have the same files. In a conflict it chooses a side.
    ///
    /// - Returns: true if there was a conflict
    private func rest(_ device: RealSyncthing, _ generator: inout SeededGenerator) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(90)
        var fixed: Set<String> = []
        while ContinuousClock.now < deadline {
            try await pause()
            let state = try await ask("syncthing", "devices", "--json")
            if state.contains("\"celeste\":\"conflict\"") {
                let sides = versions(in: try await desk.huddle("fix", "celeste", "--json").output)
                // The conflict may have become another one, or be over.
                if let kept = sides.randomElement(using: &generator) {
                    let answer = try await desk.huddle("fix", "celeste", "--keep", "@\(kept)")
                    // A side is fixed once: afterwards another version is the newest.
                    if answer.status == .exited(0) { #expect(fixed.insert(kept).inserted, "\(answer.story)") }
                }
                continue
            }
            let own = contents(desk)
            if state.contains("\"celeste\":\"in sync\""), own == contents(deck), own == device.synced {
                return !fixed.isEmpty
            }
        }
        let sizes = [contents(desk), contents(deck), device.contents()].map {
            $0.mapValues { "\($0.count) \($0.prefix(30))" }
        }
        let story = "\(try await ask("syncthing", "devices"))\n\(sizes)\n\(device.lastWords)"
        throw NotEqual(story: story)
    }

    private struct NotEqual: Error {
        let story: String
    }

    private func versions(in lines: String) -> [String] {
        lines.matches(of: #/"version":"([^"]+)"/#).map { String($0.1) }
    }

    /// The texts of all files of all versions.
    private func history() async throws -> Set<String> {
        var all: Set<String> = []
        for version in versions(in: try await ask("history", "celeste", "--json", "--limit", "10000")) {
            let (file, folder) = (desk.home.path(of: "\(version).tar"), "versions/\(version)")
            _ = try await ask("export", "celeste@\(version)", file)
            for path in ["versions", folder] { mkdir(desk.home.path(of: path), 0o755) }
            let tar = ProgramLaunch("tar", ["-xf", file, "-C", desk.home.path(of: folder)])
            let ended = try await ChildProcess.run(tar, deadline: .seconds(30))
            try #require(ended.status == .exited(0), "\(ended.story)")
            for name in desk.home.names(in: folder) {
                if let text = desk.home.text(at: "\(folder)/\(name)") { all.insert(text) }
            }
        }
        return all
    }

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        getenv(name).flatMap { Number(String(cString: $0)) }
    }
}
