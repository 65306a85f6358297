import Control
import FoundationEssentials
import Glibc
import Household
import LinuxPlatform
import Session
import TestSupport
import Testing

@Suite("A machine with a hook", .timeLimit(.minutes(10)))
struct HookTests {
    /// A line that the hook has written: its event and its input.
    private struct Called: Decodable {
        struct Peer: Decodable {
            let name: String?
        }

        let event: String
        let peer: Peer?
        let code: String?
        let needsCode: Bool?
        let text: String?
        let path: String?
        let name: String?
        let heads: [String]?
    }

    private let desk = Machine("Desk")
    private let deck = Machine("Deck")
    private let calls: NamedPipe

    init() throws {
        calls = try NamedPipe(at: desk.home.path(of: "calls"))
        try desk.home.put("#!/bin/sh\nread -r event\necho \"$1 $event\" > \"$HOME/calls\"\n", at: "hook")
        chmod(desk.home.path(of: "hook"), 0o755)
        try desk.put(configuration: "{ hook: '~/hook' }")
    }

    /// The next call for an event. Calls for other events are skipped.
    private func call(for occasion: String) async throws -> Called {
        while true {
            for line in try await calls.next().split(separator: "\n") {
                let parts = line.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, parts[0] == occasion else { continue }
                return try JSONDecoder().decode(Called.self, from: Data(parts[1].utf8))
            }
        }
    }

    private func ask(_ machine: Machine, _ words: String...) async throws -> String {
        let answer = try await machine.huddle(words)
        #expect(answer.status == .exited(0), "\(words): \(answer.story)")
        return answer.output
    }

    @Test("The hook is called for an invitation, a message and a file with their contents")
    func meeting() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        try await desk.meets(deck, at: daemon)
        let invitation = try await call(for: "invitation")
        #expect(
            invitation.event == "invited" && invitation.peer?.name == "Deck" && invitation.needsCode == true
                && invitation.code == nil
        )
        _ = try await ask(deck, "msg", "Desk", "dinner is ready")
        let message = try await call(for: "message")
        #expect(message.text == "dinner is ready" && message.peer?.name == "Deck")
        try deck.home.put("a save", at: "castle.save")
        _ = try await ask(deck, "send", "Desk", "castle.save")
        #expect(try await call(for: "file").path == desk.home.path(of: "Downloads/castle.save"))
        try await daemon.stop()
    }

    @Test("The hook is called for new versions of saves and for a conflict")
    func saves() async throws {
        let (first, second) = (try await RunningDaemon.start(on: desk), try await RunningDaemon.start(on: deck))
        try await desk.meets(deck, at: first)
        mkdir(desk.home.path(of: "game"), 0o755)
        try desk.home.put("{\"score\": 10}", at: "game/save.json")
        _ = try await ask(desk, "share", "--only-here", "game", "--name", "celeste")
        let saved = try await call(for: "snapshot")
        #expect(saved.event == "saved" && saved.name == "celeste")
        let atDeck = try await deck.events()
        _ = try await ask(desk, "share", "celeste", "--with", "Deck")
        try await wait(for: "save-offer", in: atDeck)
        _ = try await ask(deck, "join", "celeste", "--at", "saves")
        try await wait(for: "applied", in: atDeck)
        // Each machine changes the save before it learns of the other's change.
        _ = try await ask(desk, "policy", "Deck", "--set", "block")
        while try await !ask(desk, "list").contains("NOT SYNCING") {}
        try desk.home.put("{\"score\": 30}", at: "game/save.json")
        #expect(try await call(for: "snapshot").event == "saved")
        try deck.home.put("{\"score\": 31}", at: "saves/save.json")
        try await wait(for: "saved", in: atDeck)
        _ = try await ask(desk, "policy", "Deck", "--set", "accept")
        _ = try await ask(deck, "msg", "Desk", "here I am")
        #expect(try await call(for: "conflict").heads?.count == 2)
        try await first.stop()
        try await second.stop()
    }

    private func wait(for event: String, in events: ResponseEvents) async throws {
        while let line = try await events.next(), line.name != event {}
    }

    @Test("The daemon continues without a hook that can't start, and reports why")
    func missing() async throws {
        try desk.put(configuration: "{ hook: '~/none', hookSeconds: 1 }")
        let daemon = try await RunningDaemon.start(on: desk)
        let events = try await desk.events()
        try await desk.meets(deck, at: daemon)
        var failure: PassedOnError?
        while failure == nil, let line = try await events.next() {
            if case .hookFailed(let event) = line.event { failure = event.problem }
        }
        #expect(failure?.word == "hook.not-started")
        #expect(failure?.nextStep?.contains("chmod +x") == true)
        _ = try await ask(deck, "msg", "Desk", "still there?")
        try await daemon.stop()
    }

    @Test("The daemon ends a running hook with itself")
    func stopped() async throws {
        try desk.home.put("#!/bin/sh\nread -r event\necho \"$1 $event\" > \"$HOME/calls\"\nsleep 1000\n", at: "hook")
        let daemon = try await RunningDaemon.start(on: desk)
        try await desk.meets(deck, at: daemon)
        _ = try await call(for: "invitation")
        let running = try await processes(namedAfter: desk.home.path(of: "hook"))
        #expect(running.count == 1)
        try await daemon.stop()
        #expect(try await processes(namedAfter: desk.home.path(of: "hook")).isEmpty)
    }

    private func processes(namedAfter path: String) async throws -> [String] {
        let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
        return numbers.filter { number in
            let line = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(number)/cmdline"))
            return line.map { String(decoding: $0, as: UTF8.self).contains(path) } ?? false
        }
    }
}
