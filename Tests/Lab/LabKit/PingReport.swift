/// The result of datagrams to another host and back.
public struct PingReport: Sendable, CustomStringConvertible {
    /// The numbers of sent and returned datagrams.
    public let (sent, received): (Int, Int)

    /// The number of datagrams that returned after a later one.
    public let reordered: Int

    /// The round-trip times.
    public let (fastest, median, slowest): (Duration, Duration, Duration)

    /// The percentage of datagrams that did not return.
    public var lossPercent: Double { 100 * Double(sent - received) / Double(max(sent, 1)) }

    /// One line for the user.
    public var description: String {
        let times = [fastest, median, slowest].map { "\(($0 / .microseconds(10)).rounded() / 100) ms" }
        return "\(received) of \(sent) came back, \(reordered) out of order;"
            + " fastest \(times[0]), median \(times[1]), slowest \(times[2])"
    }

    init?(_ summary: String) {
        let numbers = summary.split(whereSeparator: { $0 == " " || $0 == "\n" }).compactMap { Int($0) }
        guard numbers.count == 6 else { return nil }
        (sent, received, reordered) = (numbers[0], numbers[1], numbers[2])
        fastest = .microseconds(numbers[3])
        median = .microseconds(numbers[4])
        slowest = .microseconds(numbers[5])
    }
}
