import Glibc
import LinuxPlatform
import SyncthingBridge
import SyncthingPrograms
import TestSupport
import Testing
import Transport
import Vocabulary
import Workbench

@Suite("A folder shared with Debian's Syncthing", .serialized, .timeLimit(.minutes(5)))
struct RealSyncthingTests {
    @Test("A folder is equal on both sides after each change", .needs(RealSyncthing.requirement))
    @Engine
    func dialling() async throws {
        let side = try BridgedSide()
        let syncthing = try await RealSyncthing(sharing: "celeste", with: side.id, port: 22_000, dialling: nil)
        let large = String(repeating: "0123456789abcdef", count: 30_000)
        try syncthing.put("from the device", at: "slot1/progress.sav")
        let session = Task { try await side.dial(syncthing) }
        try await side.expect(["slot1/progress.sav": "from the device"], with: syncthing)

        side.household.change(["settings.ini": "from here", "large.bin": large], in: side.folder)
        var all = ["slot1/progress.sav": "from the device", "settings.ini": "from here", "large.bin": large]
        try await side.expect(all, with: syncthing)

        try syncthing.put("changed there", at: "settings.ini")
        all["settings.ini"] = "changed there"
        try await side.expect(all, with: syncthing)

        side.household.change(["slot1/progress.sav": nil, "slot2": "renamed"], in: side.folder)
        (all["slot1/progress.sav"], all["slot2"]) = (nil, "renamed")
        try await side.expect(all, with: syncthing)

        try syncthing.put(nil, at: "large.bin")
        try syncthing.put("", at: "empty")
        (all["large.bin"], all["empty"]) = (nil, "")
        try await side.expect(all, with: syncthing)
        #expect(side.household.conflicts == 0)

        await side.close()
        _ = try? await session.value
        await syncthing.end()
    }

    @Test(
        "Changes of both sides while the line is cut are a conflict here, and Syncthing makes no copy",
        .needs(RealSyncthing.requirement)
    )
    @Engine
    func conflict() async throws {
        let side = try BridgedSide()
        let listener = try ChannelListener(on: SocketAddress(.v4(127, 0, 0, 1), port: 0), loop: .shared)
        let syncthing = try await RealSyncthing(
            sharing: "celeste",
            with: side.id,
            port: 22_000,
            dialling: listener.address
        )
        var session = Task { await side.stayConnected(by: listener) }
        side.household.change(["one.sav": "first", "two.sav": "first"], in: side.folder)
        try await side.expect(["one.sav": "first", "two.sav": "first"], with: syncthing)
        session.cancel()
        await side.close()
        await session.value

        side.household.change(["one.sav": "here"], in: side.folder)
        try syncthing.put("there", at: "one.sav")
        try syncthing.put("there", at: "two.sav")
        // The device scans within a second; what it scans later would be a second version.
        try await EventLoop.shared.sleep(for: .seconds(3))  // because the device scans meanwhile
        session = Task { await side.stayConnected(by: listener) }
        try await side.expect(["one.sav": "here", "two.sav": "first"], with: syncthing)
        #expect(side.household.conflicts == 1)
        // The side that was not chosen is kept.
        #expect(side.household.history.count == 4)

        session.cancel()
        await side.close()
        await session.value
        await syncthing.end()
    }

    /// One seed gives the same changes; when Syncthing scans between them is its own affair.
    @Test(
        "In seeded rounds of changes, cuts and kills both sides become equal, and nothing written is lost",
        .needs(RealSyncthing.requirement)
    )
    @Engine
    func rounds() async throws {
        var generator = SeededGenerator(seed: Self.number("HUDDLE_SEED") ?? 1)
        let side = try BridgedSide()
        var syncthing = try await RealSyncthing(sharing: "celeste", with: side.id, port: 22_000, dialling: nil)
        var session = Task { await side.stayConnected(to: syncthing) }
        side.household.change(["a": "begin"], in: side.folder)
        try await side.expect(["a": "begin"], with: syncthing)
        for round in 0..<(Self.number("HUDDLE_ROUNDS") ?? 10) {
            var written: [String] = []
            let names = ["a", "b", "sub/c", "sub/d"]
            for name in names.shuffled(using: &generator).prefix(Int.random(in: 0..<3, using: &generator)) {
                let text = Int.random(in: 0..<4, using: &generator) > 0 ? "device \(round) \(name)" : nil
                try syncthing.put(text, at: name)
                if let text { written.append(text) }
            }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: side.cut()
            case 1:
                session.cancel()
                side.cut()
                try await syncthing.killAndStart()
                let running = syncthing
                session = Task { await side.stayConnected(to: running) }
            default: break
            }
            for name in names.shuffled(using: &generator).prefix(Int.random(in: 0..<3, using: &generator)) {
                let isKept = Int.random(in: 0..<4, using: &generator) > 0
                side.household.change([name: isKept ? "household \(round) \(name)" : nil], in: side.folder)
            }
            // A device without any file is held, and so is a household.
            if side.household.contents.isEmpty { side.household.change(["a": "again \(round)"], in: side.folder) }
            try await side.settle(with: syncthing)
            let kept = side.household.texts.union(syncthing.contents().values)
            for text in written { #expect(kept.contains(text), "round \(round)") }
        }
        print("Conflicts of the household: \(side.household.conflicts), copies of Syncthing's: \(syncthing.copies)")
        session.cancel()
        await side.close()
        await session.value
        await syncthing.end()
    }

    private static func number<Number: FixedWidthInteger>(_ name: String) -> Number? {
        getenv(name).flatMap { Number(String(cString: $0)) }
    }
}
