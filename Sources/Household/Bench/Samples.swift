/// Durations of one operation, measured many times.
struct Samples: Sendable {
    private var times: [Duration] = []

    var count: Int { times.count }

    mutating func add(_ time: Duration) { times.append(time) }

    /// The value that this percentage of samples does not exceed; nil without samples.
    func percentile(_ percent: Int) -> Duration? {
        guard !times.isEmpty else { return nil }
        return times.sorted()[min(times.count * percent / 100, times.count - 1)]
    }
}

extension Duration {
    /// Whole microseconds, for programs.
    var wholeMicroseconds: Int { Int(self / .microseconds(1)) }
}
