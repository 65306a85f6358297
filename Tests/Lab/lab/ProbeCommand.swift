import LabKit

/// `lab probe`: the two ends of a measurement; `lab measure` starts them on the hosts.
enum ProbeCommand {
    static func run(_ words: inout Words) throws {
        switch words.next() {
        case "echo": try LinkProbe.echo()
        case "drain": try LinkProbe.drain()
        case "pour": try LinkProbe.pour(to: try word(&words), for: try Words.duration(try word(&words)))
        case "ping":
            let (address, count) = (try word(&words), Int(try word(&words)) ?? 0)
            let (interval, patience) = (try Words.duration(try word(&words)), try Words.duration(try word(&words)))
            try LinkProbe.ping(address, count: count, interval: interval, patience: patience)
        default: throw UsageError("a probe is echo, drain, pour or ping")
        }
    }

    private static func word(_ words: inout Words) throws -> String {
        guard let word = words.next() else { throw UsageError("a word is missing") }
        return word
    }
}
