import LinuxPlatform

/// The lines that the user types.
struct TypedLines {
    private var rest: [UInt8] = []
    private var isAtEnd = false

    /// The next line without its end; nil at the end of the input, or once the task is cancelled.
    mutating func next() async throws -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            guard !isAtEnd, !Task.isCancelled else { return nil }
            let bytes = try await InputBytes.next(upTo: 4096)
            isAtEnd = bytes.isEmpty
            // No user types that much. A longer line from a program is cut.
            if rest.count + bytes.count <= 65_536 { rest += bytes }
        }
    }
}

/// Reads the bytes of standard input as they arrive.
enum InputBytes {
    private static let reader = EventLoop(named: "input")

    /// Waits for bytes and returns them; empty at the end of the input.
    static func next(upTo limit: Int) async throws -> [UInt8] {
        try await Terminal.inputIsReady(on: .shared)
        let outcome = await reader.performing { () -> Result<[UInt8], SystemError> in
            do throws(SystemError) {
                return .success(try Terminal.read(upTo: limit))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
