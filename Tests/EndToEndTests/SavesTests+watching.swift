import Glibc
import LinuxPlatform
import TestSupport
import Testing

/// Folders that can't be watched.
extension SavesTests {
    @Test(
        "With too few watches, changes are found later, and the status names the repair",
        .enabled("a program can't have limits of its own here") { await Machine.mayLimitWatches() }
    )
    func tooFewWatches() async throws {
        let daemon = try await RunningDaemon.start(on: desk, watches: 24)
        for number in 0..<40 {
            mkdir(desk.home.path(of: "game"), 0o755)
            mkdir(desk.home.path(of: "game/slot\(number)"), 0o755)
        }
        try desk.home.put("1", at: "game/slot39/save")
        let events = try await desk.events()
        _ = try await ask(desk, "share", "--only-here", "game", "--name", "celeste")
        try await wait(for: "trouble", in: events)
        let listed = try await ask(desk, "list")
        #expect(listed.contains("changes are found late: "), "\(listed)")
        #expect(listed.contains(/sudo sysctl fs\.inotify\.max_user_watches=\d{6,}/), "\(listed)")
        let line = try await desk.huddle("list", "--json")
        #expect(line.output.contains("\"reason\":\"save-folder.too-many-watches\""), "\(line.story)")
        // The change is still found, and the folder is watched as soon as the limit allows it.
        try desk.home.put("2", at: "game/slot39/save")
        try await wait(for: "saved", in: events)
        try await desk.allowWatches(10_000, to: daemon.program)
        while try await ask(desk, "list").contains("changes are found late") {}
        try desk.home.put("3", at: "game/slot39/save")
        try await wait(for: "saved", in: events)
        try await daemon.stop()
    }
}
