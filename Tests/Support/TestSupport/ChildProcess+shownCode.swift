public import LinuxPlatform

extension ChildProcess {
    /// Reads the output of `huddle invite` up to its code, and returns the six digits; nil if it ends before.
    public func shownCode() async throws -> String? {
        guard let lines = standardOutput?.lines() else { return nil }
        for try await line in lines {
            if let code = line.firstMatch(of: #/Type this code there: (\d{3}) (\d{3})$/#) {
                return "\(code.1)\(code.2)"
            }
        }
        return nil
    }
}
