/// A test that sleeps is slow when all is well and fails when the machine is busy: it waits for an event with a
/// deadline.
enum SleepRule {
    private static let sleeps: Set = ["sleep", "usleep", "nanosleep", "clock_nanosleep"]

    /// Benchmarks, whose subject is time, and simulations, whose time passes at once.
    private static let exempt = ["Tests/Benchmarks/", "Tests/Simulator/"]

    static func findings(in source: SwiftSource) -> [Finding] {
        guard !exempt.contains(where: source.path.hasPrefix) else { return [] }
        var before = ["", ""]
        return zip(source.tokens, source.tokens.dropFirst()).compactMap { token, next in
            defer { before = [before[1], token.text] }
            guard sleeps.contains(token.text), next.text == "(" else { return nil }
            // The loop's own sleep is what its tests look at; a deadline needs a clock.
            let isOfALoop = before[1] == "." && before[0] != "Task"
            guard !(isOfALoop && source.path.hasPrefix("Tests/LinuxPlatformTests/")),
                !source.comments(at: token.line).lowercased().contains("because")
            else { return nil }
            let text = "\(token.text) in a test: wait for the event itself, with a deadline"
            return Finding(path: source.path, line: token.line, text: text)
        }
    }
}
