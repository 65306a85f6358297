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
    package func ask(_ request: APIRequest) async throws -> APIResponse {
        // The response follows the complete request body, and the reader of that body may be slow for good reasons.
        if request.upload != nil { return try await exchange(request) }
        let watchdog = watchdog
        return try await withThrowingTaskGroup(of: APIResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange(request) }
            group.addTask { try await watchdog.stand(by: request) { _ = try await exchange(ResponseWatchdog.proof) } }
            guard let first = try await group.next() else { preconditionFailure("a group of two was empty") }
            return first
        }
    }

    /// Sends the request, and waits for the head of the response.
    @Engine
    private func exchange(_ request: APIRequest) async throws -> APIResponse {
        let socket = try UnixSocket.connect(to: path, on: .shared)
        let brokenOff = try await Self.say(request, over: socket)
        let answer = HTTPResponse(socket)
        // If the daemon refuses a connection, it sends the reason before the request was sent completely.
        do { try await answer.readHead() } catch { throw brokenOff ?? error }
        guard answer.status < 400 || answer.type == APIResponse.lines else {
            throw try await HouseholdError.turnedAway(answer)
        }
        if let brokenOff { throw brokenOff }
        return APIResponse(status: answer.status, type: answer.type, .stream { try await answer.next() })
    }

    /// Sends the request. Returns the error that interrupted it; nil if none did.
    @Engine
    private static func say(_ request: APIRequest, over socket: StreamSocket) async throws -> SystemError? {
        do {
            try await socket.send(bytes(of: request))
            if let upload = request.upload { try await pass(upload, over: socket) }
            return nil
        } catch let error as SystemError where error.isBrokenPipe || error.isReset {
            return error
        }
    }

    /// Sends the body in chunks, so that its end differs from a broken connection.
    @Engine
    private static func pass(_ upload: APIRequest.Upload, over socket: StreamSocket) async throws {
        while let bytes = try await upload() {
            if bytes.isEmpty { continue }
            try await socket.send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
        }
        try await socket.send(Array("0\r\n\r\n".utf8))
    }

    private static func bytes(of request: APIRequest) -> [UInt8] {
        var target = "/" + request.path.map(escaped).joined(separator: "/")
        let query = request.query.sorted { $0.key < $1.key }.map { "\(escaped($0.key))=\(escaped($0.value))" }
        if !query.isEmpty { target += "?" + query.joined(separator: "&") }
        var length = request.body.isEmpty ? "" : "Content-Length: \(request.body.count)\r\n"
        if request.upload != nil { length = "Transfer-Encoding: chunked\r\n" }
        let head = "\(request.method) \(target) HTTP/1.1\r\nHost: huddle\r\nConnection: close\r\n\(length)\r\n"
        return Array(head.utf8) + request.body
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
