import Foundation
import LinuxPlatform

@testable import MultipeerConnectivity

/// A user at a terminal who types the test's input.
///
/// `@unchecked Sendable` because its state is behind a lock.
final class Typist: UserScreen, @unchecked Sendable {
    private let guarded = Locked(State())

    private struct State {
        var lines: [String] = []
        var shown = ""
        var wasShownOnEngine = false
        var waiting: [Resumption<Void>] = []
    }

    var shown: String { guarded.withLock { $0.shown } }

    /// True if the engine's thread waited for the terminal.
    var wasShownOnEngine: Bool { guarded.withLock { $0.wasShownOnEngine } }

    func show(_ text: String) {
        let isOnEngine = EventLoop.shared.isCurrent
        change { state in
            state.shown += text
            if isOnEngine { state.wasShownOnEngine = true }
        }
    }

    func type(_ line: String) { change { $0.lines.append(line) } }

    private func change(_ body: (inout State) -> Void) {
        let waiting = guarded.withLock { state in
            body(&state)
            defer { state.waiting = [] }
            return state.waiting
        }
        for turn in waiting { turn.resume(with: .success(())) }
    }

    func count(_ text: String) -> Int { shown.components(separatedBy: text).count - 1 }

    func sees(_ text: String, times: Int = 1) async throws {
        while true {
            let turn = Resumption<Void>()
            guarded.withLock { $0.waiting.append(turn) }
            if count(text) >= times { return }
            try await turn.valueUnlessCancelled()
        }
    }

    func nextLine() async -> String? {
        while true {
            let turn = Resumption<Void>()
            let line = guarded.withLock { state in
                state.waiting.append(turn)
                return state.lines.isEmpty ? nil : state.lines.removeFirst()
            }
            if let line { return line }
            try? await turn.value()
        }
    }
}
