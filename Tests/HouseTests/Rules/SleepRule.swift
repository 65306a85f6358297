/// A test that sleeps is slow when all is well and fails when the machine is busy: it waits for an event with a deadline.
enum SleepRule {
    private static let sleeps: Set = ["sleep", "usleep", "nanosleep", "clock_nanosleep"]

    static func findings(in source: SwiftSource) -> [Finding] {
        zip(source.tokens, source.tokens.dropFirst()).compactMap { token, next in
            guard sleeps.contains(token.text), next.text == "(" else { return nil }
            let text = "\(token.text) in a test: wait for the event itself, with a deadline"
            return Finding(path: source.path, line: token.line, text: text)
        }
    }
}
