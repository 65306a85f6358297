import Household
import LinuxPlatform
import Vocabulary

/// Asks the daemon over its socket. It reads the few forms of HTTP that the daemon's own library writes, not all that there are.
package struct ControlConnection: Sendable {
    private let path: String
    private let vigil: AnswerVigil

    /// Nil where nobody listens.
    package init?(to path: String, _ vigil: AnswerVigil = AnswerVigil()) {
        guard (try? UnixSocket.canConnect(to: path)) == true else { return nil }
        (self.path, self.vigil) = (path, vigil)
    }

    @Engine
    package func ask(_ question: ControlQuestion) async throws -> ControlReply {
        // It is answered once all of it was taken, and who takes it may be slow for good reasons.
        if question.upload != nil { return try await exchange(question) }
        let vigil = vigil
        return try await withThrowingTaskGroup(of: ControlReply.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await exchange(question) }
            group.addTask { try await vigil.stand(by: question) { _ = try await exchange(AnswerVigil.proof) } }
            guard let first = try await group.next() else { preconditionFailure("a group of two was empty") }
            return first
        }
    }

    /// Until it begins to be answered.
    @Engine
    private func exchange(_ question: ControlQuestion) async throws -> ControlReply {
        let socket = try UnixSocket.connect(to: path, on: .shared)
        let brokenOff = try await Self.say(question, over: socket)
        let answer = HTTPAnswer(socket)
        // Who is turned away at the door is told why before all was said.
        do { try await answer.readHead() } catch { throw brokenOff ?? error }
        guard answer.status < 400 || answer.type == ControlReply.lines else {
            throw try await HouseholdError.turnedAway(answer)
        }
        if let brokenOff { throw brokenOff }
        return ControlReply(status: answer.status, type: answer.type, .stream { try await answer.next() })
    }

    /// Answers with how it was broken off, if it was.
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

    /// Piece by piece, so that its end can be told from a connection that broke off.
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

    /// Everything but letters and digits, so that nothing can be taken for a part of the request.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || character == "-" { return String(character) }
            return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16)
        }.joined()
    }
}
