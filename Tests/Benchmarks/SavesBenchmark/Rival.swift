import Yardstick

/// How what a rival took is told beside what we took.
enum Rival {
    /// Says what is missing where there is nothing to compare with.
    static func isMissing(_ name: String, _ times: [Double]) -> Bool {
        if times.isEmpty { say("  no \(name) here to compare with") }
        return times.isEmpty
    }

    /// Medians in seconds; a ratio above 1 is in our favour.
    static func beside(_ ours: [Double], _ theirs: [Double]) -> String {
        let median = Figures(theirs).median
        return "\(text(median)) s; theirs : ours = \(text(median / Figures(ours).median))"
    }
}
