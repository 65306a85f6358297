import FoundationEssentials
import Glibc
import LinuxPlatform
import TestSupport
import Testing

/// Repairs of damaged and slow folders and disks.
extension SavesTests {
    /// Random letters, so that no two pieces are equal.
    private static func letters(_ count: Int) -> String {
        var dice = SeededGenerator(seed: 5)
        return String(decoding: (0..<count).map { _ in UInt8.random(in: 65...90, using: &dice) }, as: UTF8.self)
    }

    @Test("A repair discards damaged versions by name, and another machine sends them again")
    func damaged() async throws {
        try await withSharedSet { _, atDeck in
            for text in ["old world", "world"] {
                try desk.home.put(Self.letters(200_000) + text, at: "game/\(text.first ?? "x")")
                try await wait(for: "applied", in: atDeck)
            }
            // Only the history still has it.
            unlink(desk.home.path(of: "game/o"))
            try await wait(for: "applied", in: atDeck)
            try damagePack()
            let found = try await desk.huddle("fsck")
            #expect(found.status == .exited(1))
            #expect(found.standardError.text.contains("damaged data was found"), "\(found.story)")
            let named = /celeste@2 \([0-9a-f]{10}\) is damaged in\n  o\n/
            #expect(found.standardError.text.contains(named), "\(found.story)")
            #expect(found.standardError.text.contains("`huddle fsck --repair` discards damaged versions"))
            let reported = try await desk.huddle("fsck", "--json").output
            #expect(reported.contains(#""files":["o"],"name":"celeste","number":2,"#), "\(reported)")
            let repaired = try await desk.huddle("fsck", "--repair")
            #expect(repaired.status == .exited(0) && repaired.output.contains("damaged data was discarded"))
            // Deck is online and has it.
            while try await desk.huddle("fsck").status != .exited(0) {}
            #expect(try await ask(desk, "history", "celeste").contains("(not all here)") == false)
            _ = try await ask(desk, "restore", "celeste@2")
            #expect(desk.home.text(at: "game/o") == Self.letters(200_000) + "old world")
        }
    }

    @Test("A repair discards versions that no other machine has, and keeps the folder as a new one")
    func damagedAlone() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        mkdir(desk.home.path(of: "game"), 0o755)
        try desk.home.put(Self.letters(200_000), at: "game/old")
        _ = try await ask(desk, "share", "--only-here", "game", "--name", "celeste")
        unlink(desk.home.path(of: "game/old"))
        try desk.home.put("new", at: "game/new")
        _ = try await ask(desk, "scan", "celeste")
        try damagePack()
        let repaired = try await ask(desk, "fsck", "--repair")
        #expect(repaired.contains("until a machine that has it"), "\(repaired)")
        #expect(try await ask(desk, "history", "celeste").contains(/@1 .*\(not all here\)/))
        let restored = try await desk.huddle("restore", "celeste@1")
        #expect(restored.status == .exited(1))
        let damage = "a part of this version was damaged, and this machine no longer has it"
        #expect(restored.standardError.text.contains(damage))
        // Syncing continues as before.
        try desk.home.put("newer", at: "game/new")
        _ = try await ask(desk, "scan", "celeste")
        _ = try await ask(desk, "restore", "celeste@2")
        #expect(desk.home.text(at: "game/new") == "new")
        try await daemon.stop()
    }

    @Test("A repair does not restore versions of stopped games, and a cleanup deletes them")
    func damagedAndLeft() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        mkdir(desk.home.path(of: "game"), 0o755)
        try desk.home.put(Self.letters(200_000), at: "game/slot")
        _ = try await ask(desk, "share", "--only-here", "game", "--name", "celeste")
        _ = try await ask(desk, "stop", "celeste")
        try damagePack()
        let repaired = try await desk.huddle("fsck", "--repair")
        #expect(repaired.status == .exited(1) && !repaired.output.contains("found again"), "\(repaired.story)")
        #expect(repaired.standardError.text.contains("one version of a stopped game stays damaged"))
        _ = try await ask(desk, "history", "--clean", "--left")
        #expect(try await ask(desk, "fsck").contains("all sound"))
        try await daemon.stop()
    }

    /// Writes into the middle of the history's packs.
    private func damagePack() throws {
        let path = desk.home.path(of: ".local/state/huddle/history/pack-0000000001")
        let pack = open(path, O_WRONLY | O_CLOEXEC)
        try #require(pack >= 0)
        let noise = [UInt8](repeating: 7, count: 64)
        #expect(pwrite(pack, noise, noise.count, 60_000) == noise.count)
        close(pack)
    }

    /// True if the test may see the bytes that the daemon reads. The daemon hides itself from its user, so only root
    /// can, and a container may deny that right.
    private static var mayLookIntoOthers: Bool {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let rights = status.firstMatch(of: #/CapEff:\s+([0-9a-f]+)/#).flatMap { UInt64($0.1, radix: 16) } ?? 0
        return rights & 1 << 19 != 0
    }

    @Test(
        "A whole scan reads every byte, and a normal one only changed files",
        .enabled("needs CAP_SYS_PTRACE, to see what the daemon reads") { mayLookIntoOthers }
    )
    func whole() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        mkdir(desk.home.path(of: "game"), 0o755)
        try desk.home.put(Self.letters(4_000_000), at: "game/world")
        _ = try await ask(desk, "share", "--only-here", "game", "--name", "celeste")
        // A file that has just been changed is read once more.
        while try await bytesRead(by: daemon, during: ["scan", "celeste"]) > 1_000_000 {}
        #expect(try await bytesRead(by: daemon, during: ["scan", "celeste", "--whole"]) >= 4_000_000)
        #expect(try await ask(desk, "history", "celeste").split(separator: "\n").count == 1)
        try await daemon.stop()
    }

    private func bytesRead(by daemon: RunningDaemon, during words: [String]) async throws -> Int {
        func count() throws -> Int {
            let text = try String(contentsOfFile: "/proc/\(daemon.program.identifier)/io", encoding: .utf8)
            return try #require(text.firstMatch(of: /rchar: (\d+)/).flatMap { Int($0.1) })
        }
        let before = try count()
        let answer = try await desk.huddle(words)
        #expect(answer.status == .exited(0), "\(answer.story)")
        return try count() - before
    }
}
