import Yardstick

/// The parts of the time from a save on one host to the same save on the other.
struct Phases {
    private var (reading, travelling, applying) = ([Double](), [Double](), [Double]())

    /// Notes the round that has just ended.
    mutating func note(_ pair: Pair, since start: ContinuousClock.Instant) async {
        let (saved, arrived, applied) = (
            await pair.near.lastSaved, await pair.far.lastArrived, await pair.far.lastApplied
        )
        reading.append(seconds(saved - start) - DaemonHost.settle)
        travelling.append(seconds(arrived - saved))
        applying.append(seconds(applied - arrived))
    }

    /// The medians, as text for the user.
    var text: String {
        func median(_ values: [Double]) -> String { Yardstick.text(Figures(values).median) }
        return "read and kept here \(median(reading)) s, on the way and kept there \(median(travelling)) s, "
            + "put into the folder \(median(applying)) s"
    }
}
