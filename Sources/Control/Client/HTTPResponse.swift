import Household
import LinuxPlatform
import Vocabulary

/// The response that arrives from a socket.
@Engine
final class HTTPResponse {
    private enum Length {
        case bytes(Int)
        case chunks
        case untilClosed
    }

    private static let headLimit = 64 << 10
    private static let pieceLimit = 64 << 10

    private(set) var status = 0
    private(set) var type = ""
    private let socket: StreamSocket
    private var unread: [UInt8] = []
    private var length = Length.untilClosed
    /// The number of bytes that remain of the current chunk.
    private var chunkRest = 0
    private var isAtEnd = false

    init(_ socket: StreamSocket) {
        self.socket = socket
    }

    func readHead() async throws {
        let first = try await line().split(separator: " ")
        guard first.count >= 2, first[0].hasPrefix("HTTP/1."), let status = Int(first[1]) else { throw Self.garbled }
        self.status = status
        var room = Self.headLimit
        while true {
            let line = try await line()
            if line.isEmpty { return }
            room -= line.utf8.count
            guard room > 0, let colon = line.firstIndex(of: ":") else { throw Self.garbled }
            take(line[..<colon].lowercased(), line[line.index(after: colon)...].drop { $0 == " " })
        }
    }

    private func take(_ name: String, _ value: Substring) {
        switch name {
        case "content-type": type = String(value)
        case "content-length": length = Int(value).map { .bytes($0) } ?? .untilClosed
        case "transfer-encoding" where value.lowercased() == "chunked": length = .chunks
        default: break
        }
    }

    /// Returns the next bytes of the body, at least one; nil at its end.
    func next() async throws -> [UInt8]? {
        if isAtEnd { return nil }
        switch length {
        case .bytes(0):
            isAtEnd = true
            return nil
        case .bytes(let left):
            let piece = try await piece(upTo: left)
            guard !piece.isEmpty else { throw Self.brokenOff }
            length = .bytes(left - piece.count)
            return piece
        case .chunks: return try await nextOfChunk()
        case .untilClosed:
            let piece = try await piece(upTo: Self.pieceLimit)
            isAtEnd = piece.isEmpty
            return piece.isEmpty ? nil : piece
        }
    }

    private func nextOfChunk() async throws -> [UInt8]? {
        if chunkRest == 0 {
            let head = try await line().prefix { $0 != ";" }
            guard let size = Int(head, radix: 16), size >= 0 else { throw Self.garbled }
            if size == 0 {
                isAtEnd = true
                return nil
            }
            chunkRest = size
        }
        let piece = try await piece(upTo: chunkRest)
        guard !piece.isEmpty else { throw Self.brokenOff }
        chunkRest -= piece.count
        if chunkRest == 0, try await !line().isEmpty { throw Self.garbled }
        return piece
    }

    /// Returns the available bytes; empty at the end of the connection.
    private func piece(upTo limit: Int) async throws -> [UInt8] {
        if unread.isEmpty { unread = try await socket.receive(upTo: Self.pieceLimit) }
        let piece = Array(unread.prefix(limit))
        unread.removeFirst(piece.count)
        return piece
    }

    /// Returns the rest of the current line, without its end.
    private func line() async throws -> String {
        while true {
            if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeSubrange(...end) }
                let line = unread[..<end]
                return String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
            guard unread.count < Self.headLimit else { throw Self.garbled }
            let more = try await socket.receive(upTo: Self.pieceLimit)
            guard !more.isEmpty else { throw Self.brokenOff }
            unread += more
        }
    }

    private static let brokenOff = HouseholdError(
        ErrorCode(.unavailable, "control.broken-off"),
        "the daemon stopped during its response",
        nextStep: "check with `huddle status` if it runs, then try again"
    )

    private static let garbled = HouseholdError(
        ErrorCode(.unavailable, "control.garbled"),
        "the program at the control socket does not speak huddled's protocol",
        nextStep: "install the same version of huddle and huddled"
    )
}
