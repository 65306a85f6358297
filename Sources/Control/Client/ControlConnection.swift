import Household
import LinuxPlatform
import Vocabulary

/// A connection to the daemon's control socket. It parses only the forms of HTTP that the daemon's library writes.
package struct ControlConnection: Sendable {
    private let path: String
    private let watchdog: ResponseWatchdog

    /// nil if no daemon listens at the path.
    package init?(to path: String, _ watchdog: ResponseWatchdog = ResponseWatchdog()) {
        guard (try? UnixSocket.canConnect(to: path)) == true else { return nil }
        (self.path, self.watchdog) = (path, watchdog)
    }

    @Engine
    package func ask(_ question: ControlQuestion) async throws -> ControlReply {
        // The response follows the complete request body, and the reader of that body may be slow for good reasons.
        if question.upload != nil { return try await exchange(question) }
        let watchdog = watchdog
        return try await withThrowingTaskGroup(of: ControlReply.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange(question) }
            group.addTask { try await watchdog.stand(by: question) { _ = try await exchange(ResponseWatchdog.proof) } }
            guard let first = try await group.next() else { preconditionFailure("a group of two was empty") }
            return first
        }
    }

    /// Sends the request, and waits for the head of the response.
    @Engine
    private func exchange(_ question: ControlQuestion) async throws -> ControlReply {
        let socket = try UnixSocket.connect(to: path, on: .shared)
        let brokenOff = try await Self.say(question, over: socket)
        let answer = HTTPAnswer(socket)
        // If the daemon refuses a connection, it sends the reason before the request was sent completely.
        do { try await answer.readHead() } catch { throw brokenOff ?? error }
        guard answer.status < 400 || answer.type == ControlReply.lines else {
            throw try await HouseholdError.turnedAway(answer)
        }
        if let brokenOff { throw brokenOff }
        return ControlReply(status: answer.status, type: answer.type, .stream { try await answer.next() })
    }

    /// Sends the request. Returns the error that interrupted it; nil if none did.
    @Engine
    private static func say(_ question: ControlQuestion, over socket: StreamSocket) async throws -> SystemError? {
        do {
            try await socket.send(bytes(of: question))
            if let upload = question.upload { try await pass(upload, over: socket) }
            return nil
        } catch let error as SystemError where error.isBrokenPipe || error.isReset {
            return error
        }
    }

    /// Sends the body in chunks, so that its end differs from a broken connection.
    @Engine
    private static func pass(_ upload: ControlQuestion.Upload, over socket: StreamSocket) async throws {
        while let bytes = try await upload() {
            if bytes.isEmpty { continue }
            try await socket.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
        }
        try await socket.send(Array("0\r\n\r\n".utf8))
    }

    private static func bytes(of question: ControlQuestion) -> [UInt8] {
        var target = "/" + question.path.map(escaped).joined(separator: "/")
        let query = question.query.sorted { $0.key < $1.key }.map { "\(escaped($0.key))=\(escaped($0.value))" }
        if !query.isEmpty { target += "?" + query.joined(separator: "&") }
        var length = question.body.isEmpty ? "" : "Content-Length: \(question.body.count)\r\n"
        if question.upload != nil { length = "Transfer-Encoding: chunked\r\n" }
        let head = "\(question.method) \(target) HTTP/1.1\r\nHost: huddle\r\nConnection: close\r\n\(length)\r\n"
        return Array(head.utf8) + question.body
    }

    /// Escapes all bytes but letters, digits and hyphens, so that no text changes the structure of the request.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || character == "-" { return String(character) }
            return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16)
        }.joined()
    }
}
