import LinuxPlatform
import Vocabulary

extension LabHost {
    /// Sends small datagrams to another host, which echoes them.
    public func ping(
        _ other: LabHost,
        count: Int = 20,
        interval: Duration = .milliseconds(5),
        patience: Duration = .seconds(1)
    ) async throws -> PingReport {
        let echo = try await other.startProbe(["echo"])
        let words = [try ToolPath.find(), "probe", "ping", other.address, "\(count)"]
        let times = [interval, patience].map { "\(Impairment.nanoseconds($0))ns" }
        let result = try await run(words + times, deadline: interval * count + patience + .seconds(20))
        await echo.terminate()
        guard let report = PingReport(result.standardOutput.text) else { throw probeError(result) }
        return report
    }

    /// Sends as much data as possible to another host over one TCP connection. Returns the bits of data a second.
    public func pour(to other: LabHost, for length: Duration = .seconds(2)) async throws -> Int {
        let drain = try await other.startProbe(["drain"])
        let words = [try ToolPath.find(), "probe", "pour", other.address, "\(Impairment.nanoseconds(length))ns"]
        let sending = try await run(words, deadline: length + .seconds(20))
        guard sending.status.isSuccess else {
            await drain.terminate()
            throw probeError(sending)
        }
        let result = try await drain.complete(deadline: .seconds(20))
        guard let rate = Int(result.standardOutput.text.split(separator: "\n").last ?? "") else {
            throw probeError(result)
        }
        return rate
    }

    /// Starts the other end of a measurement and waits until it listens.
    private func startProbe(_ words: [String]) async throws -> ChildProcess {
        let probe = try await start([try ToolPath.find(), "probe"] + words)
        let ready = try await EventLoop.shared.withDeadline(.seconds(10), "start the probe on \(name)") {
            var lines = probe.standardOutput?.lines(limit: 1000).makeAsyncIterator()
            return try await lines?.next()
        }
        guard ready != nil else { throw probeError(try await probe.complete(deadline: .seconds(5))) }
        return probe
    }

    private func probeError(_ result: CompletedProgram) -> LabError {
        LabError(
            "lab.probe",
            "the measurement on \(name) \(result.status): \(LastWords(result.standardError.text))",
            nextStep: "see with “lab list” whether the hosts run and their cables are in"
        )
    }
}
