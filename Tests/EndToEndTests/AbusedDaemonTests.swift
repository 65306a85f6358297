import FoundationEssentials
import Glibc
import LinuxPlatform
import TestSupport
import Testing

@Suite("A daemon with hostile local clients", .timeLimit(.minutes(10)))
struct AbusedDaemonTests {
    private let desk = Machine("Desk")
    private var path: String { desk.home.path(of: ".local/state/huddle/control") }

    /// Sends bytes on a connection that stays open.
    private func said(_ text: String) async throws -> StreamSocket {
        let socket = try UnixSocket.connect(to: path, on: .shared)
        try await socket.send(Array(text.utf8))
        return socket
    }

    /// The first line of the response.
    private func answer(on socket: StreamSocket) async -> String {
        var answer: [UInt8] = []
        while !answer.contains(13), let bytes = try? await socket.receive(upTo: 4096), !bytes.isEmpty {
            answer += bytes
        }
        return String(decoding: answer.prefix { $0 != 13 }, as: UTF8.self)
    }

    private func answersAsEver(_ daemon: RunningDaemon) async throws {
        let status = try await desk.huddle("status")
        #expect(status.status == .exited(0), "\(status.story)")
        #expect(status.output.contains("process \(daemon.program.identifier),"))
    }

    @Test("The daemon answers beside a thousand held connections, without memory for each")
    func crowd() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        try await answersAsEver(daemon)
        let before = try Peak.reset(of: daemon.program.identifier)
        var crowd: [StreamSocket] = []
        for _ in 0..<1000 { crowd.append(try UnixSocket.connect(to: path, on: .shared)) }
        try await answersAsEver(daemon)
        let grown = try Peak.mebibytes(of: daemon.program.identifier) - before
        #expect(grown < 8 * OwnProcess.allowance, "\(grown) MiB")
        withExtendedLifetime(crowd) {}
        try await daemon.stop()
    }

    @Test("The daemon answers beside hundreds of unfinished requests")
    func halves() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        let halves = [
            "GET /v1/sta", "POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Le",
            "POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n{\"peer\":",
            "POST /v1/messages HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n{",
            "\u{0}\u{16}\u{3}",
        ]
        var held: [StreamSocket] = []
        for number in 0..<300 { held.append(try await said(halves[number % halves.count])) }
        try await answersAsEver(daemon)
        withExtendedLifetime(held) {}
        try await daemon.stop()
    }

    @Test("The daemon limits the memory of many huge bodies, and refuses the rest for now")
    func hugeBodies() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        try await answersAsEver(daemon)
        let before = try Peak.reset(of: daemon.program.identifier)
        let size = 8 << 20
        let half = [UInt8](repeating: UInt8(ascii: " "), count: size / 2)
        var callers: [StreamSocket] = []
        for _ in 0..<40 {
            callers.append(try await said("POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n"))
            // A client that is refused at once closes.
            try? await callers.last?.send(half)
        }
        try await answersAsEver(daemon)
        var answers: [String: Int] = [:]
        for caller in callers {
            try? await caller.send(half)
            answers[await answer(on: caller), default: 0] += 1
        }
        #expect(answers.keys.contains { $0.hasPrefix("HTTP/1.1 503") }, "\(answers)")
        #expect(answers.keys.contains { $0.hasPrefix("HTTP/1.1 400") }, "\(answers)")
        let grown = try Peak.mebibytes(of: daemon.program.identifier) - before
        #expect(grown < 80 * OwnProcess.allowance, "\(grown) MiB")
        try await answersAsEver(daemon)
        try await daemon.stop()
    }

    @Test("The daemon refuses bodies that expand when they are parsed", arguments: ["[", "0,", "{\"a\":", "\"\\u0041"])
    func growing(_ part: String) async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        let before = try Peak.reset(of: daemon.program.identifier)
        let body =
            Array("{\"peer\":[".utf8) + Array(String(repeating: part, count: (8 << 20) / part.utf8.count - 10).utf8)
        let caller = try await said("POST /v1/messages HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n")
        try await caller.send(body)
        let answer = await answer(on: caller)
        #expect(answer.hasPrefix("HTTP/1.1 400"), "\(answer)")
        let grown = try Peak.mebibytes(of: daemon.program.identifier) - before
        #expect(grown < 200 * OwnProcess.allowance, "\(grown) MiB")
        try await answersAsEver(daemon)
        try await daemon.stop()
    }

    @Test(
        "The daemon refuses other users, even if the modes of files allow them",
        .enabled("needs root") { geteuid() == 0 }
    )
    func otherUser() async throws {
        let daemon = try await RunningDaemon.start(on: desk)
        await #expect(processExitsWith: .exitCode(CInt(EACCES))) { [path = path as String] in
            seteuid(65_534)
            do {
                _ = try UnixSocket.connect(to: path, on: .shared)
            } catch let error as SystemError {
                exit(error.number)
            }
            exit(0)
        }
        var folder = path[...]
        while let slash = folder.lastIndex(of: "/"), folder.hasPrefix(desk.home.path) {
            chmod(String(folder), folder.count == path.count ? 0o666 : 0o755)
            folder = folder[..<slash]
        }
        await #expect(processExitsWith: .success) { [path = path as String] in
            seteuid(65_534)
            let socket = try UnixSocket.connect(to: path, on: .shared)
            try await socket.send(Array("GET /v1/status HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            let answer = String(decoding: try await socket.receive(upTo: 4096), as: UTF8.self)
            seteuid(0)
            exit(answer.hasPrefix("HTTP/1.1 403") && !answer.contains("Desk") ? 0 : 3)
        }
        try await answersAsEver(daemon)
        try await daemon.stop()
    }
}

/// The most memory that a program has had, from the kernel.
private enum Peak {
    /// Resets the maximum, and returns the present memory.
    static func reset(of process: CInt) throws -> Int {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/\(process)/clear_refs"))
        return try mebibytes(of: process)
    }

    static func mebibytes(of process: CInt) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let number = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
        return try #require(number) / 1024
    }
}
