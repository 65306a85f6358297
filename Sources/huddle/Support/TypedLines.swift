import LinuxPlatform

/// What a person types, line by line.
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
            // Nobody types that much; what a program sends instead is cut.
            if rest.count + bytes.count <= 65_536 { rest += bytes }
        }
    }
}

/// Standard input as it comes.
enum InputBytes {
    private static let reader = EventLoop(named: "input")

    /// What there is, as soon as there is something; nothing at the end.
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
