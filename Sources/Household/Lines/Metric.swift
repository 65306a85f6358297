/// A number for Prometheus.
package struct Metric: Sendable {
    package enum Kind: String, Sendable {
        /// A value that goes up and down.
        case gauge
        /// A value that only goes up, and starts at 0 with the program.
        case counter
    }

    /// One number, and the label that distinguishes it from others of the same name. Labels are words of this program
    /// only.
    package struct Sample: Sendable {
        package let label: String?
        /// The value of the label; empty without one.
        package let word: String
        package let value: UInt64
    }

    package let name: String
    package let meaning: String
    package let kind: Kind
    package let samples: [Sample]

    /// A single metric without a group.
    package init(_ kind: Kind, _ name: String, _ meaning: String, _ value: some BinaryInteger) {
        (self.kind, self.name, self.meaning) = (kind, name, meaning)
        samples = [Sample(label: nil, word: "", value: UInt64(clamping: value))]
    }

    /// Several samples, distinguished by one label.
    package init(_ kind: Kind, _ name: String, _ meaning: String, by label: String, _ values: [(String, UInt64)]) {
        (self.kind, self.name, self.meaning) = (kind, name, meaning)
        samples = values.map { Sample(label: "\(label)=\"\($0.0)\"", word: $0.0, value: $0.1) }
    }

    /// The value of a metric without labels; nil for one with labels.
    package var onlyValue: UInt64? { samples.count == 1 && samples[0].label == nil ? samples[0].value : nil }

    /// The lines of the metric, in the text format of Prometheus.
    package var text: String {
        let lines = samples.map { "\(name)\($0.label.map { "{\($0)}" } ?? "") \($0.value)\n" }
        return "# HELP \(name) \(meaning)\n# TYPE \(name) \(kind.rawValue)\n" + lines.joined()
    }
}
