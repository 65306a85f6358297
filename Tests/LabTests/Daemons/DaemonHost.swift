import Glibc
import LabKit
import LinuxPlatform
import Synchronization
import TestSupport
import Testing

/// A host of the lab with `huddled` and folders of its own.
final class DaemonHost: Sendable {
    let host: LabHost
    let folder: String
    private let clock: String?
    private let daemon = Mutex<ChildProcess?>(nil)

    var state: String { "\(folder)/state" }
    var inbox: String { "\(folder)/in" }

    /// - Parameter clock: a file with the seconds by which the daemon's clock is wrong
    init(_ host: LabHost, in folder: String, withClockOf clock: String? = nil) async throws {
        self.host = host
        self.folder = folder
        self.clock = clock
        _ = try await host.run(["mkdir", "-p", folder])
        try await start()
    }

    /// Starts the daemon, also after a stop.
    func start() async throws {
        let words = ["--state", state, "--into", inbox, "--name", host.name]
        var environment: [String: String] = [:]
        if let clock {
            // A sanitizer may need its own library to be loaded first.
            let own = ProgramLaunch.ownEnvironment["LD_PRELOAD"]
            let loaded = [own, HuddleProgram.beside("libwrong-clock.so")].compactMap(\.self)
            environment = ["LD_PRELOAD": loaded.joined(separator: ":"), "WRONG_CLOCK": clock]
        }
        let started = try await host.start([HuddleProgram.daemonPath] + words, environment: environment)
        daemon.withLock { $0 = started }
        var log = try #require(started.standardError).lines().makeAsyncIterator()
        while let line = try await log.next(), !line.contains("listening on port") {}
        // Its output must not fill the pipe.
        Task { while try await log.next() != nil {} }
    }

    /// Ends it as systemd does.
    func stop() async throws {
        let running = daemon.withLock { $0 }
        running?.send(SIGTERM)
        #expect(try await running?.wait() == .exited(0))
    }

    /// Kills it, so that it can neither send nor write anything.
    func kill() async throws {
        let running = daemon.withLock { $0 }
        running?.send(SIGKILL)
        _ = try await running?.wait()
    }

    func command(_ words: [String]) -> [String] { [HuddleProgram.path] + words + ["--state", state] }

    /// The output of a command that must succeed.
    @discardableResult
    func huddle(_ words: String...) async throws -> String {
        let ended = try await host.run(command(words), deadline: .seconds(120))
        try #require(ended.status.isSuccess, "\(words) \(ended.status): \(ended.standardError.text)")
        return ended.standardOutput.text
    }

    /// Pairs this machine and the other one.
    func meets(_ other: DaemonHost) async throws {
        let invite = try await host.start(command(["invite", other.host.name, "--wait", "30s"]))
        let accept = other.command(["accept", host.name, try #require(try await invite.shownCode())])
        // The invitation may not have arrived yet.
        while try await !other.host.run(accept, deadline: .seconds(60)).status.isSuccess {}
        #expect(try await invite.complete(deadline: .seconds(60)).status == .exited(0))
    }

    /// One of the daemon's counters since its start.
    func metric(_ name: String) async throws -> UInt64 {
        let socket = try UnixSocket.connect(to: "\(state)/control", on: .shared)
        try await socket.send(Array("GET /metrics HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".utf8))
        var answer: [UInt8] = []
        while case let bytes = try await socket.receive(upTo: 65_536), !bytes.isEmpty { answer += bytes }
        let lines = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isNewline)
        let line = try #require(lines.first { $0.hasPrefix("\(name) ") }, "\(name)")
        return try #require(line.split(separator: " ").last.flatMap { UInt64($0) })
    }

    func terminate() async { _ = await daemon.withLock { $0 }?.terminate() }
}

extension DaemonHost {
    /// Runs two paired daemons on two hosts as long as the body runs.
    static func withTwo(
        _ name: String,
        _ body: @escaping @Sendable (_ lab: Lab, _ from: DaemonHost, _ to: DaemonHost) async throws -> Void
    ) async throws {
        try await Lab.with(hosts: 2) { lab in
            let folder = "/var/tmp/huddle-lab-\(name)-\(getpid())"
            let from = try await DaemonHost(lab[1], in: "\(folder)/1")
            let to = try await DaemonHost(lab[2], in: "\(folder)/2")
            do {
                try await from.meets(to)
                try await body(lab, from, to)
            } catch {
                Issue.record(error)
            }
            await from.terminate()
            await to.terminate()
            _ = try await lab[1].run(["rm", "-rf", folder])
        }
    }
}
