import Yardstick

/// The comparison with a rival, as text.
enum Rival {
    /// The line about a missing rival.
    static func isMissing(_ name: String, _ times: [Double]) -> Bool {
        if times.isEmpty { say("  no \(name) here to compare with") }
        return times.isEmpty
    }

    /// Medians in seconds. A ratio above 1 means that Huddle is faster.
    static func beside(_ ours: [Double], _ theirs: [Double]) -> String {
        let median = Figures(theirs).median
        return "\(text(median)) s; theirs : ours = \(text(median / Figures(ours).median))"
    }
}
